// logcumsumexp: logarithms of sums of exponentials.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "backends/cpu/kernels/scan/strips.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

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
  VisitDType<kFloatingTypes | kComplexTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEachStrip<2>(dim, {&out, &self},
                    [&](const Strip<2>& s) { LogCumulate(out.data<T>(), self.data<T>(), s); });
  });
}

const Kernel kernel{"logcumsumexp", "cpu", kFloatingTypes | kComplexTypes, LogCumSumExp};

}  // namespace
}  // namespace sy::cpu
