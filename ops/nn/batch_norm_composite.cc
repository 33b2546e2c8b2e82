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
Tensor NoReserve(const Tensor& input) {
  return empty({0}, DType::kUInt8, ::std::nullopt, input.device());
}
Four WithUpdate(Call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                const Tensor& running_mean, const Tensor& running_var, double momentum,
                double eps) {
  auto [out, mean, factor] =
      _native_batch_norm_legit(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, factor, NoReserve(input)};
}
void WithUpdateOut(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                   const Tensor& running_mean, const Tensor& running_var, double momentum,
                   double eps, const Tensor& out, const Tensor& save_mean,
                   const Tensor& save_invstd, const Tensor& reserve) {
  if (reserve.dtype() != DType::kUInt8) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"reserve must be ", DType::kUInt8, ", got ", reserve.dtype()});
  }
  _native_batch_norm_legit_out(out, save_mean, save_invstd, input, weight, bias, running_mean,
                               running_var, true, momentum, eps);
  resize_(reserve, {0});
}
::std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> LegitFunctional(
    Call, const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps) {
  const Tensor means = clone(running_mean), variances = clone(running_var);
  auto [out, mean, factor] =
      _native_batch_norm_legit(input, weight, bias, means, variances, training, momentum, eps);
  return {out, mean, factor, means, variances};
}
::std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> WithUpdateFunctional(
    Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
    const Tensor& running_mean, const Tensor& running_var, double momentum, double eps) {
  auto [out, mean, factor, means, variances] =
      LegitFunctional(call, input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, factor, NoReserve(input), means, variances};
}
Three NoTraining(Call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                 const Tensor& running_mean, const Tensor& running_var, double momentum,
                 double eps) {
  return _native_batch_norm_legit(input, weight, bias, running_mean, running_var, false, momentum,
                                  eps);
}
Four NoUpdate(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
              const Tensor& running_mean, const Tensor& running_var, double momentum, double eps) {
  auto [out, mean, factor] =
      NativeBatchNorm(call, input, weight, bias, running_mean, running_var, false, momentum, eps);
  return {out, mean, factor, NoReserve(input)};
}
Tensor BatchNorm(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                 const Tensor& running_mean, const Tensor& running_var, bool training,
                 double momentum, double eps, bool) {
  return ::std::get<0>(NativeBatchNorm(call, input, weight, bias, running_mean, running_var,
                                       training, momentum, eps));
}
const Composite native_body{"native_batch_norm", NativeBatchNorm};
const Composite native_out_body{"native_batch_norm.out", NativeBatchNormOut};
const Composite with_update_body{"_batch_norm_with_update", WithUpdate};
const Composite with_update_out_body{"_batch_norm_with_update.out", WithUpdateOut};
const Composite with_update_functional_body{"_batch_norm_with_update_functional",
                                            WithUpdateFunctional};
const Composite legit_functional_body{"_native_batch_norm_legit_functional", LegitFunctional};
const Composite no_training_body{"_native_batch_norm_legit_no_training", NoTraining};
const Composite no_update_body{"_batch_norm_no_update", NoUpdate};
const Composite batch_norm_body{"batch_norm", BatchNorm};

}  // namespace
}  // namespace sy
