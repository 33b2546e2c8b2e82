// The body of expand_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite expand_copy_body{"expand_copy", Copy<expand, IntSpan, bool>};

}  // namespace
}  // namespace sy
