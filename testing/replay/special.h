// Operators whose results are not compared element by element.
//
//   switch (ComparisonOf(op, args)) { … }
//
// Threads: any.
#ifndef TESTING_REPLAY_SPECIAL_H_
#define TESTING_REPLAY_SPECIAL_H_

#include <span>
#include <string>
#include <string_view>

#include "switchyard/dispatcher/call.h"
#include "testing/replay/arguments.h"
#include "testing/replay/compare.h"

namespace sy::replay {

enum class Comparison {
  kValues,         // every element, within the tolerance
  kMetadata,       // no value to compare: new memory (empty)
  kTies,           // a second result says where the first one's elements are; ties leave that open
  kFactorization,  // unique only up to sign or phase
  kRandom,         // on the host the reference's numbers, elsewhere their range
};
// What its tags and its results' names say; what no property of an operator says (positions of
// equal elements, a wrong reference) is listed in special.cc. A call of an operator that draws
// numbers on demand (dropout with train) is kValues when it draws none; without arguments, it
// draws.
Comparison ComparisonOf(const OperatorEntry& op, std::span<const Value> args = {});

// Wider than the dtype's, for operators where the reference itself is farther off, each with
// its reason in special.cc. dtype, device: of the result.
Tolerance LeastTolerance(std::string_view op, DType dtype, Device device);

// The same for gradients, which also have what is said of results.
Tolerance LeastGradientTolerance(std::string_view op, DType dtype);
// kMetadata where the reference's results or gradients are wrong, else kValues.
Comparison GradientComparisonOf(const OperatorEntry& op, std::span<const Value> args);

// Whether the operator writes its argument at `position` although its schema does not say so.
bool WritesUndeclared(const OperatorEntry& op, size_t position);

// What a call of a special operator must satisfy. `results`: on the host; their metadata was
// compared already. Each returns "" or what is wrong.
struct SpecialCall {
  const OperatorEntry& op;
  std::span<const Value> args;      // as they were called, on the device
  std::span<const Tensor> results;  // tensors among the results, on the host
  std::span<const RecordedTensor> expected;
};
std::string CheckTies(const SpecialCall& call);
std::string CheckFactorization(const SpecialCall& call);
std::string CheckRandomRange(const SpecialCall& call);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_SPECIAL_H_
