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
Tensor BernoulliTensor(Call, const Tensor& self, const Tensor& p, Generator* g) {
  Tensor t = empty_like(self);
  bernoulli_(t, p, g);
  return t;
}
void BernoulliFloatOut(Call call, const Tensor& self, double p, Generator* g, const Tensor& out) {
  if (out.dtype() != self.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out must be ", self.dtype(), " as self is, got ", out.dtype()});
  }
  Tensor t = empty_like(self);
  bernoulli_(t, p, g);
  copy_(resize_(out, self.sizes()), t);
}
const Composite bernoulli_tensor_body{"bernoulli.Tensor", BernoulliTensor};
const Composite bernoulli_float_out_body{"bernoulli.float_out", BernoulliFloatOut};
const Composite bernoulli_body{"bernoulli", Bernoulli};
const Composite bernoulli_p_body{"bernoulli.p", BernoulliP};

}  // namespace
}  // namespace sy
