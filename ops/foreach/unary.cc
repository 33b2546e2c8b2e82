// An operator of one tensor for each tensor of a list, in one call.
//   self: one or more tensors, as the operator takes them   →   a list, what it gives for each
// Errors: kInvalidArgument for no tensors, or for given ones that are not as many as self; those of
// the operator, whose name they say.
// Example: sy::_foreach_sqrt({a, b})
// Source: ATen _foreach_sqrt and its like.
#include "switchyard/ops/foreach/schemas.h"
#include "switchyard/ops/foreach/unary_names.h"

namespace sy {

#define SY_UNARY(name) SY_FOREACH(name, "_foreach_" #name, "", ".out", "", ", *, ")
SY_EACH_LISTED_UNARY(SY_UNARY)
#undef SY_UNARY

}  // namespace sy
