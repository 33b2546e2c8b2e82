// What formulas refuse. Arguments that have no gradient although they may require one: said at
// backward, not passed over.
//
//   Tensor NllWeight(const Grad&, …) { return Refused("nll_loss", "weight"); }
//
// And what a decomposition's operators would take that the operator itself does not: it is asked
// then, and says what is wrong.
//
//   Tensor Outer(const Tensor& self, const Tensor& vec2) {
//     RequireFit(self.dim() == 1 && vec2.dim() == 1);
//
// Owns: nothing. Threads: any. Errors: kNotImplemented, always; kInvalidArgument of RequireFit.
#ifndef SWITCHYARD_GRADIENTS_REFUSED_H_
#define SWITCHYARD_GRADIENTS_REFUSED_H_

#include <string_view>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor.h"

namespace sy {

[[noreturn]] inline Tensor Refused(std::string_view op, std::string_view argument) {
  Fail(ErrorCode::kNotImplemented, op,
       {"has no gradient for its argument '", argument, "'; detach it"});
}

inline void RequireFit(bool fits) {
  if (!fits) Fail(ErrorCode::kInvalidArgument, {"arguments that the operator itself refuses"});
}

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_REFUSED_H_
