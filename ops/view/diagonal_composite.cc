// The bodies of diagonal_copy and diagonal_scatter.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite diagonal_copy_body{"diagonal_copy", Copy<diagonal, int64_t, int64_t, int64_t>};
const Composite diagonal_scatter_body{"diagonal_scatter",
                                      Scatter<diagonal, int64_t, int64_t, int64_t>};

}  // namespace
}  // namespace sy
