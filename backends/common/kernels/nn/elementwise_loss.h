// Losses of pairs of elements, as they are or reduced to one.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidValue where binary_cross_entropy gets what is no probability: at once, or, on a
// device that computes later, at the next synchronising call.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_H_

#include <limits>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/loss.h"
#include "switchyard/ops/formulas/reduce.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy {

// out = the elements' sum or mean, computed in `dtype`.
template <class E>
void ReduceLosses(const Call& call, const Tensor& out, DType dtype, const Tensor& elements,
                  int64_t reduction) {
  if (reduction == kReduceMean && elements.numel() == 0)
    return E::Fill(call, out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  E::template Reduce<f::Sum>(
      call, dtype, elements, kAllDims, out,
      {reduction == kReduceMean ? ReduceFinish::kMean : ReduceFinish::kNothing});
}

template <class E>
struct ElementwiseLossKernels {
  // f(to): writes the losses of elements.
  template <class F>
  static void Reduced(const Call& call, const Tensor& out, const Tensor& self, const Tensor& target,
                      int64_t reduction, F f) {
    if (reduction == kReduceNone) return f(out);
    int64_t sizes[kMaxRank];
    const int rank = Broadcast(self.sizes(), target.sizes(), sizes, call.op());
    const Tensor elements =
        Tensor::Empty({sizes, static_cast<size_t>(rank)}, call.dtype(), out.device());
    if (elements.numel() != 0) f(elements);
    ReduceLosses<E>(call, out, call.dtype(), elements, reduction);
  }

  static void Squared(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                      int64_t reduction) {
    Reduced(call, out, self, target, reduction,
            [&](const Tensor& to) { Compute<E, f::SquaredDifference>(call, to, self, target); });
  }
  template <class Loss>
  static void WithParameter(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                            int64_t reduction, double parameter) {
    Reduced(call, out, self, target, reduction, [&](const Tensor& to) {
      ComputeWith<E, Loss>(call, to, {&self, &target}, {Scalar(parameter)});
    });
  }
  static void BinaryCrossEntropy(Call call, const Tensor& out, const Tensor& self,
                                 const Tensor& target, const Tensor& weight, int64_t reduction) {
    E::RequireProbabilities(call, self);
    E::RequireProbabilities(call, target);
    Reduced(call, out, self, target, reduction, [&](const Tensor& to) {
      Compute<E, f::BinaryCrossEntropy>(call, to, self, target);
      if (weight.defined()) Compute<E, f::Mul>(call, to, to, weight);
    });
  }

  Kernel mse{"mse_loss", E::kDevice, kFloatingTypes, Squared};
  Kernel smooth_l1{"smooth_l1_loss", E::kDevice, kFloatingTypes, WithParameter<f::SmoothL1>};
  Kernel huber{"huber_loss", E::kDevice, kFloatingTypes, WithParameter<f::Huber>};
  Kernel entropy{"binary_cross_entropy", E::kDevice, kFloatingTypes, BinaryCrossEntropy};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_ELEMENTWISE_LOSS_H_
