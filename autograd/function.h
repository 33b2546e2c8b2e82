// Functions of a program's own with a derivative of its own, and functions that are run again.
//
//   struct Cube : Function {
//     static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
//       c.SaveForBackward(x);
//       return {mul(x[0], mul(x[0], x[0]))};
//     }
//     static std::vector<Tensor> Backward(FunctionContext& c, TensorList grads) {
//       const Tensor x = c.Saved()[0];
//       return {mul(grads[0], mul(mul(x, x), 3))};
//     }
//   };
//   Tensor y = Apply<Cube>({x})[0];
//
// torch.autograd.Function and torch.utils.checkpoint.
// Owns: the context, which the results' history holds.
// Threads: Backward runs in the thread that calls backward.
// Errors: what the functions throw; kInvalidArgument where a saved tensor was written, or freed.
#ifndef SWITCHYARD_AUTOGRAD_FUNCTION_H_
#define SWITCHYARD_AUTOGRAD_FUNCTION_H_

#include <any>
#include <functional>
#include <memory>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy {

namespace autograd {
struct Context;
}

// What Forward leaves for Backward.
class SY_API FunctionContext {
 public:
  FunctionContext();
  ~FunctionContext();
  FunctionContext(const FunctionContext&) = delete;
  // Inputs or results of Forward, or others.
  void SaveForBackward(TensorList tensors);
  std::vector<Tensor> Saved() const;
  // Results that require no gradient, by number.
  void MarkNonDifferentiable(size_t result) { none_.push_back(result); }
  // The result is an input that Forward has written: its own history goes on with this call.
  void MarkDirty(size_t result) { dirty_.push_back(result); }
  // Whether an input's gradient is wanted; others may be undefined.
  bool NeedsInputGrad(size_t input) const { return input < needs_.size() && needs_[input]; }
  // Anything else. It goes with what was saved, once backward has run, and counts as saved.
  std::any data;
  // It stays for as long as the history, which may then be run again where no tensor was saved.
  bool data_stays = false;

 private:
  friend struct autograd::Context;
  std::unique_ptr<autograd::Context> kept_;
  std::vector<size_t> none_, dirty_;
  std::vector<bool> needs_;
};

// A base to derive from; it has nothing of its own.
struct Function {};

using ForwardFunction = std::function<std::vector<Tensor>(FunctionContext&, TensorList)>;
// Gradients of the results, undefined where none arrived; returns those of the inputs.
using BackwardFunction = std::function<std::vector<Tensor>(FunctionContext&, TensorList)>;
// Runs forward without recording; what it returns has backward as its history. name: of the node.
SY_API std::vector<Tensor> ApplyFunction(const char* name, const ForwardFunction& forward,
                                         BackwardFunction backward,
                                         const std::vector<Tensor>& inputs);
template <class F>
std::vector<Tensor> Apply(const std::vector<Tensor>& inputs, const char* name = "Function") {
  return ApplyFunction(name, &F::Forward, &F::Backward, inputs);
}

// Runs f without recording and keeps its inputs alone; backward runs it again, recorded: memory for
// time. It draws the same numbers then: the default generators of the host and of the inputs'
// devices are set to where they were, and afterwards back.
SY_API std::vector<Tensor> checkpoint(std::function<std::vector<Tensor>(TensorList)> f,
                                      const std::vector<Tensor>& inputs);

}  // namespace sy

#endif  // SWITCHYARD_AUTOGRAD_FUNCTION_H_
