// repeat_interleave of a tensor by expand or by index_select.

#include <optional>
#include <utility>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// The dimension to repeat in; without dim, of self as a vector.
std::pair<Tensor, int64_t> DimToRepeat(Call call, const Tensor& self, std::optional<int64_t> dim) {
  if (!dim) return {flatten(self), 0};
  return {self, WrapDimOf(call, *dim, self)};
}
Tensor RepeatInterleaveInt(Call call, const Tensor& self, int64_t repeats,
                           std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const auto [t, d] = DimToRepeat(call, self, dim);
  if (repeats < 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"repeats must not be negative, got ", repeats});
  }
  const int64_t total =
      CheckedProduct(call, "the repeated dimension", t.sizes()[static_cast<size_t>(d)], repeats);
  if (output_size && *output_size != total) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"output_size is ", *output_size, ", but repeats add up to ", total});
  }
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes.insert(sizes.begin() + d + 1, repeats);
  const Tensor copies = clone(expand(unsqueeze(t, d + 1), sizes), MemoryFormat::kContiguous);
  return flatten(copies, d, d + 1);
}
Tensor RepeatInterleaveTensor(Call call, const Tensor& self, const Tensor& repeats,
                              std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const auto [t, d] = DimToRepeat(call, self, dim);
  const int64_t n = t.sizes()[static_cast<size_t>(d)];
  const bool one = repeats.numel() == 1 && repeats.dim() <= 1;
  if (!one && (repeats.dim() != 1 || repeats.numel() != n)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"repeats must have 1 or ", n, " elements, the size of dimension ", d, "; got sizes ",
          repeats.sizes()});
  }
  const Tensor counts = one ? expand(reshape(repeats, {1}), {n}) : repeats;
  return index_select(t, d, repeat_interleave(counts, output_size));
}
const Composite repeat_interleave_int_body{"repeat_interleave.self_int", RepeatInterleaveInt};
const Composite repeat_interleave_tensor_body{"repeat_interleave.self_Tensor",
                                              RepeatInterleaveTensor};

}  // namespace
}  // namespace sy
