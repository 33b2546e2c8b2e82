// Why a call goes where it goes: the candidates for an operator on a device and dtype, and the one
// that is taken.
//
//   std::cout << sy::explain("add.Tensor", "cuda", "float16").str();
//
// It prints the resolution that calls use, in release builds too.
// Threads: any.
// Errors: kNotFound for unknown operators and devices, kInvalidArgument for unknown dtypes.
#ifndef SWITCHYARD_DISPATCHER_EXPLAIN_H_
#define SWITCHYARD_DISPATCHER_EXPLAIN_H_

#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/dtype.h"
#include "switchyard/core/macros.h"

namespace sy {

struct ExplainedCandidate {
  std::string device;  // "cpu", "any"
  std::string dtypes;  // "float32, float64", "any"
  std::string source;  // "file:line"
  bool chosen = false;
  std::string verdict;  // why it is taken or passed over
};

struct Explanation {
  std::string op;  // "add.Tensor"
  std::string schema;
  std::string registered_at;
  std::string device;
  DType dtype;
  std::string form;  // "functional", "in place", "out=", "view", "kernels return the results"
  std::vector<ExplainedCandidate> candidates;  // best first
  std::string fallback;                        // what the policy says
  std::string outcome;  // "kernel at …", "a view: nothing is computed", "error: …"
  SY_API std::string str() const;
};

// op: a full name, or a name whose overloads are explained one by one.
SY_API std::vector<Explanation> explain(std::string_view op, std::string_view device, DType dtype);

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_EXPLAIN_H_
