// Neighbours in memory that a thread can move at once.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_PACKS_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_PACKS_H_

#include <initializer_list>

#include "backends/cuda/plan/layout.h"

namespace sy::cuda {

// How many elements along w's innermost dimension, in 16 bytes at most, the operands `moved` have
// side by side and aligned, wherever in w and by multiples of `stride` bytes beyond. 1, 2, 4, 8 or
// 16.
inline int PackOf(const IndexSpace& w, std::initializer_list<int> moved, int64_t stride = 0) {
  const int64_t item = w.operands[*moved.begin()].item;
  const auto fits = [&](int64_t each) {
    const int64_t bytes = each * item;
    bool fits = w.sizes[0] % each == 0 && stride % bytes == 0;
    for (int k : moved) {
      const IndexSpace::Operand& o = w.operands[k];
      fits &= o.strides[0] == item &&
              reinterpret_cast<uintptr_t>(o.data) % static_cast<uint64_t>(bytes) == 0;
      for (int d = 1; d < w.rank; ++d) fits &= o.strides[d] % bytes == 0;
    }
    return fits;
  };
  int64_t each = 16 / item;
  while (each > 1 && !fits(each)) each /= 2;
  return static_cast<int>(each);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_PACKS_H_
