// Facts of functions that every backend takes from a library of its own, or computes in its own
// way: there is no arithmetic of them here.
//
//   kFormula<f::Digamma>.dtypes()    float16, bfloat16, float32, float64
//
// The types are declared and never defined. Operators name them (ops/special), the cpu backend
// gives arithmetic in backends/cpu/scalar_loops, the cuda backend in
// backends/cuda/device/special.h; a test or a kernel of another backend registers under the same
// names. Where kHalves is missing, ATen has none either: the operators answer kNotImplemented for
// float16 and bfloat16. All but NextAfter compute in double and round once, whatever the dtype.
//
// Values, by which a kernel may be told from another:
//
//   x                      0.5        1          2
//   BesselI0             1.0635     1.2661     2.2796
//   ScaledBesselI0       0.6450     0.4658     0.3085
//   BesselI1             0.2579     0.5652     1.5906
//   ScaledBesselI1       0.1564     0.2079     0.2153
//   BesselK0             0.9244     0.4210     0.1139
//   BesselK1             1.6564     0.6019     0.1399
//   ScaledBesselK0       1.5241     1.1445     0.8416
//   ScaledBesselK1       2.7310     1.6362     1.0335
//   BesselJ0             0.9385     0.7652     0.2239
//   BesselJ1             0.2423     0.4401     0.5767
//   BesselY0            -0.4445     0.0883     0.5104
//   BesselY1            -1.4715    -0.7812    -0.1070
//   SphericalBesselJ0    0.9589     0.8415     0.4546
//   AiryAi               0.2317     0.1353     0.0349
//   Digamma             -1.9635    -0.5772     0.4228
//   Erfcx                0.6157     0.4276     0.2554
//   Entropy              0.3466     0         -1.3863
//   GammaP(1, x)         0.3935     0.6321     0.8647
//   LogNdtr(-x)         -1.1759    -1.8410    -3.7832
//   ErfInv               0.4769     inf        nan
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_LIBRARY_H_
#define SWITCHYARD_OPS_FORMULAS_LIBRARY_H_

#include "switchyard/ops/formulas/facts.h"

namespace sy::f {

// --- Bessel functions, modified (I, K) and not (J, Y), and Airy's
// I_0(x), even and at least 1. Operator: i0; ATen also has it as special_i0.
struct BesselI0;
SY_FACTS(BesselI0, .dtypes = kHalves | kFloats)
// I_0(x) e^-|x|. Operator: special_i0e.
struct ScaledBesselI0;
SY_FACTS(ScaledBesselI0, .dtypes = kHalves | kFloats)
// I_1(x), odd. Operator: special_i1.
struct BesselI1;
SY_FACTS(BesselI1, .dtypes = kHalves | kFloats)
// I_1(x) e^-|x|. Operator: special_i1e.
struct ScaledBesselI1;
SY_FACTS(ScaledBesselI1, .dtypes = kHalves | kFloats)
// I_0 once more, under the name special_modified_bessel_i0, of float32 and float64 alone.
struct ModifiedBesselI0;
SY_FACTS(ModifiedBesselI0, .dtypes = kFloats)
struct ModifiedBesselI1;
SY_FACTS(ModifiedBesselI1, .dtypes = kFloats)
// K_0(x): inf at 0, NaN below. Operator: special_modified_bessel_k0.
struct BesselK0;
SY_FACTS(BesselK0, .dtypes = kFloats)
struct BesselK1;
SY_FACTS(BesselK1, .dtypes = kFloats)
// K_0(x) e^x. Operators: special_scaled_modified_bessel_k0, and k1 below.
struct ScaledBesselK0;
SY_FACTS(ScaledBesselK0, .dtypes = kFloats)
struct ScaledBesselK1;
SY_FACTS(ScaledBesselK1, .dtypes = kFloats)
// J_0(x) and J_1(x), of the first kind: even and odd. Operators: special_bessel_j0,
// special_bessel_j1.
struct BesselJ0;
SY_FACTS(BesselJ0, .dtypes = kFloats)
struct BesselJ1;
SY_FACTS(BesselJ1, .dtypes = kFloats)
// Y_0(x) and Y_1(x), of the second kind: -inf at 0, NaN below. Operators: special_bessel_y0 and y1.
struct BesselY0;
SY_FACTS(BesselY0, .dtypes = kFloats)
struct BesselY1;
SY_FACTS(BesselY1, .dtypes = kFloats)
// sin(x) / x, 1 at 0. Operator: special_spherical_bessel_j0.
struct SphericalBesselJ0;
SY_FACTS(SphericalBesselJ0, .dtypes = kFloats)
// The solution of y'' = x y that vanishes at inf. Operator: special_airy_ai.
struct AiryAi;
SY_FACTS(AiryAi, .dtypes = kFloats)

// --- The gamma function's and the normal distribution's relatives
// The derivative of log gamma(x): -inf at 0, NaN at negative integers. Operator: digamma; ATen also
// has it as special_digamma and special_psi.
struct Digamma;
SY_FACTS(Digamma, .dtypes = kHalves | kFloats)
// The inverse of erf: infinite at -1 and 1, NaN beyond. Operator: erfinv.
struct ErfInv;
SY_FACTS(ErfInv, .dtypes = kHalves | kFloats)
// e^(x^2) erfc(x), which does not vanish where erfc does. Operator: special_erfcx.
struct Erfcx;
SY_FACTS(Erfcx, .dtypes = kFloats)
// log of the normal distribution below x, accurate far below 0. Operator: special_log_ndtr.
struct LogNdtr;
SY_FACTS(LogNdtr, .dtypes = kFloats)
// The inverse of the normal distribution, of p in [0, 1]; infinite at 0 and 1, NaN outside.
// Operator: special_ndtri.
struct Ndtri;
SY_FACTS(Ndtri, .dtypes = kFloats)
// -x log x: 0 at 0, -inf below. Operator: special_entr.
struct Entropy;
SY_FACTS(Entropy, .dtypes = kHalves | kFloats)
// The regularised incomplete gamma functions of parameter a at x, lower and upper, which add up to
// 1.
// Operators: igamma and igammac; ATen also has them as special_gammainc and special_gammaincc.
struct GammaP;
SY_FACTS(GammaP, .inputs = 2, .dtypes = kHalves | kFloats)
struct GammaQ;
SY_FACTS(GammaQ, .inputs = 2, .dtypes = kHalves | kFloats)

// --- Parts and neighbours of floats
// The number of the dtype that follows x on the way to y, 16-bit floats included: x itself where
// they are equal, NaN if either is. Operator: nextafter.
struct NextAfter;
SY_FACTS(NextAfter, .inputs = 2, .dtypes = kHalves | kFloats)
// x = mantissa 2^exponent with a magnitude of 1/2 … 1; both are 0 for 0, and the exponent is 0 for
// what is not finite. Operator: frexp, on backends that compute the two results apart.
struct FrexpMantissa;
SY_FACTS(FrexpMantissa, .dtypes = kHalves | kFloats)
struct FrexpExponent;
SY_FACTS(FrexpExponent, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LIBRARY_H_
