#include "backends/cpu/kernels/index/unique_sort.h"

#include <algorithm>
#include <array>

#include "switchyard/backends/cpu/engine/sort_keys.h"

namespace sy::cpu {
namespace {

template <class T, class K>
Sorted SortAs(const T* x, size_t n) {
  std::vector<KeyEntry<K>> entries(n), scratch(n);
  LoadKeysOf<K>(DTypeOf<T>)(entries.data(), x, 1, static_cast<int64_t>(n), false);
  SortEntries(entries.data(), scratch.data(), static_cast<int64_t>(n));
  Sorted s;
  s.index.resize(n);
  s.first.resize(n);
  for (size_t i = 0; i < n; ++i) {
    s.index[i] = static_cast<int64_t>(entries[i].index);
    bool differs = i == 0 || entries[i].key != entries[i - 1].key;
    if constexpr (!std::is_integral_v<T>) {
      const T value = x[s.index[i]];
      differs |= static_cast<double>(value) != static_cast<double>(value);
    }
    s.first[i] = differs;
  }
  return s;
}

}  // namespace

Sorted SortElements(const Tensor& t) {
  const size_t n = static_cast<size_t>(t.numel());
  return VisitDType<kSortTypes>(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* x = t.data<T>();
    if constexpr (sizeof(T) <= 4) {
      if (n <= UINT32_MAX) return SortAs<T, uint32_t>(x, n);
    }
    return SortAs<T, uint64_t>(x, n);
  });
}

Groups DescribeGroups(const std::vector<int64_t>& group, int64_t groups, IntSpan inverse_sizes,
                      bool inverse, bool counts) {
  Groups g{
      Tensor::Empty(inverse ? inverse_sizes : IntSpan(std::array<int64_t, 1>{0}), DType::kInt64),
      Tensor::Empty({counts ? groups : 0}, DType::kInt64)};
  if (inverse) std::copy(group.begin(), group.end(), g.inverse.data<int64_t>());
  if (counts) {
    int64_t* c = g.counts.data<int64_t>();
    std::fill_n(c, groups, 0);
    for (int64_t i : group) ++c[i];
  }
  return g;
}

}  // namespace sy::cpu
