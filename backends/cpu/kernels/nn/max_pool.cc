#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/cpu/kernels/nn/pool.h"
#include "backends/cpu/random/widest.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/macros.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

template <class T>
bool IsNaN(T x) {
  return x != x;
}

// One element of the windows of a row of outputs: those from first to last - 1 have it. kPlaces:
// whether positions are wanted. kStep: the step, where it is known, which makes quicker loops.
template <class T, int64_t kStep, bool kPlaces>
SY_INLINE void TakeElement(const T* x, int64_t step, int64_t at, int64_t first, int64_t last,
                           T* most, int64_t* places) {
  if constexpr (kStep != 0) step = kStep;
  for (int64_t k = first; k < last; ++k) {
    const T value = x[k * step];
    const bool more = static_cast<int>(value > most[k]) | static_cast<int>(IsNaN(value));
    if constexpr (kPlaces) places[k] = more ? at + k * step : places[k];
    most[k] = more ? value : most[k];
  }
}
template <class T, bool kPlaces>
void TakeElementBy(const T* x, int64_t step, int64_t at, int64_t first, int64_t last, T* most,
                   int64_t* places) {
  if (step == 1) return Widest<TakeElement<T, 1, kPlaces>>(x, step, at, first, last, most, places);
  if (step == 2) return Widest<TakeElement<T, 2, kPlaces>>(x, step, at, first, last, most, places);
  TakeElement<T, 0, kPlaces>(x, step, at, first, last, most, places);
}

// A row of outputs, element by element of their windows.
template <class T>
void PoolRow(const Window& w, const Place& p, const T* plane, T* most, int64_t* places) {
  const int64_t n = w.outputs[2], in = w.inputs[2], stride = w.stride[2], step = w.dilation[2];
  const int64_t corner = (p.begin[0] * w.inputs[1] + p.begin[1]) * in;
  std::fill_n(most, n,
              std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                   : std::numeric_limits<T>::lowest());
  for (int64_t k = 0; places != nullptr && k < n; ++k) {
    int64_t begin = k * stride - w.padding[2];
    if (begin < 0) begin += (-begin + step - 1) / step * step;
    places[k] = corner + std::min(begin, in);
  }
  for (int64_t i = p.begin[0]; i < p.end[0]; i += p.step[0]) {
    for (int64_t j = p.begin[1]; j < p.end[1]; j += p.step[1]) {
      const int64_t row = (i * w.inputs[1] + j) * in;
      for (int64_t c = 0; c < w.kernel[2]; ++c) {
        // Outputs whose element lies within the row: 0 <= k stride + from < in.
        const int64_t from = c * step - w.padding[2];
        const int64_t first = from >= 0 ? 0 : (-from + stride - 1) / stride;
        const int64_t last = std::min(n, from >= in ? 0 : (in - 1 - from) / stride + 1);
        const auto take = places != nullptr ? TakeElementBy<T, true> : TakeElementBy<T, false>;
        take(plane + row + from, stride, row + from, first, last, most, places);
      }
    }
  }
}

// indices: undefined where they are not wanted.
void Run(const Window& w, bool adaptive, const Tensor& out, const Tensor& indices,
         const Tensor& self) {
  if (out.numel() == 0) return;
  const DType d = PoolType(self.dtype());
  const Tensor in = Dense(self, d);
  const auto pool = [&](const Tensor& to, int64_t* places) {
    VisitDType<Mask(DType::kInt64, DType::kFloat32, DType::kFloat64)>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* all = in.data<T>();
      T* result = to.data<T>();
      if (!adaptive) {
        ForEachRow(w, adaptive, [&](const Place& p) {
          PoolRow(w, p, all + p.plane * w.input_count(), result + p.output,
                  places != nullptr ? places + p.output : nullptr);
        });
        return;
      }
      ForEachWindow(w, adaptive, [&](const Place& p) {
        const T* x = all + p.plane * w.input_count();
        int64_t at = (p.begin[0] * w.inputs[1] + p.begin[1]) * w.inputs[2] + p.begin[2];
        T most = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                      : std::numeric_limits<T>::lowest();
        ForEachElement(w, p, [&](int64_t i) {
          if (x[i] > most || IsNaN(x[i])) {
            most = x[i];
            at = i;
          }
        });
        result[p.output] = most;
        if (places != nullptr) places[p.output] = at;
      });
    });
  };
  IntoDense(out, d, [&](const Tensor& to) {
    if (!indices.defined()) return pool(to, nullptr);
    IntoDense(indices, DType::kInt64,
              [&](const Tensor& places) { pool(to, places.data<int64_t>()); });
  });
}

template <int kDims>
void MaxPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, IntSpan dilation, bool ceil) {
  Run(Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil), false, out,
      Tensor(), self);
}
template <int kDims>
void WithIndices(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                 IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil) {
  Run(Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil), false, out,
      indices, self);
}
template <int kDims>
void Adaptive(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
              IntSpan output_size) {
  Run(Window::OfAdaptive(call.op(), self, kDims, output_size), true, out, indices, self);
}

const Kernel max1d{"max_pool1d", "cpu", kRealTypes, MaxPool<1>};
const Kernel max2d{"max_pool2d", "cpu", kRealTypes, MaxPool<2>};
const Kernel max3d{"max_pool3d", "cpu", kRealTypes, MaxPool<3>};
const Kernel indices1d{"max_pool1d_with_indices", "cpu", kRealTypes, WithIndices<1>};
const Kernel indices2d{"max_pool2d_with_indices", "cpu", kRealTypes, WithIndices<2>};
const Kernel indices3d{"max_pool3d_with_indices", "cpu", kRealTypes, WithIndices<3>};
const Kernel adaptive1d{"adaptive_max_pool1d", "cpu", kRealTypes, Adaptive<1>};
const Kernel adaptive2d{"adaptive_max_pool2d", "cpu", kRealTypes, Adaptive<2>};
const Kernel adaptive3d{"adaptive_max_pool3d", "cpu", kRealTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cpu
