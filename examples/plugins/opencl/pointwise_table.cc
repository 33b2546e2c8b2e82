// What each pointwise operator computes. Names and meaning are ATen's.

#include "pointwise.h"

namespace opencl {
namespace {

constexpr uint64_t kReal = kIntegers | kFloats;
constexpr uint64_t kAll = kBool | kReal;

constexpr PointwiseOp Function(const char* name, const char* floats, int line = __builtin_LINE()) {
  return {.name = name, .takes = Takes::kOne, .dtypes = kFloats, .floats = floats, .line = line};
}
// Whether a relation holds.
constexpr PointwiseOp Relation(const char* name, const char* holds, uint64_t dtypes = kAll,
                               int line = __builtin_LINE()) {
  return {.name = name,
          .takes = Takes::kTwo,
          .dtypes = dtypes,
          .floats = holds,
          .integers = holds,
          .is_truth = true,
          .line = line};
}
// Of integers alone.
constexpr PointwiseOp Bitwise(const char* name, const char* integers, int line = __builtin_LINE()) {
  return {.name = name,
          .takes = Takes::kTwo,
          .dtypes = kBool | kIntegers | kWideUnsigned,
          .integers = integers,
          .line = line};
}

// Negative exponents: the exact result rounded towards 0.
constexpr const char* kPower = R"cl(
#if !FLOATS
static T power(T a, T b) {
  if (b < 0) return a == 1 ? 1 : a + 1 == 0 ? (b & 1 ? -1 : 1) : 0;
  U result = 1;
  for (U p = a; b != 0; b >>= 1, p *= p) result *= b & 1 ? p : 1;
  return result;
}
#endif
)cl";

constexpr PointwiseOp kTable[] = {
    // Arithmetic. Integers wrap around, for bool + is or and * is and.
    {.name = "add.Tensor",
     .takes = Takes::kTwoAndScale,
     .dtypes = kAll,
     .floats = "a + c * b",
     .integers = "(T)((U)a + (U)c * (U)b)"},
    {.name = "sub.Tensor",
     .takes = Takes::kTwoAndScale,
     .dtypes = kReal,
     .floats = "a - c * b",
     .integers = "(T)((U)a - (U)c * (U)b)"},
    {.name = "mul.Tensor",
     .takes = Takes::kTwo,
     .dtypes = kAll | kWideUnsigned,
     .floats = "a * b",
     .integers = "(T)((U)a * (U)b)",
     .keeps_numbers = true},
    {.name = "div.Tensor",
     .takes = Takes::kTwo,
     .dtypes = kFloats,
     .floats = "a / b",
     .keeps_numbers = true},  // with a rounding mode: division.cc
    {.name = "neg", .takes = Takes::kOne, .dtypes = kReal, .floats = "-a", .integers = "(T)-(U)a"},
    {.name = "abs",
     .takes = Takes::kOne,
     .dtypes = kReal,
     .floats = "fabs(a)",
     .integers = "a < 0 ? (T)-(U)a : a"},
    {.name = "lerp.Tensor",
     .takes = Takes::kThree,
     .dtypes = kFloats,
     // From the nearer end: exact at both.
     .floats = "fabs(c) < 0.5f ? a + c * (b - a) : b - (b - a) * (1 - c)",
     .keeps_numbers = true},

    // Comparison.
    Relation("eq.Tensor", "a == b", kAll | kWideUnsigned),
    Relation("ne.Tensor", "a != b", kAll | kWideUnsigned),
    Relation("lt.Tensor", "a < b"),
    Relation("le.Tensor", "a <= b"),
    Relation("gt.Tensor", "a > b"),
    Relation("ge.Tensor", "a >= b"),
    {.name = "maximum",
     .takes = Takes::kTwo,
     .dtypes = kAll,
     .floats = "isnan(a) || a > b ? a : b",
     .integers = "a > b ? a : b"},
    {.name = "minimum",
     .takes = Takes::kTwo,
     .dtypes = kAll,
     .floats = "isnan(a) || a < b ? a : b",
     .integers = "a < b ? a : b"},
    {.name = "where.self",
     .takes = Takes::kChoice,
     .dtypes = kAll | kWideUnsigned,
     .floats = "a ? b : c",
     .integers = "a ? b : c"},

    // Logic.
    {.name = "logical_not",
     .takes = Takes::kOne,
     .dtypes = kAll,
     .floats = "a == 0",
     .integers = "a == 0",
     .is_truth = true},
    Relation("logical_and", "a != 0 && b != 0"),
    Relation("logical_or", "a != 0 || b != 0"),
    Relation("logical_xor", "(a != 0) != (b != 0)"),
    Bitwise("bitwise_and.Tensor", "a & b"),
    Bitwise("bitwise_or.Tensor", "a | b"),
    Bitwise("bitwise_xor.Tensor", "a ^ b"),

    {.name = "pow.Tensor_Tensor",
     .takes = Takes::kTwo,
     .dtypes = kReal,
     .floats = "pow(a, b)",
     .integers = "power(a, b)",
     .helpers = kPower},

    // Functions of floats; integers come as floats, converted.
    Function("sqrt", "sqrt(a)"),
    Function("rsqrt", "1 / sqrt(a)"),
    Function("exp", "exp(a)"),
    Function("exp2", "exp2(a)"),
    Function("expm1", "expm1(a)"),
    Function("log", "log(a)"),
    Function("log2", "log2(a)"),
    Function("log10", "log10(a)"),
    Function("log1p", "log1p(a)"),
    Function("sin", "sin(a)"),
    Function("cos", "cos(a)"),
    Function("tan", "tan(a)"),
    Function("asin", "asin(a)"),
    Function("acos", "acos(a)"),
    Function("atan", "atan(a)"),
    Function("sinh", "sinh(a)"),
    Function("cosh", "cosh(a)"),
    Function("tanh", "tanh(a)"),
    Function("erf", "erf(a)"),
    Function("erfc", "erfc(a)"),
    Function("sigmoid", "1 / (1 + exp(-a))"),
    Function("reciprocal", "1 / a"),
    {.name = "ceil", .takes = Takes::kOne, .dtypes = kReal, .floats = "ceil(a)", .integers = "a"},
    {.name = "floor", .takes = Takes::kOne, .dtypes = kReal, .floats = "floor(a)", .integers = "a"},
    {.name = "trunc", .takes = Takes::kOne, .dtypes = kReal, .floats = "trunc(a)", .integers = "a"},
};

}  // namespace

const std::span<const PointwiseOp> kPointwiseOps = kTable;

}  // namespace opencl
