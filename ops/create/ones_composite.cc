// ones: an empty tensor, filled.

#include "ops/create/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite ones_body{"ones", Filled<1>};
const Composite ones_like_body{"ones_like", FilledLike<1>};
const Composite ones_out_body{"ones.out", FilledOut<1>};
const Composite ones_like_out_body{"ones_like.out", FilledLikeOut<1>};

}  // namespace
}  // namespace sy
