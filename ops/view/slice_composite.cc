// The bodies of slice_copy and slice_scatter.

#include <optional>

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using MaybeInt = std::optional<int64_t>;

const Composite slice_copy_body{"slice_copy.Tensor",
                                Copy<slice, int64_t, MaybeInt, MaybeInt, int64_t>};
const Composite slice_scatter_body{"slice_scatter",
                                   Scatter<slice, int64_t, MaybeInt, MaybeInt, int64_t>};

}  // namespace
}  // namespace sy
