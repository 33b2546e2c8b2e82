// The normal distribution and its relatives.
#include <cmath>
#include <limits>

#include "switchyard/backends/cpu/simd/once.h"
#include "third_party/boost_math/functions.h"

namespace sy::cpu {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double Entropy(double x) { return x > 0 ? -x * std::log(x) : x == 0 ? 0 : x < 0 ? -kInf : x; }

// e^(x^2) erfc(x). Up to 25 as it is said, with what rounding x^2 leaves put back; then by the
// series at infinity. Source of that: M. Abramowitz, I. Stegun, "Handbook of Mathematical
// Functions", 7.1.23.
double Erfcx(double x) {
  if (!(x > 25)) {
    const double square = x * x, rest = std::fma(x, x, -square);
    return std::isinf(x) ? kInf : std::exp(square) * (1 + rest) * std::erfc(x);
  }
  double term = 1, sum = 1;
  for (int k = 1; k <= 8; ++k) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * std::sqrt(M_PI));
}

double LogNdtr(double x) {
  const double t = x * M_SQRT1_2;
  return x < -1 ? std::log(Erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

double Ndtri(double p) {
  if (!(p >= 0 && p <= 1)) return kNan;
  if (p == 0 || p == 1) return p == 0 ? -kInf : kInf;
  return -M_SQRT2 * boost_math::ErfcInv(2 * p);
}

const LoopKernel entr{kOnce<f::Entropy, OfDouble<Entropy>>};
const LoopKernel erfcx{kOnce<f::Erfcx, OfDouble<Erfcx>>};
const LoopKernel log_ndtr{kOnce<f::LogNdtr, OfDouble<LogNdtr>>};
const LoopKernel ndtri{kOnce<f::Ndtri, OfDouble<Ndtri>>};

}  // namespace
}  // namespace sy::cpu
