// For tests of gradients: formulas against differences, several threads at once.
//
//   GradCheck([](TensorList x) { return std::vector{mul(x[0], x[1])}; }, {a, b});
//   InThreads(6, [&](int i) { … });
//   EXPECT_EQ(LiveNodes(), 0);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the input, the element, and both derivatives where they differ.
#ifndef SWITCHYARD_AUTOGRAD_TESTING_H_
#define SWITCHYARD_AUTOGRAD_TESTING_H_

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy {

// The function under test: float64 and complex128 inputs are differentiated, others are constant.
using GradFunction = std::function<std::vector<Tensor>(TensorList)>;
struct GradCheckOptions {
  double step = 1e-6;
  double atol = 1e-5, rtol = 1e-3;
};
// Derivatives by every element of the inputs, for a random direction of the results.
void GradCheck(const GradFunction& f, std::vector<Tensor> inputs,
               const GradCheckOptions& options = {});
// The same for the gradients themselves: second derivatives. A function whose gradients depend on
// nothing passes.
void GradGradCheck(const GradFunction& f, std::vector<Tensor> inputs,
                   const GradCheckOptions& options = {});
// Both, of a function with one result. float32 inputs are made float64 before.
void GradCheckTwice(const std::function<Tensor(TensorList)>& f, const std::vector<Tensor>& inputs);
// Recorded calls that somebody still holds, in the whole process.
int64_t LiveNodes();
// f(0) … f(n - 1), each in a thread of its own; returns when all have.
template <class F>
void InThreads(int n, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& t : threads) t.join();
}

}  // namespace sy

#endif  // SWITCHYARD_AUTOGRAD_TESTING_H_
