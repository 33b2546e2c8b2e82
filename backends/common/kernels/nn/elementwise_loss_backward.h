// What the losses of elements pass back.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_BACKWARD_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_BACKWARD_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/loss.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy {

template <class E>
struct ElementwiseLossBackwardKernels {
  // What of a loss's gradient an element gets, times `of_one`.
  static Scalar Norm(double of_one, const Tensor& self, int64_t reduction) {
    return Scalar(reduction == kReduceMean ? of_one / static_cast<double>(self.numel()) : of_one);
  }

  static void Squared(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                      const Tensor& target, int64_t reduction) {
    ComputeWith<E, f::SquaredDifferenceBackward>(call, out, {&grad, &self, &target},
                                                 {Norm(2, self, reduction)});
  }
  template <class Loss>
  static void WithParameter(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                            const Tensor& target, int64_t reduction, double parameter) {
    ComputeWith<E, Loss>(call, out, {&grad, &self, &target},
                         {Norm(1, self, reduction), Scalar(parameter)});
  }
  static void BinaryCrossEntropy(Call call, const Tensor& out, const Tensor& grad,
                                 const Tensor& self, const Tensor& target, const Tensor& weight,
                                 int64_t reduction) {
    Compute<E, f::BinaryCrossEntropyBackward>(call, out, grad, self, target);
    if (weight.defined()) Compute<E, f::Mul>(call, out, out, weight);
    if (reduction == kReduceMean)
      Compute<E, f::Div>(call, out, out, NumberTensor(Scalar(self.numel())));
  }
  static void SoftMargin(Call call, const Tensor& out, const Tensor& grad, const Tensor& self,
                         const Tensor& target, int64_t reduction) {
    ComputeWith<E, f::SoftMarginBackward>(call, out, {&grad, &self, &target},
                                          {Norm(1, self, reduction)});
  }

  Kernel mse{"mse_loss_backward", E::kDevice, kFloatingTypes, Squared};
  Kernel smooth_l1{"smooth_l1_loss_backward", E::kDevice, kFloatingTypes,
                   WithParameter<f::SmoothL1Backward>};
  Kernel huber{"huber_loss_backward", E::kDevice, kFloatingTypes, WithParameter<f::HuberBackward>};
  Kernel entropy{"binary_cross_entropy_backward", E::kDevice, kFloatingTypes, BinaryCrossEntropy};
  Kernel soft_margin{"soft_margin_loss_backward", E::kDevice, kFloatingTypes, SoftMargin};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_BACKWARD_H_
