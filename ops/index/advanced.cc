// Source: ATen/native/TensorAdvancedIndexing.cpp (AdvancedIndex) and IndexingUtils.h; the order of
// strides is TensorIteratorBase::reorder_dimensions.
#include "switchyard/ops/index/advanced.h"

#include <algorithm>
#include <utility>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"

namespace sy {

void RequireMaskFits(std::string_view op, const TensorBase& self, const TensorBase& mask,
                     int64_t dim) {
  for (int64_t d = 0; d < mask.dim(); ++d) {
    if (dim + d < self.dim() && self.sizes()[dim + d] == mask.sizes()[d]) continue;
    Fail(ErrorCode::kInvalidArgument, op,
         {"a mask of sizes ", mask.sizes(), " does not fit self's sizes ", self.sizes(),
          " from dim ", dim, " on"});
  }
}

std::vector<Tensor> WithoutMasks(std::string_view op, const TensorBase& self, TensorList indices,
                                 const std::function<Tensor(const Tensor&)>& places) {
  std::vector<Tensor> all;
  for (const Tensor& t : indices) {
    if (!t.defined() || !IsMask(t)) {
      all.push_back(t);
      continue;
    }
    RequireMaskFits(op, self, t, static_cast<int64_t>(all.size()));
    const Tensor at = places(t);
    const int64_t n[] = {at.sizes()[1]}, one[] = {1};
    for (int64_t d = 0; d < t.dim(); ++d) all.push_back(at.AsStrided(n, one, d * n[0]));
  }
  return all;
}

Tensor ExpandedTo(const Tensor& t, IntSpan sizes) {
  std::vector<int64_t> strides(sizes.size(), 0);
  const size_t own = t.sizes().size(), skip = sizes.size() - own;
  for (size_t d = 0; d < own; ++d) {
    if (t.sizes()[d] == sizes[skip + d]) strides[skip + d] = t.strides()[d];
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
}

AdvancedIndex::AdvancedIndex(std::string_view op, const TensorBase& self, TensorList indices) {
  if (static_cast<int64_t>(indices.size()) > self.dim()) {
    Fail(ErrorCode::kOutOfRange, op,
         {"too many indices: ", indices.size(), " for a ", self.dim(), "-d tensor"});
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
      Fail(ErrorCode::kInvalidArgument, op,
           {"indices must be int64, int32, bool or uint8, got ", index.dtype(), " for dim ", d});
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
  if (num_indexed_ == 0) Fail(ErrorCode::kInvalidArgument, op, {"expected at least one index"});
  if (empty && NumElements(common_) != 0) {
    Fail(ErrorCode::kOutOfRange, op,
         {"nothing can be indexed in an empty dimension; self has "
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
    Fail(ErrorCode::kInvalidArgument, op,
         {"the result would have ", sizes_.size(), " dimensions, at most ", kMaxRank,
          " are possible"});
  }
}

int64_t AdvancedIndex::count() const { return NumElements(common_); }

// t with one dimension at first() for the indexed ones; other(i): size and stride of order()[i].
template <class F>
Tensor AdvancedIndex::WithOneDim(const Tensor& t, int64_t size, int64_t stride, F other) const {
  std::vector<int64_t> sizes, strides;
  for (size_t i = 0; i <= order_.size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    if (k == first_) {
      sizes.push_back(size);
      strides.push_back(stride);
    }
    if (i == order_.size() || (k >= first_ && k < first_ + num_indexed_)) continue;
    const auto [s, d] = other(i);
    sizes.push_back(s);
    strides.push_back(d);
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
}

Tensor AdvancedIndex::Moved(const Tensor& self, int64_t extent) const {
  return WithOneDim(self, extent, 1, [&](size_t i) {
    return std::pair(self.sizes()[order_[i]], self.strides()[order_[i]]);
  });
}

Tensor AdvancedIndex::Joined(const Tensor& t) const {
  const auto first = static_cast<size_t>(first_);
  const size_t n = common_.size();
  const int64_t size[] = {count()};
  int64_t stride = 1;
  if (!ViewStrides(t.sizes().subspan(first, n), t.strides().subspan(first, n), count(), size,
                   &stride))
    return Tensor();
  return WithOneDim(t, count(), stride, [&](size_t i) {
    const size_t d = i < first ? i : i - static_cast<size_t>(num_indexed_) + n;
    return std::pair(t.sizes()[d], t.strides()[d]);
  });
}

std::vector<int64_t> AdvancedIndex::Strides(const TensorBase& self, TensorList indices) const {
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
    // Too many elements are refused where the output is made.
    stride = ProductOr(stride, std::max<int64_t>(1, sizes_[d]), 1);
  }
  return out;
}

}  // namespace sy
