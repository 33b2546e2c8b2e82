// The bodies of squeeze_copy's overloads.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// The overload that takes what it is given.
constexpr auto kSqueeze = [](const auto&... a) { return squeeze(a...); };
const Composite squeeze_copy_body{"squeeze_copy", Copy<kSqueeze>};
const Composite squeeze_copy_dim_body{"squeeze_copy.dim", Copy<kSqueeze, int64_t>};
const Composite squeeze_copy_dims_body{"squeeze_copy.dims", Copy<kSqueeze, IntSpan>};

}  // namespace
}  // namespace sy
