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
const Composite randn_generator_out_body{"randn.generator_out", RandomGeneratorOut<FillNormal>};
const Composite randn_like_generator_body{"randn_like.generator", RandomLikeGenerator<FillNormal>};
const Composite randn_like_generator_out_body{"randn_like.generator_out",
                                              RandomLikeGeneratorOut<FillNormal>};

}  // namespace
}  // namespace sy
