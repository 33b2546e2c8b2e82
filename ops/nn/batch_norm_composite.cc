// The operators of batch_norm by the one that kernels serve.

#include <optional>
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Three = ::std::tuple<Tensor, Tensor, Tensor>;
using Four = ::std::tuple<Tensor, Tensor, Tensor, Tensor>;

// With the statistics that are given, or without any.
Three NativeBatchNorm(Call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                      const Tensor& running_mean, const Tensor& running_var, bool training,
                      double momentum, double eps) {
  return running_mean.defined() || running_var.defined()
             ? _native_batch_norm_legit(input, weight, bias, running_mean, running_var, training,
                                        momentum, eps)
             : _native_batch_norm_legit(input, weight, bias, training, momentum, eps);
}
void NativeBatchNormOut(Call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                        const Tensor& running_mean, const Tensor& running_var, bool training,
                        double momentum, double eps, const Tensor& out, const Tensor& save_mean,
                        const Tensor& save_invstd) {
  if (running_mean.defined() || running_var.defined()) {
    _native_batch_norm_legit_out(out, save_mean, save_invstd, input, weight, bias, running_mean,
                                 running_var, training, momentum, eps);
  } else {
    _native_batch_norm_legit_out(out, save_mean, save_invstd, input, weight, bias, training,
                                 momentum, eps);
  }
}
Four WithUpdate(Call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                const Tensor& running_mean, const Tensor& running_var, double momentum,
                double eps) {
  auto [out, mean, factor] =
      _native_batch_norm_legit(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, factor, empty({0}, DType::kUInt8, ::std::nullopt, input.device())};
}
Tensor BatchNorm(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                 const Tensor& running_mean, const Tensor& running_var, bool training,
                 double momentum, double eps, bool) {
  return ::std::get<0>(NativeBatchNorm(call, input, weight, bias, running_mean, running_var,
                                       training, momentum, eps));
}
// save_var: 1 / sqrt(variance + eps), as batch_norm_with_update gives it.
Three Backward(Call, const Tensor& grad_out, const Tensor& input, const Tensor& weight,
               const Tensor& running_mean, const Tensor& running_var, const Tensor& save_mean,
               const Tensor& save_var, bool update, double eps, ::std::span<const bool> output_mask,
               const Tensor&) {
  return native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean,
                                    save_var, update, eps, output_mask);
}
const Composite native_body{"native_batch_norm", NativeBatchNorm};
const Composite native_out_body{"native_batch_norm.out", NativeBatchNormOut};
const Composite with_update_body{"_batch_norm_with_update", WithUpdate};
const Composite batch_norm_body{"batch_norm", BatchNorm};
const Composite backward_body{"batch_norm_backward", Backward};

}  // namespace
}  // namespace sy
