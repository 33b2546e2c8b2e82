// randn: an empty tensor, filled in place.

#include "ops/random/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void FillNormal(const Tensor& t, Generator* g) { normal_(t, 0, 1, g); }

const Composite randn_body{"randn", Random<FillNormal>};
const Composite randn_generator_body{"randn.generator", RandomGenerator<FillNormal>};
const Composite randn_out_body{"randn.out", RandomOut<FillNormal>};
const Composite randn_like_body{"randn_like", RandomLike<FillNormal>};
const Composite randn_like_out_body{"randn_like.out", RandomLikeOut<FillNormal>};

}  // namespace
}  // namespace sy
