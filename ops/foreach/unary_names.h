// The operators of one tensor that have one of lists, _foreach_ before their name.
//
//   SY_EACH_LISTED_UNARY(SY_UNARY)      // SY_UNARY(abs) SY_UNARY(acos) …
//
// Source: ATen's _foreach_ operators.
#ifndef SWITCHYARD_OPS_FOREACH_UNARY_NAMES_H_
#define SWITCHYARD_OPS_FOREACH_UNARY_NAMES_H_

// clang-format off
#define SY_EACH_LISTED_UNARY(X) \
  X(abs) X(acos) X(asin) X(atan) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) \
  X(expm1) X(floor) X(frac) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(neg) X(reciprocal) \
  X(round) X(rsqrt) X(sigmoid) X(sign) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(trunc)
// clang-format on

#endif  // SWITCHYARD_OPS_FOREACH_UNARY_NAMES_H_
