// The bodies of detach_copy and alias_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite detach_copy_body{"detach_copy", Copy<detach>};
const Composite alias_copy_body{"alias_copy", Copy<alias>};

}  // namespace
}  // namespace sy
