// Calls at random: arguments from an operator's schema, optional, scalar, list and keyword
// arguments away from their defaults, tensors in any layout.
//
//   Random random(seed);
//   const DrawnCall call = Draw(op, {.dtype = d, .family = f}, random);
//   call.str();     "add.Tensor(float32[2, 3] of strides [1, 2], float32[3], alpha=-1.5)"
//
// A drawn call is a description; testing/conform/made.h makes it, on any device, as often as
// wanted, each time of the same elements.
// Owns: all it says. Threads: any. Errors: none.
#ifndef TESTING_CONFORM_DRAW_H_
#define TESTING_CONFORM_DRAW_H_

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "switchyard/registry/registry.h"
#include "testing/conform/sizes.h"

namespace sy::conform {

// What a tensor's elements are.
enum class Elements : uint8_t {
  kSmall,      // quarters from -4 to 4: sums and products of some are exact in every dtype
  kPositive,   // quarters above 0
  kUnit,       // eighths from 0 to 7/8
  kSpecial,    // small ones, NaN, infinities, -0, ±1000
  kWide,       // integers past 24 and 53 bits, 64-bit floats past 32-bit ones' range
  kPositions,  // 0 … below - 1
  kDistinct,   // the same, no two alike along a line, which goes on around the end
  kTruth,      // 0 and 1
};

struct DrawnTensor {
  Sizes sizes, strides;
  int64_t offset = 0;  // strides and offset in elements
  DType dtype = DType::kFloat32;
  Elements elements = Elements::kSmall;
  int64_t below = 1, along = 0;  // positions: how many there are, and the dimension of a line
  uint64_t seed = 0;
  bool on_host = false;  // a 0-dim tensor that stays on the host, as numbers do
};

struct Bools {
  bool of[4] = {};
  size_t size = 0;
};
// A Value says all of what lies in it (numbers, dtypes, None) and of defaults.
using DrawnArgument =
    std::variant<Value, std::string, std::vector<int64_t>, std::vector<double>, std::vector<Scalar>,
                 Bools, DrawnTensor, std::vector<DrawnTensor>>;

struct DrawnCall {
  const OperatorEntry* op = nullptr;
  std::vector<DrawnArgument> arguments;
  bool complete = true;  // false: an argument is of a type that nobody here makes
  std::string str() const;
};

struct DrawOptions {
  DType dtype = DType::kFloat32;
  Family family = Family::kAlike;
  Extents extents = Extents::kOrdinary;
  Elements elements = Elements::kSmall;
  bool host_numbers = false;  // every second operand but the first is one of the host's
  bool mixed = true;          // some operands are of another dtype
  // By argument, of those that are tensors, in place of all that; empty: none.
  std::vector<DType> dtypes = {};
  bool scales = false;  // numbers that are called scales are positive
};
DrawnCall Draw(const OperatorEntry& op, const DrawOptions& options, Random& random);

// Whether an argument's name says that it holds scales of quantised numbers, or what is added to
// their products: floats, beside integers.
bool IsOfScales(const Argument& a);

// Strides for these sizes: row-major, permuted, with gaps or an offset. expand: dimensions may have
// stride 0.
void DrawLayout(DrawnTensor& t, bool expand, Random& random);

}  // namespace sy::conform

#endif  // TESTING_CONFORM_DRAW_H_
