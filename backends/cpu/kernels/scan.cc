// Scans: cumsum, cumprod, logcumsumexp, cummax and cummin.
// Source of what is accumulated in what: ATen/native/cpu/ReduceOpsKernel.cpp (sums and products of
// float in double, of 16-bit floats in float) and cummax_helper_cpu in ReduceOps.cpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/cpu/kernels/dense.h"
#include "backends/cpu/kernels/lines.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // elements worth a thread
// Lines scanned beside each other: their states stay in L1, and rows are long enough for what a
// page costs.
constexpr int64_t kWidth = 512, kMinWidth = 64;
// Lines along memory that are scanned at the same time: a step waits for the one before it.
constexpr int64_t kRows = 4;

// How `width` neighbouring lines of n elements lie. Passed by value: elements that are written are
// not seen to leave it alone when they are integers of its size.
template <int kOperands>
struct Strip {
  std::array<int64_t, kOperands> at, along, beside;  // in elements
  int64_t n, width;
  bool rows;  // lines follow memory, and there are kRows of them at most
};

// Lines along the innermost dimension a few at a time, others side by side, so that memory is
// walked over in order.
template <int kOperands, class F>
void ForEachStrip(int64_t dim, const std::array<const Tensor*, kOperands>& tensors, F f) {
  const Tensor& out = *tensors[0];
  if (out.numel() == 0) return;
  const int64_t n = LineLength(out, dim);
  auto lines = LinesOf<kOperands>(dim, tensors);
  const bool rows = lines.others.rank() == 0 || lines.others[0].strides[0] >= lines.stride[0];
  const auto inner = lines.others.TakeInnermost();
  // Narrower where there would be fewer strips than threads.
  const int64_t threads = NumThreads(), share = (inner.size + threads - 1) / threads;
  const int64_t width = rows                              ? kRows
                        : lines.others.count() >= threads ? kWidth
                                                          : std::clamp(share, kMinWidth, kWidth);
  const int64_t strips = (inner.size + width - 1) / width;
  const int64_t grain = std::max<int64_t>(1, kGrain / (n * std::min(width, inner.size)));
  ParallelFor(lines.others.count() * strips, grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end;) {
      // The strips of one coordinate of the others, as far as they are ours.
      const int64_t other = task / strips, last = std::min(end, (other + 1) * strips);
      lines.others.ForEach(other, other + 1, [&](const int64_t(&at)[kOperands]) {
        for (; task < last; ++task) {
          const int64_t first = task % strips * width;
          Strip<kOperands> s{
              {}, lines.stride, inner.strides, n, std::min(width, inner.size - first), rows};
          for (int k = 0; k < kOperands; ++k) s.at[k] = at[k] + first * inner.strides[k];
          f(s);
        }
      });
    }
  });
}

// --- Sums and products

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
  dim = WrapDim(dim, self.dim());
  const AccumulateFn run = AccumulateOf<kMultiply>(out.dtype());
  const Tensor x = self.dtype() == out.dtype() ? self : Dense(self, out.dtype());
  ForEachStrip<2>(dim, {&out, &x}, [&](const Strip<2>& s) { run(out.data(), x.data(), s); });
}

// --- Logarithms of sums of exponentials

template <class T>
T LogAddExp(T a, T b) {
  if (a != a || b != b) return a + b;
  const T least = std::min(a, b), most = std::max(a, b);
  if (least == most && !std::isfinite(least)) return a;
  return std::log1p(std::exp(least - most)) + most;
}

template <class T>
std::complex<T> LogAddExp(std::complex<T> a, std::complex<T> b) {
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  const auto is_nan = [](std::complex<T> x) {
    return x.real() != x.real() || x.imag() != x.imag();
  };
  if (is_nan(a) || is_nan(b)) return {kNaN, kNaN};
  const bool swap = !(a.real() < b.real());
  const std::complex<T> least = swap ? b : a, most = swap ? a : b;
  if (!std::isfinite(least.real()) && least.real() == most.real()) {
    // Of -inf the angle does not matter; sums of +inf need no precision.
    return least.real() < 0 ? least : std::log(std::exp(least) + std::exp(most));
  }
  // log(1 + z) by the modulus, whose square is 1 + x (2 + x) + y², and the angle.
  const std::complex<T> z = std::exp(least - most);
  const T x = z.real(), y = z.imag();
  const std::complex<T> log1p(std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x));
  return log1p + most;
}

