// Elements as unsigned numbers that order as they do, each with its place: what sorting and
// selecting are made of.
//
//   std::vector<KeyEntry<uint32_t>> entries(n);
//   LoadKeysOf<uint32_t>(dtype)(entries.data(), line, stride, n, /*descending=*/false);
//   SortEntries(entries);   // stable; -0 equals 0; NaN comes last
//
// Keys of 32 bits take dtypes of up to 4 bytes and lines of up to 2^32 elements: see NarrowKeys.
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_SORT_KEYS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_SORT_KEYS_H_

#include <cstdint>
#include <vector>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/core/dtype.h"

namespace sy::cpu {

template <class K>
struct KeyEntry {
  K key;
  K index;
};

inline bool NarrowKeys(DType dtype, int64_t n) { return ItemSize(dtype) <= 4 && n <= UINT32_MAX; }

// The n elements of a line, stride elements apart. descending: keys are turned around, so that the
// greatest element, or NaN, comes first.
template <class K>
using LoadKeys = void (*)(KeyEntry<K>* entries, const void* line, int64_t stride, int64_t n,
                          bool descending);
template <class K>
LoadKeys<K> LoadKeysOf(DType dtype);  // of kSortTypes

// The same of elements first … first + n - 1 whose keys are below `bound`, numbered from the line's
// start. Returns how many those are; entries: room for n.
template <class K>
using LoadKeysBelow = int64_t (*)(KeyEntry<K>* entries, const void* line, int64_t stride,
                                  int64_t first, int64_t n, bool descending, K bound);
template <class K>
LoadKeysBelow<K> LoadKeysBelowOf(DType dtype);  // of kSortTypes

// The key of NaN.
template <class K>
inline constexpr K kNaNKey = static_cast<K>(~K{0});

// scratch: room for n entries.
template <class K>
void SortEntries(KeyEntry<K>* entries, KeyEntry<K>* scratch, int64_t n);

// Calls f with KeyEntry<uint32_t>{} or KeyEntry<uint64_t>{}, as lines of n elements need.
template <class F>
void VisitKeys(DType dtype, int64_t n, F&& f) {
  if (NarrowKeys(dtype, n)) return f(KeyEntry<uint32_t>{});
  f(KeyEntry<uint64_t>{});
}

// By key, then by place.
template <class K>
struct EntryLess {
  bool operator()(const KeyEntry<K>& a, const KeyEntry<K>& b) const {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  }
};

extern template LoadKeys<uint32_t> LoadKeysOf<uint32_t>(DType);
extern template LoadKeys<uint64_t> LoadKeysOf<uint64_t>(DType);
extern template LoadKeysBelow<uint32_t> LoadKeysBelowOf<uint32_t>(DType);
extern template LoadKeysBelow<uint64_t> LoadKeysBelowOf<uint64_t>(DType);
extern template void SortEntries(KeyEntry<uint32_t>*, KeyEntry<uint32_t>*, int64_t);
extern template void SortEntries(KeyEntry<uint64_t>*, KeyEntry<uint64_t>*, int64_t);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_SORT_KEYS_H_
