// The body of unfold_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite unfold_copy_body{"unfold_copy", Copy<unfold, int64_t, int64_t, int64_t>};

}  // namespace
}  // namespace sy
