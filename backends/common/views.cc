#include "switchyard/backends/common/views.h"

#include <algorithm>
#include <vector>

namespace sy {

Tensor AtLeast1d(const Tensor& t) {
  constexpr int64_t kOne[] = {1};
  return t.dim() == 0 ? t.AsStrided(kOne, kOne, t.storage_offset()) : t;
}

Tensor WithDim(const Tensor& t, int64_t dim, int64_t rank) {
  if (t.dim() == rank) return t;
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end()),
      strides(t.strides().begin(), t.strides().end());
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, 0);
  return t.AsStrided(sizes, strides, t.storage_offset());
}

Tensor Flat(const Tensor& t) {
  const int64_t n[] = {t.numel()}, one[] = {1};
  return t.AsStrided(n, one, t.storage_offset());
}

Tensor Permuted(const Tensor& t, std::span<const int> order) {
  int64_t sizes[kMaxRank], strides[kMaxRank];
  for (size_t i = 0; i < order.size(); ++i) {
    sizes[i] = t.sizes()[order[i]];
    strides[i] = t.strides()[order[i]];
  }
  return t.AsStrided({sizes, order.size()}, {strides, order.size()}, t.storage_offset());
}

Tensor ChannelsFirst(const Tensor& t) {
  std::vector<int> order = {1, 0};
  for (int d = 2; d < static_cast<int>(t.dim()); ++d) order.push_back(d);
  return Permuted(t, order);
}

bool LieAlike(const Tensor& a, const Tensor& b) {
  if (a.is_contiguous() && b.is_contiguous()) return true;
  const MemoryFormat format = a.suggest_memory_format();
  return format != MemoryFormat::kContiguous && a.is_contiguous(format) && b.is_contiguous(format);
}

Tensor WithLast(const Tensor& t, int64_t dim) {
  int order[kMaxRank];
  size_t n = 0;
  for (int d = 0; d < static_cast<int>(t.dim()); ++d) {
    if (d != dim) order[n++] = d;
  }
  order[n++] = static_cast<int>(dim);
  return Permuted(t, {order, n});
}

Tensor Expanded(const Tensor& t, IntSpan sizes) {
  std::vector<int64_t> strides(sizes.size(), 0);
  const size_t skipped = sizes.size() - t.sizes().size();
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    if (t.sizes()[d] != 1) strides[skipped + d] = t.strides()[d];
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
}

Tensor IndexOfSlices(const Tensor& index, IntSpan sizes, int64_t dim) {
  std::vector<int64_t> all(sizes.begin(), sizes.end()), strides(all.size(), 0);
  if (!all.empty()) {
    all[static_cast<size_t>(dim)] = index.numel();
    strides[static_cast<size_t>(dim)] = index.dim() == 0 ? 1 : index.strides()[0];
  }
  return index.AsStrided(all, strides, index.storage_offset());
}

}  // namespace sy
