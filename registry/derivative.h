// Which operator computes another's gradient, said by names: by plugins, which have no C++ types
// for formulas, and by programs that do not link //autograd. There the formulas are
// (autograd/gradient.h), and what is said here is found after them.
//
//   AddDerivative("toy::scale", "toy::scale_backward");
//
// The arguments of the second operator are found by their names:
//
//   grad, or grad_0, grad_1, …       the gradients of the first one's results: zeros where none
//                                    arrived, or None where the argument is optional
//   result, or result_0, result_1…   these results
//   any other                        the first one's argument of that name, of the same type; one
//                                    that it does not have must have a default
//
// Its results are the gradients of the arguments whose names they have; of one result without a
// name, of the first tensor. "toy::scale(Tensor x, float by) -> Tensor" goes with
// "toy::scale_backward(Tensor grad, float by) -> Tensor". What it is made of may have gradients in
// its turn. PyTorch's counterpart is derivatives.yaml.
// Owns: copies of the names. Threads: any.
// Errors: kRegistration for an operator that has one already.
#ifndef SWITCHYARD_REGISTRY_DERIVATIVE_H_
#define SWITCHYARD_REGISTRY_DERIVATIVE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/registry/schema.h"

namespace sy {

// op, by: full names. Neither need be registered yet.
SY_API void AddDerivative(std::string_view op, std::string_view by);
// Calls that were recorded so far keep theirs.
SY_API void RemoveDerivative(std::string_view op) noexcept;
// The full name of the operator that computes the gradient of `op`; empty where nobody has said.
SY_API std::string FindDerivative(std::string_view op);

// Where an operator that computes gradients has its arguments from, and whose they are.
struct DerivativeMatch {
  enum class From : uint8_t { kGradient, kResult, kArgument, kDefault };
  struct Source {
    From from = From::kDefault;
    size_t at = 0;  // of results or arguments
  };
  std::vector<Source> arguments;  // one for each
  std::vector<size_t> inputs;     // for each result: the position of the argument that it is for
};
// Returns what does not fit; empty: everything does, and `match` is filled.
SY_API std::string MatchDerivative(const Schema& op, const Schema& by, DerivativeMatch* match);

namespace internal {
// Called after each change. //autograd sets it.
extern SY_API constinit std::atomic<void (*)()> derivatives_changed;
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_DERIVATIVE_H_
