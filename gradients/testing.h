// What tests of formulas share: numbers, and formulas against differences.
//
//   CheckTwice([](TensorList x) { return cumprod(x[0], 0); }, {Numbers({3, 2})});
//
// Owns: nothing. Threads: one. Errors: failed tests.
#ifndef SWITCHYARD_GRADIENTS_TESTING_H_
#define SWITCHYARD_GRADIENTS_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "switchyard/autograd/testing.h"
#include "switchyard/ops.h"

namespace sy {

using TestedFunction = std::function<Tensor(TensorList)>;
// First derivatives alone, and second ones, too.
inline void CheckOnce(const TestedFunction& f, const std::vector<Tensor>& in) {
  EXPECT_NO_THROW(GradCheck([&](TensorList x) { return std::vector{f(x)}; }, in));
}
inline void CheckTwice(const TestedFunction& f, const std::vector<Tensor>& in) {
  EXPECT_NO_THROW(GradCheckTwice(f, in));
}

// float64 numbers between -1.5 and 1.5, no two equal; complex128 ones.
inline Tensor Numbers(const std::vector<int64_t>& sizes, double phase = 0.4) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return reshape(mul(sin(add(mul(arange(n, DType::kFloat64), 1.3), phase)), 1.5), sizes);
}
inline Tensor ComplexNumbers(const std::vector<int64_t>& sizes, double phase = 0.4) {
  return complex(Numbers(sizes, phase), Numbers(sizes, phase + 1));
}

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_TESTING_H_
