// The body of unsqueeze_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite unsqueeze_copy_body{"unsqueeze_copy", Copy<unsqueeze, int64_t>};

}  // namespace
}  // namespace sy
