#include "switchyard/optim/clip_grad.h"

#include <map>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/key_word.h"
#include "switchyard/ops.h"

namespace sy::optim {

namespace {

// Operators of lists take those of one device.
std::map<KeyWord, std::vector<Tensor>> GradsByDevice(TensorList parameters) {
  std::map<KeyWord, std::vector<Tensor>> grads;
  for (const Tensor& t : parameters) {
    if (Tensor g = grad_of(t); g.defined()) grads[PlaceOfKey(g.key())].push_back(std::move(g));
  }
  return grads;
}

}  // namespace

Tensor clip_grad_norm_(TensorList parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  if (!(max_norm >= 0)) {
    Fail(ErrorCode::kInvalidArgument, "clip_grad_norm_",
         {"max_norm: expected 0 or more, got ", max_norm});
  }
  const NoGrad off;
  const auto grads = GradsByDevice(parameters);
  std::vector<Tensor> norms;
  for (const auto& [place, list] : grads) {
    for (Tensor& n : _foreach_norm(list, norm_type))
      norms.push_back(norms.empty() ? n : to(n, norms[0].device(), n.dtype()));
  }
  if (norms.empty()) return zeros({});
  const Tensor norm = linalg_vector_norm(stack(norms), norm_type);
  if (error_if_nonfinite && !item(isfinite(norm)).To<bool>()) {
    Fail(ErrorCode::kInvalidValue, "clip_grad_norm_",
         {"the norm of all gradients is not finite: ", item(norm).To<double>()});
  }
  const Tensor factor = clamp_max(mul(reciprocal(add(norm, 1e-6)), max_norm), 1);
  for (const auto& [place, list] : grads)
    _foreach_mul_(list, to(factor, list[0].device(), factor.dtype()));
  return norm;
}

void clip_grad_value_(TensorList parameters, double clip_value) {
  if (!(clip_value >= 0)) {
    Fail(ErrorCode::kInvalidArgument, "clip_grad_value_",
         {"clip_value: expected 0 or more, got ", clip_value});
  }
  const NoGrad off;
  for (const auto& [place, list] : GradsByDevice(parameters)) {
    _foreach_clamp_min_(list, -clip_value);
    _foreach_clamp_max_(list, clip_value);
  }
}

}  // namespace sy::optim
