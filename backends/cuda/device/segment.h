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

// What is passed back, a segment's inner position a thread; out is zero but for what this writes.
// Those that share an extreme share its gradient only where it is positive: as ATen has it.
template <class T, int kHow>
SY_FN void SegmentReduceBackward(const SegmentArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.batches * args.segments * args.inner) return;
  const long long segment = i / args.inner, batch = segment / args.segments;
  const Int64* bound = static_cast<const Int64*>(args.bounds) + batch * (args.segments + 1) +
                       segment % args.segments;
  const long long first = (batch * args.length + bound[0]) * args.inner + i % args.inner,
                  n = bound[1] - bound[0];
  const T* data = static_cast<const T*>(args.data) + first;
  T* out = static_cast<T*>(args.out) + first;
  using V = decltype(Lift(T()));
  const auto at = [&](long long k) { return Lift(data[k * args.inner]); };
  const V grad = Lift(static_cast<const T*>(args.grad)[i]),
          output = Lift(static_cast<const T*>(args.output)[i]);
  const V zero(static_cast<typename V::Element>(0));
  const auto number = [](long long k) { return V(static_cast<typename V::Element>(k)); };
  const auto is = [&](long long k) { return at(k) == output || isnan(at(k)); };
  V part = grad;
  if constexpr (kHow == kSegmentMean) part = grad / number(n);
  if constexpr (kHow == kSegmentMin || kHow == kSegmentMax) {
    long long count = 0;
    for (long long k = 0; k < n; ++k) count += is(k) ? 1 : 0;
    if (count > 1 && grad > zero) part = grad / number(count);
  }
  for (long long k = 0; k < n; ++k) {
    V value = part;
    if constexpr (kHow == kSegmentMin || kHow == kSegmentMax) {
      if (!is(k)) value = zero;
    } else if constexpr (kHow == kSegmentProduct) {
      const V x = at(k);
      if (x == zero || isnan(x)) {
        V others = Lift(At<T>(&args.initial, 0));
        for (long long j = 0; j < n; ++j) {
          if (j != k) others = others * at(j);
        }
        value = grad * others;
      } else {
        value = grad * output / x;
      }
    }
    out[k * args.inner] = Lower<T>(value);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SEGMENT_H_
