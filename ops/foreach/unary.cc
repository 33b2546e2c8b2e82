// An operator of one tensor for each tensor of a list, in one call.
//   self: one or more tensors, as the operator takes them   →   a list, what it gives for each
// Errors: kInvalidArgument for no tensors, or for given ones that are not as many as self; those of
// the operator, whose name they say.
// Example: sy::_foreach_sqrt({a, b})
// Source: ATen _foreach_sqrt and its like.
#include "switchyard/ops/foreach/schemas.h"

namespace sy {

#define SY_UNARY(name) SY_FOREACH(name, "_foreach_" #name, "", ".out", "", ", *, ")
SY_UNARY(abs)
SY_UNARY(acos)
SY_UNARY(asin)
SY_UNARY(atan)
SY_UNARY(ceil)
SY_UNARY(cos)
SY_UNARY(cosh)
SY_UNARY(erf)
SY_UNARY(erfc)
SY_UNARY(exp)
SY_UNARY(expm1)
SY_UNARY(floor)
SY_UNARY(frac)
SY_UNARY(lgamma)
SY_UNARY(log)
SY_UNARY(log10)
SY_UNARY(log1p)
SY_UNARY(log2)
SY_UNARY(neg)
SY_UNARY(reciprocal)
SY_UNARY(round)
SY_UNARY(rsqrt)
SY_UNARY(sigmoid)
SY_UNARY(sign)
SY_UNARY(sin)
SY_UNARY(sinh)
SY_UNARY(sqrt)
SY_UNARY(tan)
SY_UNARY(tanh)
SY_UNARY(trunc)
#undef SY_UNARY

}  // namespace sy
