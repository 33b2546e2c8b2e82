#include "backends/cpu/kernels/unique_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/outer.h"

namespace sy::cpu {
namespace {

template <class T>
struct KeyBits {
  using type = uint64_t;
};
template <class T>
requires(sizeof(T) <= 4) struct KeyBits<T> {
  using type = uint32_t;
};

// An unsigned number that orders as x does: the sign is moved out of the way, and for floating
// types negative numbers, which are stored as sign and magnitude, are turned around.
template <class T>
typename KeyBits<T>::type KeyOf(T x) {
  using K = typename KeyBits<T>::type;
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return KeyOf(static_cast<float>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (x != x) return ~K{0};
    constexpr K kSign = K{1} << (8 * sizeof(K) - 1);
    const K bits = x == 0 ? K{0} : std::bit_cast<K>(x);
    return static_cast<K>((bits & kSign) != 0 ? ~bits : bits | kSign);
  } else if constexpr (std::is_signed_v<T>) {
    constexpr K kSign = K{1} << (8 * sizeof(K) - 1);
    return static_cast<K>(static_cast<K>(static_cast<std::make_signed_t<K>>(x)) ^ kSign);
  } else {
    return static_cast<K>(x);
  }
}

template <class K>
struct Entry {
  K key;
  K index;  // 32 bits suffice for the elements of one tensor of 4-byte keys, see SortElements
};

// By one byte of the key after the other, the lowest first; bytes that are all alike are skipped.
// Source: D. E. Knuth, The Art of Computer Programming 3, 5.2.5, algorithm R.
template <class K>
void RadixSort(std::vector<Entry<K>>& entries) {
  constexpr int kDigits = sizeof(K);
  std::vector<std::array<size_t, 256>> counts(kDigits);
  for (auto& c : counts) c.fill(0);
  for (const Entry<K>& e : entries) {
    for (int d = 0; d < kDigits; ++d) ++counts[d][(e.key >> (8 * d)) & 255];
  }
  std::vector<Entry<K>> other(entries.size());
  for (int d = 0; d < kDigits; ++d) {
    std::array<size_t, 256>& starts = counts[d];
    if (std::find(starts.begin(), starts.end(), entries.size()) != starts.end()) continue;
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), size_t{0});
    for (const Entry<K>& e : entries) other[starts[(e.key >> (8 * d)) & 255]++] = e;
    entries.swap(other);
  }
}

constexpr size_t kRadixMin = 256;  // below, comparing is faster than counting

template <class K>
void Sort(std::vector<Entry<K>>& entries) {
  if (entries.size() >= kRadixMin) return RadixSort(entries);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry<K>& a, const Entry<K>& b) { return a.key < b.key; });
}

template <class T, class K>
Sorted SortAs(const T* x, size_t n) {
  std::vector<Entry<K>> entries(n);
  for (size_t i = 0; i < n; ++i) entries[i] = {static_cast<K>(KeyOf(x[i])), static_cast<K>(i)};
  Sort(entries);
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
  return VisitDType<kUniqueTypes>(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* x = t.data<T>();
    if constexpr (sizeof(T) <= 4) {
      if (n <= UINT32_MAX) return SortAs<T, uint32_t>(x, n);
    }
    return SortAs<T, uint64_t>(x, n);
  });
}

Tensor Contiguous(const Tensor& t) {
  if (t.is_contiguous()) return t;
  Tensor copy = Tensor::Empty(t.sizes(), t.dtype());
  Outer<1> outer;
  for (int64_t d = t.dim() - 1; d >= 0; --d) outer.Add(t.sizes()[d], {t.strides()[d]});
  VisitItem(t.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(copy.data());
    const U* from = static_cast<const U*>(t.data());
    outer.ForEach(0, t.numel(), [&](const int64_t(&at)[1]) { *to++ = from[at[0]]; });
  });
  return copy;
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
