// What padding and resampling compute with on the host (backends/common/kernels/resample.h): rows
// of images, [planes, d, h, w, inner].
//
// Owns: nothing. Threads: rows in parallel, of gradients planes.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_RESAMPLE_RESAMPLER_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_RESAMPLE_RESAMPLER_H_

#include "switchyard/backends/common/kernels/resample.h"

namespace sy::cpu {

struct Resampler {
  static constexpr char kDevice[] = "cpu";

  static void Pad(Call call, const Padding& padding, const Tensor& out, const Tensor& self);
  static void PadBackward(Call call, const Padding& padding, const Tensor& grad,
                          const Tensor& grad_output);
  static void Gather(Call call, const Resampling& plan, const Tensor& out, const Tensor& self);
  static void Resample(Call call, const Resampling& plan, const Tensor& out, const Tensor& self);
  static void ResampleBytes(Call call, const Resampling& plan, const Tensor& out,
                            const Tensor& self);
  static void ResampleBackward(Call call, const Resampling& plan, const Tensor& grad,
                               const Tensor& grad_output);
};

// The fewest iterations worth a thread, of so many elements each.
inline int64_t GrainOf(int64_t elements) {
  return std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, elements));
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_RESAMPLE_RESAMPLER_H_
