// Images of other sizes, and what that passes back. E::Gather moves elements, E::Resample weights
// them, E::ResampleBytes does so in integers, E::ResampleBackward distributes gradients.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_UPSAMPLE_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_UPSAMPLE_H_

#include "switchyard/backends/common/kernels/resample/resampling.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/resample/upsample.h"

namespace sy {

template <class E>
struct UpsampleKernels {
  template <int kMode, class... Factors>
  static void Nearest(Call call, const Tensor& out, const Tensor& self, IntSpan /*output_size*/,
                      Factors... scales) {
    Forward<kMode>(call, out, self, false, {scales...});
  }
  template <int kMode, class... Factors>
  static void Weighted(Call call, const Tensor& out, const Tensor& self, IntSpan /*output_size*/,
                       bool align_corners, Factors... scales) {
    Forward<kMode>(call, out, self, align_corners, {scales...});
  }
  template <int kMode, class... Factors>
  static void NearestBackward(Call call, const Tensor& grad, const Tensor& grad_output,
                              IntSpan /*output_size*/, IntSpan /*input_size*/, Factors... scales) {
    Backward<kMode>(call, grad, grad_output, false, {scales...});
  }
  template <int kMode, class... Factors>
  static void WeightedBackward(Call call, const Tensor& grad, const Tensor& grad_output,
                               IntSpan /*output_size*/, IntSpan /*input_size*/, bool align_corners,
                               Factors... scales) {
    Backward<kMode>(call, grad, grad_output, align_corners, {scales...});
  }

 private:
  template <int kMode>
  static void Forward(Call call, const Tensor& out, const Tensor& self, bool align_corners,
                      std::initializer_list<Factor> scales) {
    if (out.numel() == 0) return;
    const Images images(self, out, static_cast<int>(scales.size()), self);
    const Resampling plan(images, {kMode, align_corners, false, out.dtype()}, scales.begin());
    const Tensor to = images.Rows(out), from = images.Rows(self);
    if constexpr (kMode == f::kNearest || kMode == f::kNearestExact) {
      E::Gather(call, plan, to, from);
    } else if (out.dtype() == DType::kUInt8) {
      E::ResampleBytes(call, plan, to, from);
    } else {
      E::Resample(call, plan, to, from);
    }
  }
  template <int kMode>
  static void Backward(Call call, const Tensor& grad, const Tensor& grad_output, bool align_corners,
                       std::initializer_list<Factor> scales) {
    if (grad.numel() == 0) return;
    const Images images(grad, grad_output, static_cast<int>(scales.size()), grad);
    const Resampling plan(images, {kMode, align_corners, true, grad.dtype()}, scales.begin());
    E::ResampleBackward(call, plan, images.Rows(grad), images.Rows(grad_output));
  }
  using F = Factor;

 public:
  Kernel nearest1{"upsample_nearest1d", E::kDevice, kByteOrFloatingTypes, Nearest<f::kNearest, F>};
  Kernel nearest1_backward{"upsample_nearest1d_backward", E::kDevice, kFloatingTypes,
                           NearestBackward<f::kNearest, F>};
  Kernel nearest2{"upsample_nearest2d", E::kDevice, kByteOrFloatingTypes,
                  Nearest<f::kNearest, F, F>};
  Kernel nearest2_backward{"upsample_nearest2d_backward", E::kDevice, kFloatingTypes,
                           NearestBackward<f::kNearest, F, F>};
  Kernel nearest3{"upsample_nearest3d", E::kDevice, kByteOrFloatingTypes,
                  Nearest<f::kNearest, F, F, F>};
  Kernel nearest3_backward{"upsample_nearest3d_backward", E::kDevice, kFloatingTypes,
                           NearestBackward<f::kNearest, F, F, F>};
  Kernel exact1{"_upsample_nearest_exact1d", E::kDevice, kByteOrFloatingTypes,
                Nearest<f::kNearestExact, F>};
  Kernel exact1_backward{"_upsample_nearest_exact1d_backward", E::kDevice, kFloatingTypes,
                         NearestBackward<f::kNearestExact, F>};
  Kernel exact2{"_upsample_nearest_exact2d", E::kDevice, kByteOrFloatingTypes,
                Nearest<f::kNearestExact, F, F>};
  Kernel exact2_backward{"_upsample_nearest_exact2d_backward", E::kDevice, kFloatingTypes,
                         NearestBackward<f::kNearestExact, F, F>};
  Kernel exact3{"_upsample_nearest_exact3d", E::kDevice, kByteOrFloatingTypes,
                Nearest<f::kNearestExact, F, F, F>};
  Kernel exact3_backward{"_upsample_nearest_exact3d_backward", E::kDevice, kFloatingTypes,
                         NearestBackward<f::kNearestExact, F, F, F>};
  Kernel linear1{"upsample_linear1d", E::kDevice, kFloatingTypes, Weighted<f::kLinear, F>};
  Kernel linear1_backward{"upsample_linear1d_backward", E::kDevice, kFloatingTypes,
                          WeightedBackward<f::kLinear, F>};
  Kernel linear2{"upsample_bilinear2d", E::kDevice, kByteOrFloatingTypes,
                 Weighted<f::kLinear, F, F>};
  Kernel linear2_backward{"upsample_bilinear2d_backward", E::kDevice, kFloatingTypes,
                          WeightedBackward<f::kLinear, F, F>};
  Kernel linear3{"upsample_trilinear3d", E::kDevice, kFloatingTypes, Weighted<f::kLinear, F, F, F>};
  Kernel linear3_backward{"upsample_trilinear3d_backward", E::kDevice, kFloatingTypes,
                          WeightedBackward<f::kLinear, F, F, F>};
  Kernel cubic{"upsample_bicubic2d", E::kDevice, kByteOrFloatingTypes, Weighted<f::kCubic, F, F>};
  Kernel cubic_backward{"upsample_bicubic2d_backward", E::kDevice, kFloatingTypes,
                        WeightedBackward<f::kCubic, F, F>};
  Kernel linear_area{"_upsample_bilinear2d_aa", E::kDevice, kAreaTypes,
                     Weighted<f::kLinearArea, F, F>};
  Kernel linear_area_backward{"_upsample_bilinear2d_aa_backward", E::kDevice, kAreaGradTypes,
                              WeightedBackward<f::kLinearArea, F, F>};
  Kernel cubic_area{"_upsample_bicubic2d_aa", E::kDevice, kAreaTypes,
                    Weighted<f::kCubicArea, F, F>};
  Kernel cubic_area_backward{"_upsample_bicubic2d_aa_backward", E::kDevice, kAreaGradTypes,
                             WeightedBackward<f::kCubicArea, F, F>};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_UPSAMPLE_H_
