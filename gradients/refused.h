// Arguments that have no gradient although they may require one: said at backward, not passed over.
//
//   Tensor NllWeight(const Grad&, …) { return Refused("nll_loss", "weight"); }
//
// Owns: nothing. Threads: any. Errors: kNotImplemented, always.
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

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_REFUSED_H_
