// all of everything, or of one dimension, by that of several.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor All(Call, const Tensor& self) { return all(self, std::nullopt, false); }
void AllOut(Call, const Tensor& self, const Tensor& out) {
  all_out(out, self, std::nullopt, false);
}
Tensor AllDim(Call, const Tensor& self, int64_t dim, bool keepdim) {
  return all(self, IntSpan(&dim, 1), keepdim);
}
void AllDimOut(Call, const Tensor& self, int64_t dim, bool keepdim, const Tensor& out) {
  all_out(out, self, IntSpan(&dim, 1), keepdim);
}
const Composite all_all_body{"all", All};
const Composite all_all_out_body{"all.all_out", AllOut};
const Composite all_dim_body{"all.dim", AllDim};
const Composite all_dim_out_body{"all.out", AllDimOut};

}  // namespace
}  // namespace sy
