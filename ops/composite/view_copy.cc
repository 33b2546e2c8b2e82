// x_copy: what the view x shows, copied. x_scatter: src, copied to what x shows of a copy of self.
// The rules allocate (ops/view/copying.h).

#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

using MaybeInt = std::optional<int64_t>;

template <auto kView, class... A>
void Copy(Call, const Tensor& out, const Tensor& self, A... a) {
  copy_(out, kView(self, a...));
}
template <auto kView, class... A>
void Scatter(Call, const Tensor& out, const Tensor& /*self*/, const Tensor& src, A... a) {
  copy_(kView(out, a...), src);
}
// Overloads by what they are given.
constexpr auto kSqueeze = [](const auto&... a) { return squeeze(a...); };
constexpr auto kNarrow = [](const auto&... a) { return narrow(a...); };

const Composite detach_copy_body{"detach_copy", Copy<detach>};
const Composite alias_copy_body{"alias_copy", Copy<alias>};
const Composite as_strided_copy_body{"as_strided_copy",
                                     Copy<as_strided, IntSpan, IntSpan, MaybeInt>};
const Composite diagonal_copy_body{"diagonal_copy", Copy<diagonal, int64_t, int64_t, int64_t>};
const Composite expand_copy_body{"expand_copy", Copy<expand, IntSpan, bool>};
const Composite narrow_copy_body{"narrow_copy", Copy<kNarrow, int64_t, int64_t, int64_t>};
const Composite permute_copy_body{"permute_copy", Copy<permute, IntSpan>};
const Composite select_copy_body{"select_copy.int", Copy<select, int64_t, int64_t>};
const Composite slice_copy_body{"slice_copy.Tensor",
                                Copy<slice, int64_t, MaybeInt, MaybeInt, int64_t>};
const Composite squeeze_copy_body{"squeeze_copy", Copy<kSqueeze>};
const Composite squeeze_copy_dim_body{"squeeze_copy.dim", Copy<kSqueeze, int64_t>};
const Composite squeeze_copy_dims_body{"squeeze_copy.dims", Copy<kSqueeze, IntSpan>};
const Composite t_copy_body{"t_copy", Copy<t>};
const Composite transpose_copy_body{"transpose_copy.int", Copy<transpose, int64_t, int64_t>};
const Composite unfold_copy_body{"unfold_copy", Copy<unfold, int64_t, int64_t, int64_t>};
const Composite unsqueeze_copy_body{"unsqueeze_copy", Copy<unsqueeze, int64_t>};

const Composite diagonal_scatter_body{"diagonal_scatter",
                                      Scatter<diagonal, int64_t, int64_t, int64_t>};
const Composite select_scatter_body{"select_scatter", Scatter<select, int64_t, int64_t>};
const Composite slice_scatter_body{"slice_scatter",
                                   Scatter<slice, int64_t, MaybeInt, MaybeInt, int64_t>};

// Where no view of self has the sizes, one of out has self's.
void ViewCopy(Call, const Tensor& out, const Tensor& self, IntSpan size) {
  if (out.is_contiguous()) {
    copy_(view(out, self.sizes()), self);
  } else {
    copy_(out, reshape(self, size));
  }
}
const Composite view_copy_body{"view_copy", ViewCopy};

Tensor AsStridedScatter(Call call, const Tensor& self, const Tensor& src, IntSpan size,
                        IntSpan stride, MaybeInt storage_offset) {
  const auto elements = static_cast<int64_t>(self.impl()->storage->nbytes / self.itemsize());
  const int64_t one = 1;
  const Tensor all = clone(self.AsStrided(IntSpan(&elements, 1), IntSpan(&one, 1), 0));
  const Tensor replaced =
      as_strided(all, size, stride, storage_offset.value_or(self.storage_offset()));
  if (!SameSizes(replaced.sizes(), src.sizes())) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): src must have the sizes of what it replaces, ", replaced.sizes(),
          ", got ", src.sizes()});
  }
  copy_(replaced, src);
  return all.AsStrided(self.sizes(), self.strides(), self.storage_offset());
}
const Composite as_strided_scatter_body{"as_strided_scatter", AsStridedScatter};

}  // namespace
}  // namespace sy
