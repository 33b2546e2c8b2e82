#include "switchyard/backends/cpu/engine/sort_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "switchyard/backends/cpu/engine/ranks.h"

namespace sy::cpu {
namespace {

template <class T>
using KeyOfSize = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;

// The sign is moved out of the way, and for floating types negative numbers, which are stored as
// sign and magnitude, are turned around.
template <class T>
KeyOfSize<T> KeyOf(T x) {
  using K = KeyOfSize<T>;
  constexpr K kSign = K{1} << (8 * sizeof(K) - 1);
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return KeyOf(static_cast<float>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    // Without branches: of random numbers, half of them would be predicted wrongly.
    const K bits = std::bit_cast<K>(x + 0);  // -0 becomes 0
    const K negative =
        static_cast<K>(static_cast<std::make_signed_t<K>>(bits) >> (8 * sizeof(K) - 1));
    const K is_nan = static_cast<K>(-static_cast<K>(x != x));
    return static_cast<K>((bits ^ (negative | kSign)) | is_nan);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<K>(static_cast<K>(static_cast<std::make_signed_t<K>>(x)) ^ kSign);
  } else {
    return static_cast<K>(x);
  }
}

// turn: all ones where the order is descending.
template <class K, class T>
K TurnedKeyOf(T x, K turn) {
  K key = static_cast<K>(KeyOf(x));
  // NaN is the greatest also among keys wider than its own.
  if constexpr (sizeof(K) > sizeof(KeyOfSize<T>) && !std::is_integral_v<T>) {
    if (key == kNaNKey<KeyOfSize<T>>) key = kNaNKey<K>;
  }
  return static_cast<K>(key ^ turn);
}
template <class K>
K TurnOf(bool descending) {
  return descending ? static_cast<K>(~K{0}) : K{0};
}

template <class K, class T>
void Load(KeyEntry<K>* entries, const void* line, int64_t stride, int64_t n, bool descending) {
  const T* x = static_cast<const T*>(line);
  const K turn = TurnOf<K>(descending);
  for (int64_t i = 0; i < n; ++i)
    entries[i] = {TurnedKeyOf<K>(x[i * stride], turn), static_cast<K>(i)};
}

constexpr int64_t kAhead = 128;  // elements that are fetched before they are read

// Without branches: every element is written, and stays if it counts.
template <class K, class T>
int64_t LoadBelow(KeyEntry<K>* entries, const void* line, int64_t stride, int64_t first, int64_t n,
                  bool descending, K bound) {
  const T* x = static_cast<const T*>(line);
  const K turn = TurnOf<K>(descending);
  int64_t count = 0;
  for (int64_t i = first; i < first + n; ++i) {
    __builtin_prefetch(x + (i + kAhead) * stride);
    const K key = TurnedKeyOf<K>(x[i * stride], turn);
    entries[count] = {key, static_cast<K>(i)};
    count += key < bound ? 1 : 0;
  }
  return count;
}

// f of the dtype's tag; null where keys of K are too narrow.
template <class K, class Fn, class F>
Fn OfKeys(DType dtype, F f) {
  return VisitDType<kSortTypes>(dtype, [&](auto tag) -> Fn {
    if constexpr (sizeof(typename decltype(tag)::type) <= sizeof(K)) {
      return f(tag);
    } else {
      return nullptr;  // NarrowKeys
    }
  });
}

constexpr int64_t kRadixMin = 256;  // below, comparing is faster than counting

template <class K>
void RankSort(KeyEntry<K>* entries, KeyEntry<K>* scratch, int64_t n) {
  K keys[kMaxRanked] = {}, ranks[kMaxRanked];
  for (int64_t i = 0; i < n; ++i) keys[i] = entries[i].key;
  RanksOf<K>()(keys, n, ranks);
  for (int64_t i = 0; i < n; ++i) scratch[ranks[i]] = entries[i];
  std::copy_n(scratch, n, entries);
}

// By one byte of the key after the other, the lowest first; bytes that are all alike are skipped.
// Source: D. E. Knuth, The Art of Computer Programming 3, 5.2.5, algorithm R.
template <class K>
void RadixSort(KeyEntry<K>* entries, KeyEntry<K>* scratch, int64_t n) {
  constexpr int kDigits = sizeof(K);
  std::array<std::array<int64_t, 256>, kDigits> counts{};
  for (int64_t i = 0; i < n; ++i) {
    for (int d = 0; d < kDigits; ++d) ++counts[d][(entries[i].key >> (8 * d)) & 255];
  }
  KeyEntry<K>*from = entries, *to = scratch;
  for (int d = 0; d < kDigits; ++d) {
    std::array<int64_t, 256>& starts = counts[d];
    if (starts[(from[0].key >> (8 * d)) & 255] == n) continue;
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), int64_t{0});
    for (int64_t i = 0; i < n; ++i) to[starts[(from[i].key >> (8 * d)) & 255]++] = from[i];
    std::swap(from, to);
  }
  if (from != entries) std::copy(from, from + n, entries);
}

}  // namespace

template <class K>
LoadKeys<K> LoadKeysOf(DType dtype) {
  return OfKeys<K, LoadKeys<K>>(dtype,
                                [](auto tag) { return Load<K, typename decltype(tag)::type>; });
}

template <class K>
LoadKeysBelow<K> LoadKeysBelowOf(DType dtype) {
  return OfKeys<K, LoadKeysBelow<K>>(
      dtype, [](auto tag) { return LoadBelow<K, typename decltype(tag)::type>; });
}

template <class K>
void SortEntries(KeyEntry<K>* entries, KeyEntry<K>* scratch, int64_t n) {
  if (n <= MostRanked<K>()) return RankSort(entries, scratch, n);
  if (n >= kRadixMin) return RadixSort(entries, scratch, n);
  std::sort(entries, entries + n, EntryLess<K>());
}

template LoadKeys<uint32_t> LoadKeysOf<uint32_t>(DType);
template LoadKeys<uint64_t> LoadKeysOf<uint64_t>(DType);
template LoadKeysBelow<uint32_t> LoadKeysBelowOf<uint32_t>(DType);
template LoadKeysBelow<uint64_t> LoadKeysBelowOf<uint64_t>(DType);
template void SortEntries(KeyEntry<uint32_t>*, KeyEntry<uint32_t>*, int64_t);
template void SortEntries(KeyEntry<uint64_t>*, KeyEntry<uint64_t>*, int64_t);

}  // namespace sy::cpu
