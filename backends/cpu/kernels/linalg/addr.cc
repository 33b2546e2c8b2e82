// Each step is rounded to the common dtype. Source: ATen/native/cpu/LinearAlgebraKernel.cpp.
#include <algorithm>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

template <class T>
T Times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return T(a * b);
  }
}
template <class T>
T Plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return T(a + b);
  }
}

Tensor As(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  Tensor copy = Tensor::Empty(t.sizes(), dtype);
  CopyElements(copy, t);
  return copy;
}

void Addr(Call, const Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2,
          const Scalar& beta, const Scalar& alpha) {
  if (out.numel() == 0) return;
  const DType dtype = out.dtype();
  const Tensor x = As(self, dtype), left = As(vec1, dtype), right = As(vec2, dtype);
  const int64_t m = out.sizes()[0], n = out.sizes()[1];
  const auto stride = [&](int64_t from_last) {
    const int64_t d = x.dim() - 1 - from_last;
    return d < 0 || x.sizes()[d] == 1 ? 0 : x.strides()[d];
  };
  const int64_t xr = stride(1), xc = stride(0), ro = out.strides()[0], co = out.strides()[1],
                sl = left.strides()[0], sr = right.strides()[0];
  VisitDType<kNumberOrBoolTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T b = beta.To<T>(), a = alpha.To<T>();
    const bool reads = !beta.is_zero();
    T* to = out.data<T>();
    const T *from = x.data<T>(), *v1 = left.data<T>(), *v2 = right.data<T>();
    ParallelFor(m, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T factor = Times(a, v1[i * sl]);
        if (reads && xc == 1 && co == 1 && sr == 1) {
          T* row = to + i * ro;
          const T* x_row = from + i * xr;
          for (int64_t j = 0; j < n; ++j) row[j] = Plus(Times(b, x_row[j]), Times(factor, v2[j]));
          continue;
        }
        for (int64_t j = 0; j < n; ++j) {
          const T product = Times(factor, v2[j * sr]);
          T& place = to[i * ro + j * co];
          place = reads ? Plus(Times(b, from[i * xr + j * xc]), product) : product;
        }
      }
    });
  });
}

const Kernel kernel{"addr", "cpu", kNumberOrBoolTypes, Addr};

}  // namespace
}  // namespace sy::cpu
