// Parts of a fixed length are summed by themselves, then their sums: the result does not depend on
// the number of threads.
#include <algorithm>
#include <climits>
#include <memory>
#include <type_traits>

#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kPart = 1 << 15;  // elements

template <class T>
struct Vector {
  const T* data;
  int64_t stride;
};

// What products of T are summed in.
template <class T>
auto Sum() {
  if constexpr (std::is_integral_v<T>) {
    return uint64_t{};  // wraps around
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return float{};
  } else {
    return T{};
  }
}

template <class T>
auto Plain(Vector<T> a, Vector<T> b, int64_t n) {
  using S = decltype(Sum<T>());
  S sums[8] = {};  // independent, for the processor to overlap
  for (int64_t i = 0; i < n; ++i)
    sums[i % 8] += static_cast<S>(a.data[i * a.stride]) * static_cast<S>(b.data[i * b.stride]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class T>
auto DotPart(Vector<T> a, Vector<T> b, int64_t n) {
  [[maybe_unused]] const OpenBlas* blas = OpenBlas::Get();
  if (blas == nullptr || std::max(a.stride, b.stride) > INT_MAX) return Plain(a, b, n);
  // OpenBLAS's kernels of strided complex vectors read on past their ends.
  if (!std::is_floating_point_v<T> && (a.stride != 1 || b.stride != 1)) return Plain(a, b, n);
  [[maybe_unused]] const int m = static_cast<int>(n), x = static_cast<int>(a.stride),
                             y = static_cast<int>(b.stride);
  [[maybe_unused]] T sum{};
  if constexpr (std::is_same_v<T, float>) {
    return blas->sdot(m, a.data, x, b.data, y);
  } else if constexpr (std::is_same_v<T, double>) {
    return blas->ddot(m, a.data, x, b.data, y);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    blas->cdotu(m, a.data, x, b.data, y, &sum);
    return sum;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    blas->zdotu(m, a.data, x, b.data, y, &sum);
    return sum;
  } else {
    return Plain(a, b, n);
  }
}

template <class T>
T DotOf(Vector<T> a, Vector<T> b, int64_t n) {
  using S = decltype(Sum<T>());
  if (n <= kPart) return static_cast<T>(DotPart(a, b, n));
  const int64_t parts = (n + kPart - 1) / kPart;
  const std::unique_ptr<S[]> sums(new S[static_cast<size_t>(parts)]);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      sums[i] = DotPart(Vector<T>{a.data + i * kPart * a.stride, a.stride},
                        Vector<T>{b.data + i * kPart * b.stride, b.stride},
                        std::min(kPart, n - i * kPart));
    }
  });
  S total{};
  for (int64_t i = 0; i < parts; ++i) total += sums[i];
  return static_cast<T>(total);
}

void Dot(Call, const Tensor& out, const Tensor& self, const Tensor& tensor) {
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    *out.data<T>() = DotOf(Vector<T>{self.data<T>(), self.strides()[0]},
                           Vector<T>{tensor.data<T>(), tensor.strides()[0]}, self.numel());
  });
}

const Kernel kernel{"dot", "cpu", kNumberTypes, Dot};

}  // namespace
}  // namespace sy::cpu
