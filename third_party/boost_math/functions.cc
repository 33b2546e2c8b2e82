#include "third_party/boost_math/functions.h"

// Boost's root finders include <iostream> for output that only their debugging prints. Its static
// object sets up the C++ streams at the start of every program that is linked with this file; what
// guards libstdc++'s header keeps it out.
#define _GLIBCXX_IOSTREAM 1  // NOLINT(bugprone-reserved-identifier)

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/sinc.hpp>

namespace sy::boost_math {
namespace {

namespace bm = ::boost::math;
namespace bp = ::boost::math::policies;
constexpr auto kIgnore = bp::ignore_error;
// Nothing throws; doubles stay doubles.
using Policy = bp::policy<bp::domain_error<kIgnore>, bp::pole_error<kIgnore>,
                          bp::overflow_error<kIgnore>, bp::underflow_error<kIgnore>,
                          bp::denorm_error<kIgnore>, bp::evaluation_error<kIgnore>,
                          bp::indeterminate_result_error<kIgnore>, bp::promote_double<false>>;
constexpr Policy kPolicy;

}  // namespace

double Digamma(double x) { return bm::digamma(x, kPolicy); }
double ErfInv(double x) { return bm::erf_inv(x, kPolicy); }
double ErfcInv(double x) { return bm::erfc_inv(x, kPolicy); }
double GammaP(double a, double x) { return bm::gamma_p(a, x, kPolicy); }
double GammaQ(double a, double x) { return bm::gamma_q(a, x, kPolicy); }
double BesselI(int order, double x) { return bm::cyl_bessel_i(order, x, kPolicy); }
double BesselK(int order, double x) { return bm::cyl_bessel_k(order, x, kPolicy); }
double AiryAi(double x) { return bm::airy_ai(x, kPolicy); }
double Sinc(double x) { return bm::sinc_pi(x, kPolicy); }

}  // namespace sy::boost_math
