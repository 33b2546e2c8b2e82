// The bodies of select_copy and select_scatter.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite select_copy_body{"select_copy.int", Copy<select, int64_t, int64_t>};
const Composite select_scatter_body{"select_scatter", Scatter<select, int64_t, int64_t>};

}  // namespace
}  // namespace sy
