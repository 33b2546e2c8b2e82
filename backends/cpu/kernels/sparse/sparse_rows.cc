#include "backends/cpu/kernels/sparse/sparse_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {
namespace {

// Those of one dimension of a COO tensor, checked.
Tensor Positions(std::string_view op, const Tensor& indices, int64_t dim, int64_t size,
                 std::string_view what) {
  const Tensor all =
      Contiguous(indices.AsStrided({indices.sizes()[1]}, {indices.strides()[1]},
                                   indices.storage_offset() + dim * indices.strides()[0]));
  RequireIndices(op, all.data<int64_t>(), all.numel(), size, what);
  return all;
}
std::vector<int64_t> ListOf(const Tensor& t) {
  const auto* p = t.data<int64_t>();
  return {p, p + t.numel()};
}

}  // namespace

SparseRows::SparseRows(std::string_view op, const Tensor& t, BlockSizes blocks)
    : SparseRows(
          Read(op, *FindSparse(t), t.sizes()[0] / blocks.rows, t.sizes()[1] / blocks.columns),
          FindSparse(t)->values, blocks) {}

SparseRows::SparseRows(Grouped grouped, const Tensor& values, BlockSizes blocks)
    : at_(std::move(grouped.at)),
      place_(std::move(grouped.place)),
      values_(Contiguous(values)),
      blocks_(blocks) {}

// rows, columns: of blocks, where there are such.
SparseRows::Grouped SparseRows::Read(std::string_view op, const SparseState& s, int64_t rows,
                                     int64_t columns) {
  if (s.layout == Layout::kSparse) {
    const Tensor row = Positions(op, s.indices, 0, rows, "row"),
                 column = Positions(op, s.indices, 1, columns, "column");
    return ByRow(row.data<int64_t>(), ListOf(column), rows);
  }
  if (HasCompressedRows(s.layout)) return {{op, s.indices, s.plain_indices, columns, "column"}, {}};
  const CompressedIndices at(op, s.indices, s.plain_indices, rows, "row");
  std::vector<int64_t> room, column(static_cast<size_t>(at.nnz()));
  for (int64_t c = 0; c < columns; ++c)
    std::fill(column.begin() + at.begin()[c], column.begin() + at.begin()[c + 1], c);
  return ByRow(at.Plain(0, columns, room), std::move(column), rows);
}

// Elements by their rows, those of a row in the order given. row: of each, 0 … rows - 1.
SparseRows::Grouped SparseRows::ByRow(const int64_t* row, std::vector<int64_t> column,
                                      int64_t rows) {
  const auto n = static_cast<int64_t>(column.size());
  std::vector<int64_t> begin(static_cast<size_t>(rows) + 1);
  if (Rise(row, n, 0)) {
    int64_t last = 0;
    for (int64_t i = 0; i < n; ++i) {
      while (last < row[i]) begin[static_cast<size_t>(++last)] = i;
    }
    std::fill(begin.begin() + last + 1, begin.end(), n);
    return {{std::move(begin), std::move(column)}, {}};
  }
  for (int64_t i = 0; i < n; ++i) ++begin[static_cast<size_t>(row[i]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int64_t> next(begin.begin(), begin.end()), place(column.size()),
      picked(column.size());
  for (int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<size_t>(next[static_cast<size_t>(row[i])]++);
    place[at] = i;
    picked[at] = column[static_cast<size_t>(i)];
  }
  return {{std::move(begin), std::move(picked)}, std::move(place)};
}

Tensor SparseRows::Values() const {
  if (place_.empty()) return values_;
  const auto n = static_cast<int64_t>(place_.size()), each = blocks_.rows * blocks_.columns;
  const Tensor all = Tensor::Empty({n * each}, values_.dtype());
  const auto pick = [&](auto item) {
    const auto* from = static_cast<const decltype(item)*>(values_.data());
    auto* to = static_cast<decltype(item)*>(all.data());
    for (int64_t i = 0; i < n; ++i) {
      const auto* block = from + place_[static_cast<size_t>(i)] * each;
      if (each == 1) {
        to[i] = *block;
      } else {
        std::copy_n(block, each, to + i * each);
      }
    }
  };
  VisitItem(values_.itemsize(), pick);
  return all;
}

SparseRows SparseRows::Elements() const {
  const auto [height, width] = blocks_;
  std::vector<int64_t> begin{0}, column, place, room;
  const int64_t* columns = at_.Plain(0, at_.size(), room);
  const auto elements = static_cast<size_t>(at_.nnz() * height * width);
  column.reserve(elements), place.reserve(elements);
  for (int64_t i = 0; i < at_.size(); ++i) {
    for (int64_t row = 0; row < height; ++row) {
      for (int64_t j = at_.begin()[i]; j < at_.begin()[i + 1]; ++j) {
        const int64_t block = place_.empty() ? j : place_[static_cast<size_t>(j)];
        for (int64_t c = 0; c < width; ++c) {
          column.push_back(columns[j] * width + c);
          place.push_back((block * height + row) * width + c);
        }
      }
      begin.push_back(static_cast<int64_t>(place.size()));
    }
  }
  return {{{std::move(begin), std::move(column)}, std::move(place)}, values_, BlockSizes()};
}

}  // namespace sy::cpu
