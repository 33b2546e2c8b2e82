#include "backends/cpu/kernels/sparse/sparse_rows.h"

#include <numeric>
#include <utility>

#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

// The numbers of a vector of int64 or int32, each 0 … n - 1.
std::vector<int64_t> Numbers(std::string_view op, const Tensor& t, int64_t n,
                             std::string_view what) {
  const auto count = static_cast<size_t>(t.numel());
  const int64_t stride = t.strides()[0];
  std::vector<int64_t> numbers(count);
  VisitDType<Mask(DType::kInt64, DType::kInt32)>(t.dtype(), [&](auto tag) {
    const auto* p = t.data<typename decltype(tag)::type>();
    for (size_t i = 0; i < count; ++i) numbers[i] = p[static_cast<int64_t>(i) * stride];
  });
  for (const int64_t i : numbers) {
    if (i >= 0 && i < n) continue;
    Fail(ErrorCode::kIndexOutOfRange, op, {what, " ", i, " is out of range for size ", n});
  }
  return numbers;
}

Tensor Row(const Tensor& indices, int64_t i) {
  return indices.AsStrided({indices.sizes()[1]}, {indices.strides()[1]},
                           indices.storage_offset() + i * indices.strides()[0]);
}

// Elements in the order of their groups, each group in the order given: places, and where groups
// begin.
std::pair<std::vector<int64_t>, std::vector<int64_t>> Grouped(const std::vector<int64_t>& group,
                                                              int64_t groups) {
  std::vector<int64_t> begin(static_cast<size_t>(groups) + 1), place(group.size());
  for (const int64_t g : group) ++begin[static_cast<size_t>(g) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int64_t> next(begin.begin(), begin.end());
  for (size_t i = 0; i < group.size(); ++i)
    place[static_cast<size_t>(next[static_cast<size_t>(group[i])]++)] = static_cast<int64_t>(i);
  return {std::move(place), std::move(begin)};
}

std::vector<int64_t> Picked(const std::vector<int64_t>& from, const std::vector<int64_t>& places) {
  std::vector<int64_t> picked(places.size());
  for (size_t i = 0; i < places.size(); ++i) picked[i] = from[static_cast<size_t>(places[i])];
  return picked;
}

}  // namespace

SparseRows::SparseRows(std::string_view op, const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  const int64_t rows = t.sizes()[0], columns = t.sizes()[1];
  if (s.layout == Layout::kSparse) {
    const std::vector<int64_t> row = Numbers(op, Row(s.indices, 0), rows, "row"),
                               held = Numbers(op, Row(s.indices, 1), columns, "column");
    std::tie(value, begin) = Grouped(row, rows);
    column = Picked(held, value);
    return;
  }
  const bool by_rows = s.layout == Layout::kSparseCsr;
  const int64_t outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
  std::vector<int64_t> begins = Numbers(op, s.indices, s.nnz() + 1, "a compressed index");
  std::vector<int64_t> plain = Numbers(op, s.plain_indices, inner, by_rows ? "column" : "row");
  for (int64_t i = 0; i < outer; ++i) {
    if (begins[static_cast<size_t>(i)] <= begins[static_cast<size_t>(i) + 1]) continue;
    Fail(ErrorCode::kIndexOutOfRange, op, {"compressed indices fall at ", i});
  }
  if (by_rows) {
    begin = std::move(begins);
    column = std::move(plain);
    value.resize(column.size());
    std::iota(value.begin(), value.end(), 0);
    return;
  }
  std::vector<int64_t> held(plain.size());
  for (int64_t c = 0; c < outer; ++c) {
    for (int64_t j = begins[static_cast<size_t>(c)]; j < begins[static_cast<size_t>(c) + 1]; ++j)
      held[static_cast<size_t>(j)] = c;
  }
  std::tie(value, begin) = Grouped(plain, rows);
  column = Picked(held, value);
}

}  // namespace sy::cpu
