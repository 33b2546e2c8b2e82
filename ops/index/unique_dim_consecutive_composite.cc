// unique_dim_consecutive: unique_consecutive along a dimension.

#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Along a dimension all three are computed, asked for or not, as unique_dim has it.
std::tuple<Tensor, Tensor, Tensor> UniqueDimConsecutive(Call, const Tensor& self, int64_t dim,
                                                        bool /*return_inverse*/,
                                                        bool /*return_counts*/) {
  return unique_consecutive(self, true, true, dim);
}
const Composite unique_dim_consecutive_body{"unique_dim_consecutive", UniqueDimConsecutive};

}  // namespace
}  // namespace sy
