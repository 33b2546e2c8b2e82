// The functions of Boost.Math that operators use, of doubles.
//
//   double y = sy::boost_math::Digamma(0.5);
//
// Owns: nothing.
// Threads: any.
// Errors: none; NaN outside a function's domain and at its poles, infinity at overflow.
#ifndef THIRD_PARTY_BOOST_MATH_FUNCTIONS_H_
#define THIRD_PARTY_BOOST_MATH_FUNCTIONS_H_

namespace sy::boost_math {

double Digamma(double x);
double ErfInv(double x);   // -1 < x < 1
double ErfcInv(double x);  // 0 < x < 2
// Regularised incomplete gamma functions: lower and upper.
double GammaP(double a, double x);
double GammaQ(double a, double x);
// Bessel functions: modified of the first and second kind, of an integer order; Airy's.
double BesselI(int order, double x);
double BesselK(int order, double x);
double AiryAi(double x);
double Sinc(double x);  // sin(x) / x

}  // namespace sy::boost_math

#endif  // THIRD_PARTY_BOOST_MATH_FUNCTIONS_H_
