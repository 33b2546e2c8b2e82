// Bessel functions: of the C library, and modified ones and Airy's by Boost.Math.
#include <cmath>
#include <limits>

#include "switchyard/backends/cpu/simd/once.h"
#include "third_party/boost_math/functions.h"

namespace sy::cpu {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Where e^x is near overflow, functions scaled by it come from their series at infinity, of terms
// that fall below a double's precision there: e^-x I(x) sqrt(2 pi x), and, with sign 1,
// e^x K(x) sqrt(2 x / pi). Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
// 9.7.1 and 9.7.2; mu = 4 order^2.
constexpr double kLarge = 600;
double SeriesAtInfinity(int order, double x, double sign) {
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k <= 8; ++k) {
    const double odd = 2 * k - 1;
    term *= sign * (mu - odd * odd) / (k * 8 * x);
    sum += term;
  }
  return sum;
}

template <int kOrder>
double I(double x) {
  if (std::isnan(x)) return x;
  const double y = boost_math::BesselI(kOrder, std::abs(x));
  return kOrder == 1 && x < 0 ? -y : y;
}
template <int kOrder>
double ScaledI(double x) {
  const double a = std::abs(x);
  if (!(a > kLarge)) return std::exp(-a) * I<kOrder>(x);
  const double y = a == kInf ? 0 : SeriesAtInfinity(kOrder, a, -1) / std::sqrt(2 * M_PI * a);
  return kOrder == 1 && x < 0 ? -y : y;
}
template <int kOrder>
double K(double x) {
  if (!(x >= 0)) return kNan;
  if (x == 0) return kInf;
  return x == kInf ? 0 : boost_math::BesselK(kOrder, x);
}
template <int kOrder>
double ScaledK(double x) {
  if (!(x > kLarge)) return std::exp(x) * K<kOrder>(x);
  return x == kInf ? 0 : SeriesAtInfinity(kOrder, x, 1) * std::sqrt(M_PI / (2 * x));
}

double J0(double x) { return ::j0(x); }
double J1(double x) { return ::j1(x); }
double Y0(double x) { return ::y0(x); }
double Y1(double x) { return ::y1(x); }

// sin(x) / x; by its series where that loses digits.
double SphericalJ0(double x) {
  if (std::isinf(x)) return 0;
  if (std::abs(x) < 0.5) return boost_math::Sinc(x);
  return std::sin(x) / x;
}

double AiryAi(double x) { return x == kInf ? 0 : std::isfinite(x) ? boost_math::AiryAi(x) : kNan; }

const LoopKernel i0{kOnce<f::BesselI0, OfDouble<I<0>>>};
const LoopKernel i0e{kOnce<f::ScaledBesselI0, OfDouble<ScaledI<0>>>};
const LoopKernel i1{kOnce<f::BesselI1, OfDouble<I<1>>>};
const LoopKernel i1e{kOnce<f::ScaledBesselI1, OfDouble<ScaledI<1>>>};
const LoopKernel modified_i0{kOnce<f::ModifiedBesselI0, OfDouble<I<0>>>};
const LoopKernel modified_i1{kOnce<f::ModifiedBesselI1, OfDouble<I<1>>>};
const LoopKernel k0{kOnce<f::BesselK0, OfDouble<K<0>>>};
const LoopKernel k1{kOnce<f::BesselK1, OfDouble<K<1>>>};
const LoopKernel scaled_k0{kOnce<f::ScaledBesselK0, OfDouble<ScaledK<0>>>};
const LoopKernel scaled_k1{kOnce<f::ScaledBesselK1, OfDouble<ScaledK<1>>>};
const LoopKernel bessel_j0{kOnce<f::BesselJ0, OfDouble<J0>>};
const LoopKernel bessel_j1{kOnce<f::BesselJ1, OfDouble<J1>>};
const LoopKernel bessel_y0{kOnce<f::BesselY0, OfDouble<Y0>>};
const LoopKernel bessel_y1{kOnce<f::BesselY1, OfDouble<Y1>>};
const LoopKernel spherical_j0{kOnce<f::SphericalBesselJ0, OfDouble<SphericalJ0>>};
const LoopKernel airy_ai{kOnce<f::AiryAi, OfDouble<AiryAi>>};

}  // namespace
}  // namespace sy::cpu
