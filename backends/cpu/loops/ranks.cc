// Ranks of a few keys, for one instruction set.

#include "switchyard/backends/cpu/engine/ranks.h"

#include "switchyard/backends/cpu/simd/vec.h"

namespace sy::cpu::SY_ISA {
namespace {

template <class K>
void Ranks(const K* keys, int64_t n, K* ranks) {
  using S = Int<sizeof(K)>;  // AVX2 compares signed integers
  using V = Raw<S>;
  constexpr int64_t kLanes = SY_VECTOR_BYTES / sizeof(K);
  constexpr S kSign = static_cast<S>(K{1} << (8 * sizeof(K) - 1));
  V lane;
  for (int k = 0; k < kLanes; ++k) lane[k] = k;
  for (int64_t first = 0; first < n; first += kLanes) {
    const V x = LoadRaw<V>(keys + first) ^ kSign;
    const int64_t end = first + kLanes < n ? first + kLanes : n;
    V rank{};
    const auto key = [&](int64_t i) { return static_cast<S>(keys[i]) ^ kSign; };
    int64_t i = 0;
    for (; i < first; ++i) rank -= (V)(key(i) <= x);
    for (; i < end; ++i) {
      const V later = (V)(lane > static_cast<S>(i - first));
      rank -= (V)(key(i) < x) | ((V)(key(i) == x) & later);
    }
    for (; i < n; ++i) rank -= (V)(key(i) < x);
    StoreRaw(ranks + first, rank);
  }
}

}  // namespace

extern constexpr RankLoops ranks = {&Ranks<uint32_t>, &Ranks<uint64_t>};

}  // namespace sy::cpu::SY_ISA
