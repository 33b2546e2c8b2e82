#include <cmath>
#include <limits>

#include "backends/cpu/kernels/nn/pool.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

template <class T>
bool IsNaN(T x) {
  return x != x;
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
