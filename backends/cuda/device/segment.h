// Segments of rows become one each, an element a thread, in the rows' order.
// Source: ATen/native/SegmentReduce.cpp, which combines in the dtype of the data.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SEGMENT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SEGMENT_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

enum SegmentHow { kSegmentSum, kSegmentMean, kSegmentMin, kSegmentMax, kSegmentProduct };

template <class T, int kHow>
SY_FN void SegmentReduce(const SegmentArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.batches * args.segments * args.inner) return;
  const long long segment = i / args.inner, batch = segment / args.segments;
  const Int64* bound = static_cast<const Int64*>(args.bounds) + batch * (args.segments + 1) +
                       segment % args.segments;
  const T* x = static_cast<const T*>(args.data) + batch * args.length * args.inner + i % args.inner;
  T state = At<T>(&args.initial, 0);
  for (long long k = bound[0]; k < bound[1]; ++k) {
    const auto a = Lift(state), b = Lift(x[k * args.inner]);
    if constexpr (kHow == kSegmentMin) {
      state = Lower<T>(select(b < a || isnan(b), b, a));
    } else if constexpr (kHow == kSegmentMax) {
      state = Lower<T>(select(b > a || isnan(b), b, a));
    } else if constexpr (kHow == kSegmentProduct) {
      state = Lower<T>(a * b);
    } else {
      state = Lower<T>(a + b);
    }
  }
  if constexpr (kHow == kSegmentMean) {
    const long long n = bound[1] - bound[0];
    if (n > 0) {
      state = Lower<T>(Lift(state) / Lift(Convert<T>(n)));
    } else if (!args.has_initial) {
      state = Convert<T>(__builtin_nan(""));
    }
  }
  static_cast<T*>(args.out)[i] = state;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SEGMENT_H_
