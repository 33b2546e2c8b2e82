// Hurwitz's zeta function.
#include <cmath>
#include <iterator>
#include <limits>

#include "switchyard/backends/cpu/simd/once.h"

namespace sy::cpu {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Ten terms of the sum, and what Euler and Maclaurin make of the rest. Source: NIST Digital Library
// of Mathematical Functions, 25.11.7.
double Zeta(double s, double q) {
  if (s == 1) return kInf;
  if (!(s > 1) || std::isnan(q)) return kNan;
  if (q <= 0 && q == std::floor(q)) return kInf;
  if (q <= 0 && s != std::floor(s)) return kNan;  // a power of a negative number
  // B_2k / (2k)!, B: Bernoulli's numbers
  constexpr double kBernoulli[] = {1.0 / 12,          -1.0 / 720,
                                   1.0 / 30240,       -1.0 / 1209600,
                                   1.0 / 47900160,    -691.0 / 1307674368000,
                                   1.0 / 74724249600, -3617.0 / 10670622842880000};
  constexpr int kTerms = 10;
  double sum = 0, x = q;
  for (int k = 0; k < kTerms || x <= 9; ++k, x += 1) {
    const double term = std::pow(x, -s);
    sum += term;
    if (std::abs(term) < std::numeric_limits<double>::epsilon() * std::abs(sum) && x > 0)
      return sum;
  }
  const double power = std::pow(x, -s);
  sum += power * x / (s - 1) + power / 2;
  double factor = s, scale = power / x;
  for (int k = 0; k < static_cast<int>(std::size(kBernoulli)); ++k) {
    sum += kBernoulli[k] * factor * scale;
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
    scale /= x * x;
  }
  return sum;
}

const LoopKernel zeta{"special_zeta", kOnce<Binary, OfTwoDoubles<Zeta>, kFloats>};

}  // namespace
}  // namespace sy::cpu
