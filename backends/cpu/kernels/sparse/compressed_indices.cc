#include "backends/cpu/kernels/sparse/compressed_indices.h"

#include <algorithm>
#include <utility>

#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {

void internal::ForRows(const int64_t* begin, int64_t n, int64_t each, sy::internal::RangeFn f,
                       void* context) {
  constexpr int64_t kWork = 1 << 15;  // operations worth a thread
  // The first row before which there is so much to do.
  const auto row_at = [&](int64_t work) {
    int64_t low = 0, high = n;
    while (low < high) {
      const int64_t row = (low + high) / 2;
      if (begin[row] + row < work) {
        low = row + 1;
      } else {
        high = row;
      }
    }
    return low;
  };
  ParallelFor(begin[n] + n, std::max<int64_t>(1, kWork / std::max<int64_t>(1, each)),
              [&](int64_t from, int64_t to) {
                const int64_t first = row_at(from), last = row_at(to);
                if (first < last) f(context, first, last);
              });
}

BlockSizes RequireHeldSizes(std::string_view op, const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  const Tensor &indices = s.indices, &plain = s.plain_indices, &values = s.values;
  const IntSpan sizes = t.sizes();
  BlockSizes blocks;
  const bool right = [&] {
    if (!IsCompressed(s.layout)) {
      return indices.dim() == 2 && values.dim() == 1 + s.dense_dim &&
             indices.sizes()[0] == s.sparse_dim && indices.sizes()[1] == values.sizes()[0];
    }
    const int64_t behind = HasBlocks(s.layout) ? 2 : 0, batch = t.dim() - 2 - s.dense_dim;
    const auto at = static_cast<size_t>(batch);
    if (indices.dim() != batch + 1 || plain.dim() != batch + 1 ||
        values.dim() != batch + 1 + behind + s.dense_dim)
      return false;
    if (behind != 0) blocks = {values.sizes()[at + 1], values.sizes()[at + 2]};
    const int64_t size = sizes[HasCompressedRows(s.layout) ? at : at + 1],
                  each = HasCompressedRows(s.layout) ? blocks.rows : blocks.columns;
    const int64_t matrices = NumElements(sizes.first(at)), nnz = plain.sizes()[at];
    return each > 0 && indices.numel() == matrices * (size / each + 1) &&
           plain.numel() == matrices * nnz &&
           values.numel() ==
               plain.numel() * blocks.rows * blocks.columns * NumElements(sizes.subspan(at + 2));
  }();
  if (right) return blocks;
  Fail(ErrorCode::kInvalidArgument, op,
       {"indices and values of ", Describe(t), " have changed their sizes: ", indices.sizes(), ", ",
        plain.defined() ? plain.sizes() : IntSpan(), " and ", values.sizes()});
}

void RequireIndices(std::string_view op, const int64_t* p, int64_t n, int64_t limit,
                    std::string_view what) {
  // Without branches, many at once: the sign is set where any is wrong. Unsigned numbers do not
  // overflow, whatever was written.
  const auto largest = static_cast<uint64_t>(limit - 1);
  uint64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto index = static_cast<uint64_t>(p[i]);
    wrong |= index | (largest - index);
  }
  if (static_cast<int64_t>(wrong) >= 0) return;
  for (int64_t i = 0; i < n; ++i) {
    if (p[i] >= 0 && p[i] < limit) continue;
    Fail(ErrorCode::kIndexOutOfRange, op, {what, " ", p[i], " is out of range for size ", limit});
  }
}

bool Rise(const int64_t* p, int64_t n, int64_t by) {
  int64_t wrong = 0;
  for (int64_t i = 1; i < n; ++i) wrong |= p[i] - p[i - 1] - by;
  return wrong >= 0;
}

CompressedIndices::CompressedIndices(std::string_view op, const Tensor& compressed,
                                     const Tensor& plain, int64_t limit, std::string_view what)
    : op_(op),
      what_(what),
      rows_(compressed.numel() - 1),
      limit_(limit),
      begins_(Dense(compressed, DType::kInt64)),
      plains_(Contiguous(plain)),
      begin_(begins_.data<int64_t>()) {
  const int64_t nnz = plain.numel();
  RequireIndices(op, begin_, rows_ + 1, nnz + 1, "a compressed index");
  if (begin_[0] != 0 || begin_[rows_] != nnz) {
    Fail(ErrorCode::kIndexOutOfRange, op,
         {"compressed indices must begin with 0 and end with nnz, ", nnz, ", got ", begin_[0],
          " and ", begin_[rows_]});
  }
  if (!Rise(begin_, rows_ + 1, 0)) {
    Fail(ErrorCode::kIndexOutOfRange, op,
         {"compressed indices fall at ",
          std::is_sorted_until(begin_, begin_ + rows_ + 1) - begin_ - 1});
  }
  if (plains_.dtype() == DType::kInt32) {
    narrow_ = plains_.data<int32_t>();
  } else {
    plain_ = plains_.data<int64_t>();
  }
}

CompressedIndices::CompressedIndices(std::vector<int64_t> begin, std::vector<int64_t> plain)
    : rows_(static_cast<int64_t>(begin.size()) - 1),
      own_begin_(std::move(begin)),
      own_plain_(std::move(plain)),
      begin_(own_begin_.data()),
      plain_(own_plain_.data()) {}

const int64_t* CompressedIndices::Plain(int64_t first, int64_t last,
                                        std::vector<int64_t>& room) const {
  const int64_t from = begin_[first], n = begin_[last] - from;
  if (narrow_ != nullptr) room.assign(narrow_ + from, narrow_ + from + n);
  const int64_t* p = narrow_ != nullptr ? room.data() : plain_ + from;
  if (own_begin_.empty()) RequireIndices(op_, p, n, limit_, what_);
  return p;
}

bool CompressedIndices::RowsRise(const int64_t* plain) const {
  for (int64_t i = 0; i < rows_; ++i) {
    if (!Rise(plain + begin_[i], begin_[i + 1] - begin_[i], 1)) return false;
  }
  return true;
}

}  // namespace sy::cpu
