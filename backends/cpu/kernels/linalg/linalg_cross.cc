// Products and differences are each rounded to the dtype, also to 16-bit floats.
// Source: ATen/native/cpu/CrossKernel.cpp.
#include <algorithm>

#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;  // vectors worth a thread

// x y - z w
template <class T>
T Minor(T x, T y, T z, T w) {
  if constexpr (std::is_integral_v<T>) {  // wraps around
    const auto u = [](T v) { return static_cast<uint64_t>(v); };
    return static_cast<T>(u(x) * u(y) - u(z) * u(w));
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    const auto f = [](T v) { return static_cast<float>(v); };
    return T(f(T(f(x) * f(y))) - f(T(f(z) * f(w))));
  } else {
    return x * y - z * w;
  }
}

void Cross(Call, const Tensor& out, const Tensor& self, const Tensor& other, int64_t dim) {
  if (out.numel() == 0) return;
  const auto stride = [](const Tensor& t, int64_t d) {
    return t.sizes()[d] == 1 ? 0 : t.strides()[d];
  };
  Outer<3> vectors;
  for (int64_t d = out.dim() - 1; d >= 0; --d) {
    if (d != dim)
      vectors.Add(out.sizes()[d], {out.strides()[d], stride(self, d), stride(other, d)});
  }
  const int64_t so = out.strides()[dim], sa = self.strides()[dim], sb = other.strides()[dim];
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = out.data<T>();
    const T *left = self.data<T>(), *right = other.data<T>();
    ParallelFor(vectors.count(), kGrain, [&](int64_t begin, int64_t end) {
      vectors.ForEach(begin, end, [&](const int64_t(&at)[3]) {
        const T *a = left + at[1], *b = right + at[2];
        const T a0 = a[0], a1 = a[sa], a2 = a[2 * sa], b0 = b[0], b1 = b[sb], b2 = b[2 * sb];
        T* o = to + at[0];
        o[0] = Minor(a1, b2, a2, b1);
        o[so] = Minor(a2, b0, a0, b2);
        o[2 * so] = Minor(a0, b1, a1, b0);
      });
    });
  });
}

const Kernel kernel{"linalg_cross", "cpu", kNumberTypes, Cross};

}  // namespace
}  // namespace sy::cpu
