// The bodies of as_strided_copy and of as_strided_scatter, which copies all of self's storage.

#include <optional>

#include "ops/view/copying_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using MaybeInt = std::optional<int64_t>;

const Composite as_strided_copy_body{"as_strided_copy",
                                     Copy<as_strided, IntSpan, IntSpan, MaybeInt>};

void ReshapeAliasCopy(Call, const Tensor& out, const Tensor& self, IntSpan size, IntSpan stride) {
  copy_(out, as_strided(self, size, stride));
}
const Composite reshape_alias_copy_body{"_reshape_alias_copy", ReshapeAliasCopy};

Tensor AsStridedScatter(Call call, const Tensor& self, const Tensor& src, IntSpan size,
                        IntSpan stride, MaybeInt storage_offset) {
  const auto elements = static_cast<int64_t>(self.impl()->storage->nbytes / self.itemsize());
  const Tensor all = clone(as_strided(self, {elements}, {1}, 0));
  const Tensor replaced =
      as_strided(all, size, stride, storage_offset.value_or(self.storage_offset()));
  if (!SameSizes(replaced.sizes(), src.sizes())) {
    Fail(
        ErrorCode::kInvalidArgument, call.op(),
        {"src must have the sizes of what it replaces, ", replaced.sizes(), ", got ", src.sizes()});
  }
  copy_(replaced, src);
  return as_strided(all, self.sizes(), self.strides(), self.storage_offset());
}
const Composite as_strided_scatter_body{"as_strided_scatter", AsStridedScatter};

}  // namespace
}  // namespace sy
