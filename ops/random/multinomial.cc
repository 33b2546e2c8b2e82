// Draws `num_samples` positions from the distribution whose probabilities, up to a factor, are
// self's (or each of its rows').
//   self: [n] or [m, n], floating, >= 0, finite, not all 0 in a row; n <= 2^24; num_samples: 1 … ,
//   at most n without replacement   →   [num_samples] or [m, num_samples], int64
// Errors: kInvalidArgument when shapes, dtype or num_samples do not fit; kInvalidValue for
// probabilities that are negative, not finite or all 0.
// Example: sy::multinomial(x, 2)
// Source: ATen multinomial; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr int64_t kMaxCategories = 1 << 24;  // exact as float32

void MultinomialShape(ShapeContext& r, const TensorBase& self, int64_t num_samples,
                      bool replacement, Generator*) {
  if (self.dim() != 1 && self.dim() != 2)
    r.Fail({"self must be 1-d or 2-d, got sizes ", self.sizes()});
  RequireDType(r, self, kFloatingTypes);
  if (num_samples <= 0) r.Fail({"num_samples must be above 0, got ", num_samples});
  const int64_t categories = self.size(-1);
  if (!replacement && num_samples > categories) {
    r.Fail({"cannot draw ", num_samples, " samples of ", categories, " without replacement"});
  }
  if (categories > kMaxCategories)
    r.Fail({"expected at most ", kMaxCategories, " categories, got ", categories});
  if (self.dim() == 1) {
    r.Output({num_samples}, DType::kInt64);
  } else {
    r.Output({self.sizes()[0], num_samples}, DType::kInt64);
  }
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator multinomial_op{
    "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? "
    "generator=None) -> Tensor",
    MultinomialShape, kOut};

}  // namespace sy
