// bernoulli: an empty tensor, filled in place.

#include "ops/random/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Bernoulli(Call, const Tensor& self, Generator* g) {
  Tensor t = NewContiguousLike(self);
  bernoulli_(t, self, g);
  return t;
}
Tensor BernoulliP(Call, const Tensor& self, double p, Generator* g) {
  Tensor t = NewContiguousLike(self);
  bernoulli_(t, p, g);
  return t;
}
const Composite bernoulli_body{"bernoulli", Bernoulli};
const Composite bernoulli_p_body{"bernoulli.p", BernoulliP};

}  // namespace
}  // namespace sy
