// What activations pass back, where that is a formula or another, or two.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_BACKWARD_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_BACKWARD_H_

#include <optional>
#include <string_view>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

template <class E>
struct BackwardKernels {
  static void Gelu(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                   std::string_view approximate) {
    if (approximate == "tanh") return Compute<E, f::GeluTanhBackward>(call, out, grad, self);
    Compute<E, f::GeluBackward>(call, out, grad, self);
  }
  static void Logit(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                    std::optional<double> eps) {
    // Source: ATen's logit_backward_kernel: a negative eps limits nothing.
    if (!eps || *eps < 0) return Compute<E, f::LogitBackward>(call, out, grad, self);
    // Limits in the precision of the computation.
    VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto low = static_cast<double>(T(*eps));
      ComputeWith<E, f::LogitBackwardBetween>(
          call, out, {&grad, &self}, {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
    });
  }
  static void LeakyRelu(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                        const Scalar& slope, bool /*self_is_result*/) {
    ComputeWith<E, f::LeakyReluBackward>(call, out, {&grad, &self}, {slope});
  }
  static void Elu(Call call, const Tensor& out, const Tensor& grad, const Scalar& alpha,
                  const Scalar& scale, const Scalar& input_scale, bool is_result, const Tensor& x) {
    if (is_result) {
      return ComputeWith<E, f::EluBackwardOfResult>(call, out, {&grad, &x},
                                                    {alpha, scale, input_scale});
    }
    ComputeWith<E, f::EluBackward>(call, out, {&grad, &x}, {alpha, scale, input_scale});
  }
  static void Glu(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                  int64_t dim) {
    const auto d = static_cast<size_t>(dim);
    const auto half = [&](const Tensor& t, int64_t first) {
      return t.AsStrided(grad.sizes(), t.strides(), t.storage_offset() + first * t.strides()[d]);
    };
    const int64_t n = grad.sizes()[d];
    const Tensor a = half(self, 0), b = half(self, n);
    Compute<E, f::GluBackward>(call, half(out, 0), grad, b);
    Compute<E, f::GluBackwardOfGate>(call, half(out, n), grad, a, b);
  }
  static void LogSigmoidForward(Call call, const Tensor& out, const Tensor& buffer,
                                const Tensor& self) {
    Compute<E, f::ExpOfMinusMagnitude>(call, buffer, self);
    Compute<E, f::LogSigmoid>(call, out, self);
  }
  static void Prelu(Call call, const Tensor& to_self, const Tensor& to_weight, const Tensor& grad,
                    const Tensor& self, const Tensor& weight) {
    Compute<E, f::PreluBackward>(call, to_self, grad, self, weight);
    Compute<E, f::PreluBackwardOfWeight>(call, to_weight, grad, self);
  }

  Kernel gelu{"gelu_backward", E::kDevice, kFloatingTypes, Gelu};
  Kernel logit{"logit_backward", E::kDevice, kFloatingTypes, Logit};
  Kernel leaky_relu{"leaky_relu_backward", E::kDevice, kFloatingTypes, LeakyRelu};
  Kernel elu{"elu_backward", E::kDevice, kFloatingTypes, Elu};
  Kernel glu{"glu_backward", E::kDevice, kFloatingTypes, Glu};
  Kernel log_sigmoid{"log_sigmoid_forward", E::kDevice, kFloatingTypes, LogSigmoidForward};
  Kernel prelu{"_prelu_kernel_backward", E::kDevice, kFloatingTypes, Prelu};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_BACKWARD_H_
