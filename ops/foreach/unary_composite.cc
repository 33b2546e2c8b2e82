// _foreach_sqrt and its like: the operator of the same name, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

#define SY_UNARY(name)                                                     \
  constinit const lists::KernelOf<Tensor(const Tensor&)> name##_of{#name}; \
  SY_FOREACH_BODIES(name, "_foreach_" #name, "", ".out", name, name##_, name##_of)
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

}  // namespace
}  // namespace sy
