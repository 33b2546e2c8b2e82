// The body of permute_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite permute_copy_body{"permute_copy", Copy<permute, IntSpan>};

}  // namespace
}  // namespace sy
