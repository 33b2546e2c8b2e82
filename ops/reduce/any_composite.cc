// any of everything, or of one dimension, by that of several.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Any(Call, const Tensor& self) { return any(self, std::nullopt, false); }
void AnyOut(Call, const Tensor& self, const Tensor& out) {
  any_out(out, self, std::nullopt, false);
}
Tensor AnyDim(Call, const Tensor& self, int64_t dim, bool keepdim) {
  return any(self, IntSpan(&dim, 1), keepdim);
}
void AnyDimOut(Call, const Tensor& self, int64_t dim, bool keepdim, const Tensor& out) {
  any_out(out, self, IntSpan(&dim, 1), keepdim);
}
const Composite any_all_body{"any", Any};
const Composite any_all_out_body{"any.all_out", AnyOut};
const Composite any_dim_body{"any.dim", AnyDim};
const Composite any_dim_out_body{"any.out", AnyDimOut};

}  // namespace
}  // namespace sy