template <class T>
void LogCumulate(T* out, const T* self, Strip<2> s) {
  using W = std::conditional_t<kIsHalf<T>, float, T>;
  for (int64_t j = 0; j < s.width; ++j) {
    T* to = out + s.at[0] + j * s.beside[0];
    const T* from = self + s.at[1] + j * s.beside[1];
    W sum = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < s.n; ++i) {
      sum = LogAddExp(static_cast<W>(from[i * s.along[1]]), sum);
      to[i * s.along[0]] = static_cast<T>(sum);
    }
  }
}

void LogCumSumExp(Call, const Tensor& out, const Tensor& self, int64_t dim) {
  dim = WrapDim(dim, self.dim());
  VisitDType<kFloatingTypes | kComplexTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEachStrip<2>(dim, {&out, &self},
                    [&](const Strip<2>& s) { LogCumulate(out.data<T>(), self.data<T>(), s); });
  });
}

// --- Running extremes: the last of equal ones, NaN from where it first occurs.

template <class T>
auto Comparable(T x) {
  if constexpr (kIsHalf<T>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

template <class T, bool kLeast>
void RunningExtreme(T* values, int64_t* indices, const T* self, Strip<3> s) {
  using V = decltype(Comparable(T()));
  if (s.rows) {
    for (int64_t j = 0; j < s.width; ++j) {
      const T* from = self + s.at[2] + j * s.beside[2];
      V best = Comparable(*from);
      int64_t at = 0;
      for (int64_t i = 0; i < s.n; ++i) {
        const V x = Comparable(from[i * s.along[2]]);
        if (x != x || (best == best && (kLeast ? x <= best : x >= best))) {
          best = x;
          at = i;
        }
        values[s.at[0] + j * s.beside[0] + i * s.along[0]] = static_cast<T>(best);
        indices[s.at[1] + j * s.beside[1] + i * s.along[1]] = at;
      }
    }
    return;
  }
  V best[kWidth];
  int64_t at[kWidth];
  for (int64_t i = 0; i < s.n; ++i) {
    for (int64_t j = 0; j < s.width; ++j) {
      const V x = Comparable(self[s.at[2] + i * s.along[2] + j * s.beside[2]]);
      const bool better =
          i == 0 || x != x || (best[j] == best[j] && (kLeast ? x <= best[j] : x >= best[j]));
      best[j] = better ? x : best[j];
      at[j] = better ? i : at[j];
      values[s.at[0] + i * s.along[0] + j * s.beside[0]] = static_cast<T>(best[j]);
      indices[s.at[1] + i * s.along[1] + j * s.beside[1]] = at[j];
    }
  }
}

constexpr DTypeMask kExtremeTypes = kIntegerTypes | kFloatingTypes | Bit(DType::kBool);

template <bool kLeast>
void CumulativeExtreme(Call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  dim = WrapDim(dim, self.dim());
  if (self.dim() == 0) {
    CopyElements(values, self);
    return FillElements(indices, 0);
  }
  VisitDType<kExtremeTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEachStrip<3>(dim, {&values, &indices, &self}, [&](const Strip<3>& s) {
      RunningExtreme<T, kLeast>(values.data<T>(), indices.data<int64_t>(), self.data<T>(), s);
    });
  });
}

constexpr DTypeMask kSumTypes = kIntegerTypes | kFloatingTypes | kComplexTypes;
const Kernel cumsum_kernel{"cumsum", "cpu", kSumTypes, Cumulate<false>};
const Kernel cumprod_kernel{"cumprod", "cpu", kSumTypes, Cumulate<true>};
const Kernel logcumsumexp_kernel{"logcumsumexp", "cpu", kFloatingTypes | kComplexTypes,
                                 LogCumSumExp};
const Kernel cummax_kernel{"cummax", "cpu", kExtremeTypes | kComplexTypes,
                           CumulativeExtreme<false>};
const Kernel cummin_kernel{"cummin", "cpu", kExtremeTypes | kComplexTypes, CumulativeExtreme<true>};

}  // namespace
}  // namespace sy::cpu
