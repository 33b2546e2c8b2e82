// gcd of two numbers, which no kernel takes.

#include <numeric>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Of -2^63 and 0 it is 2^63, which int64 has as -2^63.
int64_t GcdOfInts(Call, int64_t a, int64_t b) {
  const auto magnitude = [](int64_t x) {
    return x < 0 ? uint64_t{0} - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  };
  return static_cast<int64_t>(std::gcd(magnitude(a), magnitude(b)));
}
const Composite gcd_int_body{"gcd.int", GcdOfInts};

}  // namespace
}  // namespace sy
