// The gamma function's relatives, by Boost.Math.
#include <cmath>
#include <limits>

#include "switchyard/backends/cpu/simd/once.h"
#include "third_party/boost_math/functions.h"

namespace sy::cpu {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// At poles as ATen: -inf at 0 (inf at -0), NaN at negative integers.
double Digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  if (x == kInf) return kInf;
  if (std::isnan(x) || (x < 0 && x == std::trunc(x))) return kNan;
  return boost_math::Digamma(x);
}

double Erfinv(double x) {
  if (!(std::abs(x) <= 1)) return kNan;
  return std::abs(x) == 1 ? std::copysign(kInf, x) : boost_math::ErfInv(x);
}

// Limits of the incomplete gamma functions P and Q = 1 - P; what is left has a finite value.
template <double (*kFunction)(double, double), int kAtZero>
double Incomplete(double a, double x) {
  constexpr double kAtInfinity = 1 - kAtZero;
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0) return kNan;
  if (a == 0) return x > 0 ? kAtInfinity : kNan;
  if (x == 0) return kAtZero;
  if (a == kInf) return x == kInf ? kNan : kAtZero;
  return x == kInf ? kAtInfinity : kFunction(a, x);
}

const LoopKernel digamma{kOnce<f::Digamma, OfDouble<Digamma>>};
const LoopKernel erfinv{kOnce<f::ErfInv, OfDouble<Erfinv>>};
const LoopKernel igamma{kOnce<f::GammaP, OfTwoDoubles<Incomplete<boost_math::GammaP, 0>>>};
const LoopKernel igammac{kOnce<f::GammaQ, OfTwoDoubles<Incomplete<boost_math::GammaQ, 1>>>};

}  // namespace
}  // namespace sy::cpu
