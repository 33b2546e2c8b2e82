// Values of _unique and _unique2 come in ascending order whether sorted was asked for or not.
// Slices of unique_dim and unique_consecutive, as rows of a matrix, are sorted and merged, or only
// neighbours merged.
// Source of the results' order, sizes and strides: _unique2_cpu, _unique_dim_cpu_template and
// unique_consecutive_cpu, ATen/native/Unique.cpp.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/index/unique_sort.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/unique_dim.h"

namespace sy::cpu {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;

Three Unique2(Call, const Tensor& self, bool /*sorted*/, bool return_inverse, bool return_counts) {
  const Tensor t = Contiguous(self);
  const Sorted s = SortElements(t);
  int64_t groups = 0;
  std::vector<int64_t> group(s.index.size());
  for (size_t i = 0; i < s.index.size(); ++i) {
    groups += s.first[i];
    group[s.index[i]] = groups - 1;
  }
  Tensor values = Tensor::Empty({groups}, t.dtype());
  VisitItem(t.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(values.data());
    for (size_t i = 0; i < s.index.size(); ++i) {
      if (s.first[i]) *to++ = static_cast<const U*>(t.data())[s.index[i]];
    }
  });
  Groups g = DescribeGroups(group, groups, self.sizes(), return_inverse, return_counts);
  return {std::move(values), std::move(g.inverse), std::move(g.counts)};
}

std::tuple<Tensor, Tensor> Unique(Call call, const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = Unique2(call, self, sorted, return_inverse, false);
  return {std::move(values), std::move(inverse)};
}

// --- Slices along a dimension

template <class T>
auto Number(T x) {
  if constexpr (std::is_integral_v<T>) {
    return x;
  } else if constexpr (std::is_same_v<T, double>) {
    return x;
  } else {
    return static_cast<float>(x);
  }
}

// -1, 0, 1; NaN is after all numbers.
template <class T>
int Compare(const T* a, const T* b, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const auto x = Number(a[i]), y = Number(b[i]);
    if (x < y) return -1;
    if (y < x) return 1;
    if (x != x || y != y) {
      if (x == x) return -1;
      if (y == y) return 1;
    }
  }
  return 0;
}

// NaN differs from itself.
template <class T>
bool Equal(const T* a, const T* b, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!(Number(a[i]) == Number(b[i]))) return false;
  }
  return true;
}

Three UniqueSlices(const Tensor& self, int64_t dim, bool sort, bool return_inverse = true,
                   bool return_counts = true) {
  const Tensor rows = Contiguous(DimInFront(self, dim));
  const int64_t n = rows.size(0), width = n == 0 ? 0 : rows.numel() / n;
  std::vector<int64_t> order(static_cast<size_t>(n)), group(static_cast<size_t>(n)), firsts;
  std::iota(order.begin(), order.end(), 0);
  VisitDType<kSortTypes>(rows.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* x = rows.data<T>();
    if (sort) {
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return Compare(x + a * width, x + b * width, width) < 0;
      });
    }
    for (int64_t i = 0; i < n; ++i) {
      const bool differs = i == 0 || !Equal(x + order[i] * width, x + order[i - 1] * width, width);
      if (differs) firsts.push_back(order[i]);
      group[order[i]] = static_cast<int64_t>(firsts.size()) - 1;
    }
  });
  std::vector<int64_t> sizes(rows.sizes().begin(), rows.sizes().end());
  sizes[0] = static_cast<int64_t>(firsts.size());
  const Tensor values = Tensor::Empty(sizes, self.dtype());
  const size_t row = static_cast<size_t>(width) * self.itemsize();
  for (size_t i = 0; i < firsts.size() && row != 0; ++i) {
    std::memcpy(static_cast<char*>(values.data()) + i * row,
                static_cast<const char*>(rows.data()) + static_cast<size_t>(firsts[i]) * row, row);
  }
  Groups g =
      DescribeGroups(group, sizes[0], std::array<int64_t, 1>{n}, return_inverse, return_counts);
  return {DimBack(values, dim), std::move(g.inverse), std::move(g.counts)};
}

// ATen describes the groups of slices whether asked to or not.
Three UniqueDim(Call call, const Tensor& self, int64_t dim, bool, bool, bool) {
  return UniqueSlices(self, CheckedUniqueDim(call.op(), self, dim), /*sort=*/true);
}

Three UniqueConsecutive(Call call, const Tensor& self, bool return_inverse, bool return_counts,
                        Optional<int64_t> dim) {
  if (dim && !(*dim == 0 && self.dim() == 1))
    return UniqueSlices(self, CheckedUniqueDim(call.op(), self, *dim), /*sort=*/false);
  const Tensor t = Contiguous(self);
  const Tensor flat =
      t.AsStrided(std::array<int64_t, 1>{t.numel()}, std::array<int64_t, 1>{1}, t.storage_offset());
  auto [values, inverse, counts] =
      UniqueSlices(flat, 0, /*sort=*/false, return_inverse, return_counts);
  if (!return_inverse) return {values, inverse, counts};
  std::vector<int64_t> strides(static_cast<size_t>(self.dim()));
  ContiguousStrides(self.sizes(), strides.data());
  return {values, inverse.AsStrided(self.sizes(), strides, 0), counts};
}

const Kernel unique_kernel{"_unique", "cpu", kSortTypes, Unique};
const Kernel unique2_kernel{"_unique2", "cpu", kSortTypes, Unique2};
const Kernel dim_kernel{"unique_dim", "cpu", kSortTypes, UniqueDim};
const Kernel consecutive_kernel{"unique_consecutive", "cpu", kSortTypes, UniqueConsecutive};

}  // namespace
}  // namespace sy::cpu
