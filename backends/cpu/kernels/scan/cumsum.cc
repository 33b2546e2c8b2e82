// cumsum and cumprod.
// Source of what is accumulated in what: ATen/native/cpu/ReduceOpsKernel.cpp: sums and products of
// float in double, of 16-bit floats in float.
#include <algorithm>
#include <complex>
#include <type_traits>

#include "backends/cpu/kernels/scan/strips.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

template <class T>
struct Accumulated {
  using type = T;
};
template <>
struct Accumulated<Half> {
  using type = float;
};
template <>
struct Accumulated<BFloat16> {
  using type = float;
};
template <>
struct Accumulated<float> {
  using type = double;
};
template <>
struct Accumulated<std::complex<float>> {
  using type = std::complex<double>;
};

template <class W, bool kMultiply>
SY_INLINE W Step(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return static_cast<W>(kMultiply ? uint64_t{a} * b : uint64_t{a} + b);
  } else if constexpr (kMultiply && !std::is_floating_point_v<W>) {
    // As mul does: the standard library's product makes infinities of some NaNs.
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return kMultiply ? a * b : a + b;
  }
}

// kLines lines, which follow memory; Stride: int64_t, or 1 as a constant.
template <class T, bool kMultiply, int kLines, class Stride>
void AccumulateLines(T* to, const T* from, Strip<2> s, Stride to_next, Stride from_next) {
  using W = typename Accumulated<T>::type;
  W sums[kLines];
  std::fill_n(sums, kLines, W(kMultiply ? 1 : 0));
  const auto step = [&](int k, int64_t i) {
    sums[k] = Step<W, kMultiply>(sums[k], static_cast<W>(from[k * s.beside[1] + i * from_next]));
    to[k * s.beside[0] + i * to_next] = static_cast<T>(sums[k]);
  };
  int64_t i = 0;
  for (; i + 2 <= s.n; i += 2) {  // two stores into the same line of the cache cost as one
#pragma GCC unroll 4
    for (int k = 0; k < kLines; ++k) {
      step(k, i);
      step(k, i + 1);
    }
  }
  if (i < s.n) {
    for (int k = 0; k < kLines; ++k) step(k, i);
  }
}
template <class T, bool kMultiply, class Stride>
void AccumulateRows(T* to, const T* from, Strip<2> s, Stride to_next, Stride from_next) {
  if (s.width == kRows)
    return AccumulateLines<T, kMultiply, kRows>(to, from, s, to_next, from_next);
  for (int64_t k = 0; k < s.width; ++k) {
    AccumulateLines<T, kMultiply, 1>(to + k * s.beside[0], from + k * s.beside[1], s, to_next,
                                     from_next);
  }
}

template <class T, bool kMultiply>
void Accumulate(void* out, const void* self, Strip<2> s) {
  using W = typename Accumulated<T>::type;
  T* to = static_cast<T*>(out) + s.at[0];
  const T* from = static_cast<const T*>(self) + s.at[1];
  if (s.rows) {
    constexpr std::integral_constant<int64_t, 1> one;
    if (s.along[0] == 1 && s.along[1] == 1)
      return AccumulateRows<T, kMultiply>(to, from, s, one, one);
    return AccumulateRows<T, kMultiply>(to, from, s, s.along[0], s.along[1]);
  }
  W sums[kWidth];
  std::fill_n(sums, s.width, W(kMultiply ? 1 : 0));
  for (int64_t i = 0; i < s.n; ++i) {
    T* row = to + i * s.along[0];
    const T* x = from + i * s.along[1];
    if (s.beside[0] == 1 && s.beside[1] == 1) {
      for (int64_t j = 0; j < s.width; ++j) {
        sums[j] = Step<W, kMultiply>(sums[j], static_cast<W>(x[j]));
        row[j] = static_cast<T>(sums[j]);
      }
    } else {
      for (int64_t j = 0; j < s.width; ++j) {
        sums[j] = Step<W, kMultiply>(sums[j], static_cast<W>(x[j * s.beside[1]]));
        row[j * s.beside[0]] = static_cast<T>(sums[j]);
      }
    }
  }
}

using AccumulateFn = void (*)(void*, const void*, Strip<2>);

// Integers wrap around, so that their size is all that counts.
template <bool kMultiply>
AccumulateFn AccumulateOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return Accumulate<Half, kMultiply>;
    case DType::kBFloat16:
      return Accumulate<BFloat16, kMultiply>;
    case DType::kFloat32:
      return Accumulate<float, kMultiply>;
    case DType::kFloat64:
      return Accumulate<double, kMultiply>;
    case DType::kComplex64:
      return Accumulate<std::complex<float>, kMultiply>;
    case DType::kComplex128:
      return Accumulate<std::complex<double>, kMultiply>;
    case DType::kInt64:
      return Accumulate<uint64_t, kMultiply>;
    case DType::kInt32:
      return Accumulate<uint32_t, kMultiply>;
    case DType::kInt16:
      return Accumulate<uint16_t, kMultiply>;
    default:
      return Accumulate<uint8_t, kMultiply>;
  }
}

template <bool kMultiply>
void Cumulate(Call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  const AccumulateFn run = AccumulateOf<kMultiply>(out.dtype());
  const Tensor x = self.dtype() == out.dtype() ? self : Dense(self, out.dtype());
  ForEachStrip<2>(dim, {&out, &x}, [&](const Strip<2>& s) { run(out.data(), x.data(), s); });
}

const Kernel cumsum_kernel{"cumsum", "cpu", kNumberTypes, Cumulate<false>};
const Kernel cumprod_kernel{"cumprod", "cpu", kNumberTypes, Cumulate<true>};

}  // namespace
}  // namespace sy::cpu
