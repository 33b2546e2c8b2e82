// _unsafe_masked_index and its sum by unmasked ones at positions that are in range.

#include <algorithm>
#include <optional>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Positions that are in range whatever they were: those out of it are not looked at.
std::vector<Tensor> InRange(Call call, const Tensor& self, TensorList indices) {
  std::vector<Tensor> clamped;
  for (size_t d = 0; d < indices.size(); ++d) {
    const Tensor& index = indices[d];
    if (!index.defined()) {
      clamped.emplace_back();
      continue;
    }
    if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"indices must be int64 or int32, got ", index.dtype()});
    }
    const int64_t size = self.size(static_cast<int64_t>(d));
    clamped.push_back(clamp(index, Scalar(-size), Scalar(size - 1)));
  }
  return clamped;
}

Tensor UnsafeMaskedIndex(Call call, const Tensor& self, const Tensor& mask, TensorList indices,
                         const Scalar& fill) {
  if (self.numel() != 0) {
    const std::vector<Tensor> at = InRange(call, self, indices);
    return masked_fill(_unsafe_index(self, at), logical_not(mask), fill);
  }
  // There is nothing to index: a tensor that has something gives the sizes.
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  for (size_t d = 0; d < indices.size() && d < sizes.size(); ++d) {
    if (indices[d].defined()) sizes[d] = std::max<int64_t>(1, sizes[d]);
  }
  const Tensor any = zeros(sizes, self.dtype(), std::nullopt, self.device());
  return fill_(_unsafe_index(any, InRange(call, any, indices)), fill);
}

Tensor UnsafeMaskedIndexPutAccumulate(Call call, const Tensor& self, const Tensor& mask,
                                      TensorList indices, const Tensor& values) {
  if (self.numel() == 0) return clone(self);
  const Tensor added = masked_fill(values, logical_not(mask), 0);
  return _unsafe_index_put(self, InRange(call, self, indices), added, true);
}
const Composite masked_body{"_unsafe_masked_index", UnsafeMaskedIndex};
const Composite masked_put_body{"_unsafe_masked_index_put_accumulate",
                                UnsafeMaskedIndexPutAccumulate};

}  // namespace
}  // namespace sy
