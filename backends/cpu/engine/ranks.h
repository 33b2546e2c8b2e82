// Where each of a few keys comes in their order: how short lines are sorted. Each is compared with
// all others, many at a time, which takes no branch that could be predicted wrongly.
//
//   RanksOf<uint32_t>()(keys, n, ranks);   // sorted[ranks[i]] = keys[i]
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_RANKS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_RANKS_H_

#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

// n: 1 … kMaxRanked; equal keys keep their order. Both arrays have kMaxRanked elements, of which
// those from n on may be read and written.
inline constexpr int64_t kMaxRanked = 128;
struct RankLoops {
  void (*narrow)(const uint32_t* keys, int64_t n, uint32_t* ranks);
  void (*wide)(const uint64_t* keys, int64_t n, uint64_t* ranks);
};

SY_IN_EACH_ISA(extern const RankLoops ranks)

template <class K>
auto RanksOf() {
  static constexpr const RankLoops* kLoops[kNumIsas] = SY_OF_EACH_ISA(ranks);
  if constexpr (sizeof(K) == 4) {
    return kLoops[ActiveIsa()]->narrow;
  } else {
    return kLoops[ActiveIsa()]->wide;
  }
}
// The longest line that is faster ranked than sorted. SSE2 does not compare 64 bits.
template <class K>
int64_t MostRanked() {
  return sizeof(K) == 8 && ActiveIsa() == kBaseline ? 24 : kMaxRanked;
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_RANKS_H_
