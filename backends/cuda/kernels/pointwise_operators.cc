// Pointwise operators that are a formula of their tensors and numbers, and nothing else.

#include "backends/cuda/kernels/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {
namespace {

const FormulaDef& FormulaOf(const Call& call) {
  return *static_cast<const FormulaDef*>(call.kernel->data);
}

template <class T, class N>
struct KernelOf;
template <size_t... kT, size_t... kN>
struct KernelOf<std::index_sequence<kT...>, std::index_sequence<kN...>> {
  template <size_t, class A>
  using Each = A;
  static void Run(Call call, const Tensor& out, Each<kT, const Tensor&>... in,
                  Each<kN, const Scalar&>... numbers) {
    RunFormula(call, FormulaOf(call), out, {&in...}, {numbers...});
  }
};

void BinaryKeepingNumber(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  if (other.numel() == 1 && other.dtype() != call.dtype())
    return RunKeepingNumber(call, FormulaOf(call), out, {&self, &other});
  RunFormula(call, FormulaOf(call), out, {&self, &other});
}

void TernaryKeepingNumber(Call call, const Tensor& out, const Tensor& a, const Tensor& b,
                          const Tensor& c) {
  if (c.is_wrapped_number()) return RunKeepingNumber(call, FormulaOf(call), out, {&a, &b, &c});
  RunFormula(call, FormulaOf(call), out, {&a, &b, &c});
}

// Registers formula number kAt for an operator of as many tensors and numbers as it takes.
template <size_t kAt>
Kernel On(OpName op, int line = __builtin_LINE()) {
  constexpr const FormulaDef& kFormula = kFormulas[kAt];
  using T = std::make_index_sequence<static_cast<size_t>(kFormula.arity.inputs)>;
  using N = std::make_index_sequence<static_cast<size_t>(kFormula.arity.params)>;
  return Kernel(op, "cuda", kFormula.dtypes(), KernelOf<T, N>::Run, {.data = &kFormula}, __FILE__,
                line);
}
consteval size_t At(std::string_view formula) {
  return static_cast<size_t>(Formula(formula) - kFormulas);
}

const Kernel kernels[] = {
    On<At("relu")>("relu"),
    On<At("leaky_relu")>("leaky_relu"),
    On<At("elu")>("elu"),
    On<At("silu")>("silu"),
    On<At("mish")>("mish"),
    On<At("softplus")>("softplus"),
    On<At("log_sigmoid")>("log_sigmoid"),
    On<At("hardsigmoid")>("hardsigmoid"),
    On<At("hardswish")>("hardswish"),
    On<At("hardshrink")>("hardshrink"),
    On<At("softshrink")>("softshrink"),
    On<At("threshold")>("threshold"),
    On<At("prelu")>("_prelu_kernel"),
    On<At("neg")>("neg"),
    On<At("abs")>("abs"),
    On<At("addcmul")>("addcmul"),
    On<At("addcdiv")>("addcdiv"),
    On<At("bitwise_and")>("bitwise_and.Tensor"),
    On<At("bitwise_or")>("bitwise_or.Tensor"),
    On<At("bitwise_xor")>("bitwise_xor.Tensor"),
    On<At("bitwise_not")>("bitwise_not"),
    On<At("bitwise_left_shift")>("bitwise_left_shift.Tensor"),
    On<At("bitwise_right_shift")>("bitwise_right_shift.Tensor"),
    On<At("isnan")>("isnan"),
    On<At("isinf")>("isinf"),
    On<At("isfinite")>("isfinite"),
    On<At("isposinf")>("isposinf"),
    On<At("isneginf")>("isneginf"),
    On<At("isreal")>("isreal"),
    On<At("signbit")>("signbit"),
    On<At("sgn")>("sgn"),
    On<At("heaviside")>("heaviside"),
    On<At("copysign")>("copysign.Tensor"),
    On<At("eq")>("eq.Tensor"),
    On<At("ne")>("ne.Tensor"),
    On<At("lt")>("lt.Tensor"),
    On<At("le")>("le.Tensor"),
    On<At("gt")>("gt.Tensor"),
    On<At("ge")>("ge.Tensor"),
    On<At("logical_not")>("logical_not"),
    On<At("logical_and")>("logical_and"),
    On<At("logical_or")>("logical_or"),
    On<At("logical_xor")>("logical_xor"),
    On<At("maximum")>("maximum"),
    On<At("minimum")>("minimum"),
    On<At("fmax")>("fmax"),
    On<At("fmin")>("fmin"),
    On<At("where")>("where.self"),
    On<At("conj_physical")>("conj_physical"),
    On<At("complex")>("complex"),
    On<At("polar")>("polar"),
    On<At("exp")>("exp"),
    On<At("exp2")>("exp2"),
    On<At("expm1")>("expm1"),
    On<At("log")>("log"),
    On<At("log10")>("log10"),
    On<At("log1p")>("log1p"),
    On<At("log2")>("log2"),
    On<At("reciprocal")>("reciprocal"),
    On<At("rsqrt")>("rsqrt"),
    On<At("sigmoid")>("sigmoid"),
    On<At("sqrt")>("sqrt"),
    On<At("pow")>("pow.Tensor_Tensor"),
    On<At("square")>("square"),
    On<At("logaddexp")>("logaddexp"),
    On<At("logaddexp2")>("logaddexp2"),
    On<At("xlogy")>("xlogy.Tensor"),
    On<At("special_xlog1py")>("special_xlog1py"),
    On<At("ceil")>("ceil"),
    On<At("floor")>("floor"),
    On<At("trunc")>("trunc"),
    On<At("round")>("round"),
    On<At("frac")>("frac"),
    On<At("erf")>("erf"),
    On<At("erfc")>("erfc"),
    On<At("lgamma")>("lgamma"),
    On<At("ndtr")>("special_ndtr"),
    On<At("acos")>("acos"),
    On<At("acosh")>("acosh"),
    On<At("asin")>("asin"),
    On<At("asinh")>("asinh"),
    On<At("atan")>("atan"),
    On<At("atanh")>("atanh"),
    On<At("cos")>("cos"),
    On<At("cosh")>("cosh"),
    On<At("sin")>("sin"),
    On<At("sinh")>("sinh"),
    On<At("sinc")>("sinc"),
    On<At("tan")>("tan"),
    On<At("tanh")>("tanh"),
    On<At("angle")>("angle"),
    On<At("atan2")>("atan2"),
    On<At("hypot")>("hypot"),
    On<At("deg2rad")>("deg2rad"),
    On<At("rad2deg")>("rad2deg"),
    On<At("gcd")>("gcd"),
    On<At("lcm")>("lcm"),
    On<At("i0")>("i0"),
    On<At("special_i0e")>("special_i0e"),
    On<At("special_i1")>("special_i1"),
    On<At("special_i1e")>("special_i1e"),
    On<At("bessel_i0")>("special_modified_bessel_i0"),
    On<At("bessel_i1")>("special_modified_bessel_i1"),
    On<At("bessel_k0")>("special_modified_bessel_k0"),
    On<At("bessel_k1")>("special_modified_bessel_k1"),
    On<At("scaled_bessel_k0")>("special_scaled_modified_bessel_k0"),
    On<At("scaled_bessel_k1")>("special_scaled_modified_bessel_k1"),
    On<At("bessel_j0")>("special_bessel_j0"),
    On<At("bessel_j1")>("special_bessel_j1"),
    On<At("bessel_y0")>("special_bessel_y0"),
    On<At("bessel_y1")>("special_bessel_y1"),
    On<At("spherical_bessel_j0")>("special_spherical_bessel_j0"),
    On<At("airy_ai")>("special_airy_ai"),
    On<At("digamma")>("digamma"),
    On<At("erfinv")>("erfinv"),
    On<At("erfcx")>("special_erfcx"),
    On<At("log_ndtr")>("special_log_ndtr"),
    On<At("ndtri")>("special_ndtri"),
    On<At("entr")>("special_entr"),
    On<At("igamma")>("igamma"),
    On<At("igammac")>("igammac"),
    On<At("nextafter")>("nextafter"),
    On<At("zeta")>("special_zeta"),
    On<At("chebyshev_polynomial_t")>("special_chebyshev_polynomial_t"),
    On<At("chebyshev_polynomial_u")>("special_chebyshev_polynomial_u"),
    On<At("chebyshev_polynomial_v")>("special_chebyshev_polynomial_v"),
    On<At("chebyshev_polynomial_w")>("special_chebyshev_polynomial_w"),
    On<At("hermite_polynomial_h")>("special_hermite_polynomial_h"),
    On<At("hermite_polynomial_he")>("special_hermite_polynomial_he"),
    On<At("laguerre_polynomial_l")>("special_laguerre_polynomial_l"),
    On<At("legendre_polynomial_p")>("special_legendre_polynomial_p"),
    On<At("shifted_chebyshev_polynomial_t")>("special_shifted_chebyshev_polynomial_t"),
    On<At("shifted_chebyshev_polynomial_u")>("special_shifted_chebyshev_polynomial_u"),
    On<At("shifted_chebyshev_polynomial_v")>("special_shifted_chebyshev_polynomial_v"),
    On<At("shifted_chebyshev_polynomial_w")>("special_shifted_chebyshev_polynomial_w"),
};

// What a number given for the last tensor is, 16-bit floats do not round.
const Kernel mul{
    "mul.Tensor", "cuda", Formula("mul")->dtypes(), BinaryKeepingNumber, {.data = Formula("mul")}};
const Kernel div{
    "div.Tensor", "cuda", Formula("div")->dtypes(), BinaryKeepingNumber, {.data = Formula("div")}};
const Kernel lerp{"lerp.Tensor",
                  "cuda",
                  Formula("lerp")->dtypes(),
                  TernaryKeepingNumber,
                  {.data = Formula("lerp")}};

}  // namespace
}  // namespace sy::cuda
