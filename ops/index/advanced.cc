// Source: ATen/native/TensorAdvancedIndexing.cpp (AdvancedIndex) and IndexingUtils.h; the order of
// strides is TensorIteratorBase::reorder_dimensions.
#include "switchyard/ops/index/advanced.h"

#include <algorithm>
#include <utility>

#include "switchyard/core/shape.h"

namespace sy {

void RequireMaskFits(std::string_view op, const Meta& self, const Meta& mask, int64_t dim) {
  for (int64_t d = 0; d < mask.dim(); ++d) {
    if (dim + d < self.dim() && self.sizes()[dim + d] == mask.sizes()[d]) continue;
    Fail(ErrorCode::kInvalidArgument,
         {op, "(): a mask of sizes ", mask.sizes(), " does not fit self's sizes ", self.sizes(),
          " from dim ", dim, " on"});
  }
}

AdvancedIndex::AdvancedIndex(std::string_view op, const Meta& self, TensorList indices) {
  if (static_cast<int64_t>(indices.size()) > self.dim()) {
    Fail(ErrorCode::kOutOfRange,
         {op, "(): too many indices: ", indices.size(), " for a ", self.dim(), "-d tensor"});
  }
  std::vector<int64_t> others;
  int64_t last = -1;
  bool neighbours = true, empty = false;
  for (int64_t d = 0; d < self.dim(); ++d) {
    const bool named = d < static_cast<int64_t>(indices.size()) && indices[d].defined();
    if (!named) {
      others.push_back(d);
      continue;
    }
    const Tensor& index = indices[d];
    if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
      Fail(ErrorCode::kInvalidArgument,
           {op, "(): indices must be int64, int32, bool or uint8, got ", index.dtype(), " for dim ",
            d});
    }
    neighbours &= last < 0 || last == d - 1;
    if (last < 0) first_ = d;
    last = d;
    empty |= self.sizes()[d] == 0;
    order_.push_back(d);
    ++num_indexed_;
    std::vector<int64_t> both(std::max(common_.size(), index.sizes().size()));
    Broadcast(common_, index.sizes(), both.data(), op);
    common_ = std::move(both);
  }
  if (num_indexed_ == 0) Fail(ErrorCode::kInvalidArgument, {op, "(): expected at least one index"});
  if (empty && NumElements(common_) != 0) {
    Fail(ErrorCode::kOutOfRange, {op,
                                  "(): nothing can be indexed in an empty dimension; self has "
                                  "sizes ",
                                  self.sizes()});
  }
  if (!neighbours) first_ = 0;
  order_.insert(order_.begin(), others.begin(), others.begin() + first_);
  order_.insert(order_.end(), others.begin() + first_, others.end());
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (i == first_) sizes_.insert(sizes_.end(), common_.begin(), common_.end());
    if (i < first_ || i >= first_ + num_indexed_) sizes_.push_back(self.sizes()[order_[i]]);
  }
  if (sizes_.size() > static_cast<size_t>(kMaxRank)) {
    Fail(ErrorCode::kInvalidArgument, {op, "(): the result would have ", sizes_.size(),
                                       " dimensions, at most ", kMaxRank, " are possible"});
  }
}

std::vector<int64_t> AdvancedIndex::Strides(const Meta& self, TensorList indices) const {
  const size_t rank = sizes_.size(), begin = static_cast<size_t>(first_);
  // Of self, which does not move along the indices' dimensions, and of each index.
  std::vector<std::vector<int64_t>> operands(1, std::vector<int64_t>(rank, 0));
  for (size_t i = 0, at = 0; i < order_.size(); ++i) {
    if (i == begin) at += common_.size();
    if (i >= begin && i < begin + static_cast<size_t>(num_indexed_)) continue;
    operands[0][at++] = self.strides()[order_[i]];
  }
  for (const Tensor& index : indices) {
    if (!index.defined()) continue;
    std::vector<int64_t> strides(rank, 0);
    const size_t own = index.sizes().size(), skip = begin + common_.size() - own;
    for (size_t d = 0; d < own; ++d)
      strides[skip + d] = index.sizes()[d] == 1 ? 0 : index.strides()[d];
    operands.push_back(std::move(strides));
  }
  // > 0: dimension y belongs inside x.
  const auto compare = [&](size_t x, size_t y) {
    for (const auto& s : operands) {
      if (s[x] == 0 || s[y] == 0) continue;
      if (s[x] != s[y]) return s[x] < s[y] ? -1 : 1;
      if (sizes_[x] > sizes_[y]) return 1;
    }
    return 0;
  };
  std::vector<size_t> inside(rank);
  for (size_t i = 0; i < rank; ++i) inside[i] = rank - 1 - i;
  for (size_t i = 1; i < rank; ++i) {
    for (size_t at = i, j = i; j-- > 0;) {
      const int c = compare(inside[j], inside[at]);
      if (c < 0) break;
      if (c > 0) {
        std::swap(inside[j], inside[at]);
        at = j;
      }
    }
  }
  std::vector<int64_t> out(rank);
  int64_t stride = 1;
  for (size_t d : inside) {
    out[d] = stride;
    stride *= std::max<int64_t>(1, sizes_[d]);
  }
  return out;
}

}  // namespace sy
