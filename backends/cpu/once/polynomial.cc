// Orthogonal polynomials, by their recurrences.
#include <cmath>

#include "switchyard/backends/cpu/simd/once.h"

namespace sy::cpu {
namespace {

// p_0 = 1, p_1 as Kind gives it, p_(k+1) from p_k and p_(k-1). Sources of the recurrences:
// M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 22.7; of the third and fourth
// kind: J. C. Mason, D. C. Handscomb, "Chebyshev Polynomials", 2002, 1.2.3.
template <class Kind>
struct Polynomial : f::Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN f::Num<T> operator()(f::Num<T> x, f::Num<T> n) const {
    return Of<T>(x.v, n.v);
  }

 private:
  template <class T>
  static T Of(T x, T degree) {
    if (!(degree > -1 && degree < T(9.2e18))) return 0;  // what int64 holds
    if constexpr (Kind::kShifted) x = x + x - 1;
    if (std::isnan(x)) return x;
    const auto n = static_cast<int64_t>(degree);
    T before = 1, p = Kind::First(x);
    if (n == 0) return before;
    for (int64_t k = 1; k < n && !std::isnan(p); ++k) {
      const T next = Kind::Next(x, static_cast<T>(k), p, before);
      before = p;
      p = next;
    }
    return p;
  }
};

template <int kTimesX, int kPlus, bool kShift = false>
struct Chebyshev {
  static constexpr bool kShifted = kShift;
  template <class T>
  static T First(T x) {
    return kTimesX * x + kPlus;
  }
  template <class T>
  static T Next(T x, T, T p, T before) {
    return (x + x) * p - before;
  }
};
struct HermiteH : Chebyshev<2, 0> {
  template <class T>
  static T Next(T x, T k, T p, T before) {
    return (x + x) * p - (k + k) * before;
  }
};
struct HermiteHe : Chebyshev<1, 0> {
  template <class T>
  static T Next(T x, T k, T p, T before) {
    return x * p - k * before;
  }
};
struct Laguerre : Chebyshev<-1, 1> {
  template <class T>
  static T Next(T x, T k, T p, T before) {
    return ((k + k + 1 - x) * p - k * before) / (k + 1);
  }
};
struct Legendre : Chebyshev<1, 0> {
  template <class T>
  static T Next(T x, T k, T p, T before) {
    return ((k + k + 1) * x * p - k * before) / (k + 1);
  }
};

template <class Kind>
inline constexpr const LoopSet& kLoops = kOnce<Binary, Polynomial<Kind>, kFloats>;

const LoopKernel chebyshev_polynomial_t{"special_chebyshev_polynomial_t", kLoops<Chebyshev<1, 0>>};
const LoopKernel chebyshev_polynomial_u{"special_chebyshev_polynomial_u", kLoops<Chebyshev<2, 0>>};
const LoopKernel chebyshev_polynomial_v{"special_chebyshev_polynomial_v", kLoops<Chebyshev<2, -1>>};
const LoopKernel chebyshev_polynomial_w{"special_chebyshev_polynomial_w", kLoops<Chebyshev<2, 1>>};
const LoopKernel hermite_polynomial_h{"special_hermite_polynomial_h", kLoops<HermiteH>};
const LoopKernel hermite_polynomial_he{"special_hermite_polynomial_he", kLoops<HermiteHe>};
const LoopKernel laguerre_polynomial_l{"special_laguerre_polynomial_l", kLoops<Laguerre>};
const LoopKernel legendre_polynomial_p{"special_legendre_polynomial_p", kLoops<Legendre>};
const LoopKernel shifted_chebyshev_polynomial_t{"special_shifted_chebyshev_polynomial_t",
                                                kLoops<Chebyshev<1, 0, true>>};
const LoopKernel shifted_chebyshev_polynomial_u{"special_shifted_chebyshev_polynomial_u",
                                                kLoops<Chebyshev<2, 0, true>>};
const LoopKernel shifted_chebyshev_polynomial_v{"special_shifted_chebyshev_polynomial_v",
                                                kLoops<Chebyshev<2, -1, true>>};
const LoopKernel shifted_chebyshev_polynomial_w{"special_shifted_chebyshev_polynomial_w",
                                                kLoops<Chebyshev<2, 1, true>>};

}  // namespace
}  // namespace sy::cpu
