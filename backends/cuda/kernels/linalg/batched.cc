#include "backends/cuda/kernels/linalg/batched.h"

#include "backends/cuda/engine/range.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {

bool UseBatched(const Tensor& a, int64_t n) {
  constexpr int64_t kMostRows = 256, kRowsAMatrix = 16, kLongestSide = 65536;
  return n <= kMostRows && a.size(0) >= std::max<int64_t>(2, n / kRowsAMatrix) &&
         std::max(a.size(1), a.size(2)) <= kLongestSide;
}

Tensor Addresses(Call call, const Tensor& batch) {
  const Tensor at = Tensor::Empty({batch.size(0)}, DType::kInt64, batch.device());
  FillRange(call, at, Scalar(reinterpret_cast<int64_t>(batch.data())),
            Scalar(batch.strides()[0] * static_cast<int64_t>(batch.itemsize())));
  return at;
}
Tensor ExpandedAddresses(Call call, const Tensor& batch, IntSpan own, IntSpan expanded) {
  std::vector<int64_t> strides(own.size());
  ContiguousStrides(own, strides.data());
  const Tensor at = Addresses(call, batch).AsStrided(own, strides, 0);
  return BatchedExpanded(call, at, expanded, 0);
}

}  // namespace sy::cuda
