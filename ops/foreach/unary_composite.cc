// _foreach_sqrt and its like: the operator of the same name, tensor by tensor.

#include "ops/foreach/foreach_composite.h"
#include "switchyard/ops/foreach/unary_names.h"

namespace sy {
namespace {

#define SY_UNARY(name)                                                     \
  constinit const lists::KernelOf<Tensor(const Tensor&)> name##_of{#name}; \
  SY_FOREACH_BODIES(name, "_foreach_" #name, "", ".out", name, name##_, name##_of)
SY_EACH_LISTED_UNARY(SY_UNARY)
#undef SY_UNARY

}  // namespace
}  // namespace sy
