// zeros: an empty tensor, filled.

#include "ops/create/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite zeros_body{"zeros", Filled<0>};
const Composite zeros_like_body{"zeros_like", FilledLike<0>};
const Composite zeros_out_body{"zeros.out", FilledOut<0>};
const Composite zeros_like_out_body{"zeros_like.out", FilledLikeOut<0>};

}  // namespace
}  // namespace sy
