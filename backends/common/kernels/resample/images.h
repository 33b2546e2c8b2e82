// What kernels that pad and resample walk over: images as row-major [planes, d, h, w, inner], the
// missing ones of three dimensions with sizes 1. Channels that lie innermost are `inner`.
//
//   const Images images(self, out, 2);
//   const Tensor from = images.Rows(self), to = images.Rows(out);   // row-major where format holds
//
// Owns: nothing but views. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_IMAGES_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_IMAGES_H_

#include "switchyard/backends/common/views.h"
#include "switchyard/core/tensor.h"

namespace sy {

struct Images {
  int dims;
  bool channels_last;
  int64_t planes, inner;
  int64_t inputs[3], outputs[3];

  // Of images `input` and what becomes of them, whose last `image_dims` dimensions differ.
  // lies_as: the one whose format is kept.
  Images(const Tensor& input, const Tensor& output, int image_dims, const Tensor& lies_as)
      : dims(image_dims), channels_last(ChannelsLast(lies_as, image_dims)), planes(1), inner(1) {
    const int64_t before = input.dim() - dims;
    for (int64_t d = 0; d < before; ++d) {
      (channels_last && d == before - 1 ? inner : planes) *= input.sizes()[d];
    }
    for (int d = 0; d < 3; ++d) {
      const bool missing = d < 3 - dims;
      inputs[d] = missing ? 1 : input.sizes()[before + d - (3 - dims)];
      outputs[d] = missing ? 1 : output.sizes()[before + d - (3 - dims)];
    }
  }
  // t with its dimensions as they are walked over.
  Tensor Rows(const Tensor& t) const { return channels_last ? WithLast(t, 1) : t; }

 private:
  static bool ChannelsLast(const Tensor& t, int dims) {
    return dims > 1 && t.dim() == dims + 2 && t.sizes()[1] > 1 && !t.is_contiguous() &&
           t.suggest_memory_format() != MemoryFormat::kContiguous;
  }
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_IMAGES_H_
