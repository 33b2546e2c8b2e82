// Gradients of copies and fills; operators whose result does not depend on what it was given.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor CloneSelf(const Grad& g, Unsaved, Unsaved) { return g; }
const Gradient clone_grad{"clone", For("self", CloneSelf)};
// To another device or dtype: back the same way.
Tensor ToCopySelf(const Grad& g, Like self, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return to(g, self.device(), self.dtype());
}
const Gradient to_copy_grad{"_to_copy", For("self", ToCopySelf)};
Tensor OverwrittenSelf(const Grad& g, Unsaved, Unsaved, Unsaved) { return zeros_like(g); }
Tensor CopySrc(const Grad& g, Unsaved, Like src, Unsaved) {
  return to(g, src.device(), src.dtype());
}
const Gradient copy_grad{"copy", For("self", OverwrittenSelf), For("src", CopySrc)};

std::vector<Tensor> CopyEach(TensorList self, TensorList src, bool non_blocking) {
  if (self.size() != src.size()) {
    Fail(ErrorCode::kInvalidArgument, "_foreach_copy",
         {"self and src must have as many tensors, got ", static_cast<int64_t>(self.size()),
          " and ", static_cast<int64_t>(src.size())});
  }
  std::vector<Tensor> all;
  all.reserve(self.size());
  for (size_t i = 0; i < self.size(); ++i) all.push_back(copy(self[i], src[i], non_blocking));
  return all;
}
const Decomposition copy_each_parts{"_foreach_copy", CopyEach};

Tensor FillSelf(const Grad& g, Unsaved, Unsaved) { return zeros_like(g); }
Tensor FillValue(const Grad& g, Unsaved, Unsaved) { return sum(g); }
const Gradient fill_grad{"fill.Tensor", For("self", FillSelf), For("value", FillValue)};

const Zero zeros{"fill.Scalar", "zero"};

const NotDifferentiable created{
    "empty_like", "zeros_like",  "ones_like",         "full_like",
    "rand_like",  "randn_like",  "new_empty",         "new_zeros",
    "new_ones",   "new_full",    "new_empty_strided", "randint_like",
    "one_hot",    "multinomial", "is_same_size",      "bernoulli.Tensor"};
// What is drawn does not follow its parameters.
const Zero drawn{"bernoulli",
                 "poisson",
                 "binomial",
                 "normal.Tensor_Tensor",
                 "normal.Tensor_float",
                 "normal.float_Tensor",
                 "cauchy",
                 "exponential",
                 "geometric",
                 "log_normal",
                 "random",
                 "random.from",
                 "random.to",
                 "uniform"};

const Gradient bernoulli_p_grad{"bernoulli.p", For("self", OverwrittenSelf)};

}  // namespace
}  // namespace sy
