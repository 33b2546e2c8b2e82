// Borders of a tensor's own elements, and their gradients. E::Pad and E::PadBackward are given rows
// of images, and where the elements of each dimension come from.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_PADDING_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_PADDING_H_

#include "switchyard/backends/common/kernels/resample/images.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/resample.h"
#include "switchyard/ops/resample/padding.h"

namespace sy {

struct Padding {
  int64_t planes, inner;
  f::PadAxis axis[3];

  Padding(const Images& images, IntSpan widths, bool mirrored)
      : planes(images.planes), inner(images.inner) {
    for (int d = 0; d < 3; ++d) {
      const int from_last = 2 - d;  // widths begin with the last dimension
      const int64_t left = from_last < images.dims ? widths[static_cast<size_t>(2 * from_last)] : 0;
      axis[d] = {images.inputs[d], images.outputs[d], left, mirrored};
    }
  }
};

template <class E>
struct PaddingKernels {
  template <int kDims, bool kMirrored>
  static void Pad(Call call, const Tensor& out, const Tensor& self, IntSpan padding) {
    if (out.numel() == 0) return;
    const Images images(self, out, kDims, self);
    E::Pad(call, Padding(images, padding, kMirrored), images.Rows(out), images.Rows(self));
  }
  template <int kDims, bool kMirrored>
  static void PadBackward(Call call, const Tensor& grad, const Tensor& grad_output,
                          const Tensor& /*self*/, IntSpan padding) {
    if (grad.numel() == 0) return;
    const Images images(grad, grad_output, kDims, grad);
    E::PadBackward(call, Padding(images, padding, kMirrored), images.Rows(grad),
                   images.Rows(grad_output));
  }

  Kernel reflection1{"reflection_pad1d", E::kDevice, kPaddedTypes, Pad<1, true>};
  Kernel reflection2{"reflection_pad2d", E::kDevice, kPaddedTypes, Pad<2, true>};
  Kernel reflection3{"reflection_pad3d", E::kDevice, kPaddedTypes, Pad<3, true>};
  Kernel replication1{"replication_pad1d", E::kDevice, kPaddedTypes, Pad<1, false>};
  Kernel replication2{"replication_pad2d", E::kDevice, kPaddedTypes, Pad<2, false>};
  Kernel replication3{"replication_pad3d", E::kDevice, kPaddedTypes, Pad<3, false>};

  Kernel reflection1_backward{"reflection_pad1d_backward", E::kDevice, kPaddedGradTypes,
                              PadBackward<1, true>};
  Kernel reflection2_backward{"reflection_pad2d_backward", E::kDevice, kPaddedGradTypes,
                              PadBackward<2, true>};
  Kernel reflection3_backward{"reflection_pad3d_backward", E::kDevice, kPaddedGradTypes,
                              PadBackward<3, true>};
  Kernel replication1_backward{"replication_pad1d_backward", E::kDevice, kPaddedGradTypes,
                               PadBackward<1, false>};
  Kernel replication2_backward{"replication_pad2d_backward", E::kDevice, kPaddedGradTypes,
                               PadBackward<2, false>};
  Kernel replication3_backward{"replication_pad3d_backward", E::kDevice, kPaddedGradTypes,
                               PadBackward<3, false>};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_PADDING_H_
