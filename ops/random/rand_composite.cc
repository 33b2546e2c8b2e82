// rand: an empty tensor, filled in place.

#include "ops/random/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void FillUniform(const Tensor& t, Generator* g) { uniform_(t, 0, 1, g); }

const Composite rand_body{"rand", Random<FillUniform>};
const Composite rand_generator_body{"rand.generator", RandomGenerator<FillUniform>};
const Composite rand_out_body{"rand.out", RandomOut<FillUniform>};
const Composite rand_like_body{"rand_like", RandomLike<FillUniform>};
const Composite rand_like_out_body{"rand_like.out", RandomLikeOut<FillUniform>};
const Composite rand_generator_out_body{"rand.generator_out", RandomGeneratorOut<FillUniform>};
const Composite rand_like_generator_body{"rand_like.generator", RandomLikeGenerator<FillUniform>};
const Composite rand_like_generator_out_body{"rand_like.generator_out",
                                             RandomLikeGeneratorOut<FillUniform>};

}  // namespace
}  // namespace sy
