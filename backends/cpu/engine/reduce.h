// Reduces dimensions of a tensor of any sizes, strides and dtype.
//
//   Reduce(kReduceLoops<f::Sum>, call.dtype(), self, DimMask(dim), {{&out, 0}});
//
// Elements convert to `dtype`, the dtype of the computation, before the loops' own; each output
// takes one part of the state, finished, and converts it to its dtype. An output has self's
// dimensions but for the reduced ones, which it lacks or has as 1. Nothing to reduce leaves what
// the reduction has for it.
//
// The order in which elements combine depends on sizes and strides alone: a tree of blocks of at
// most a few thousand elements along memory, or some dozens across it, so that the error of a sum
// of floats grows with the logarithm of the number of blocks.
// Owns: nothing.
// Threads: any; many outputs, or long reductions, are split over ParallelFor's. The result does not
// depend on how many.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_H_

#include <initializer_list>

#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/reduce_loop.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

struct ReduceOutput {
  const Tensor* tensor;
  int part;  // of the state
};

namespace internal {
void ReduceSlow(const ReduceSet& set, DType dtype, const Tensor& self, uint64_t mask,
                std::initializer_list<ReduceOutput> outputs, const ReduceFinish& finish);
// Contiguous reductions of up to so many elements to a single one go straight to the loop.
inline constexpr int64_t kSmallReduction = 1024;
}  // namespace internal

SY_INLINE void Reduce(const ReduceSet& set, DType dtype, const Tensor& self, uint64_t mask,
                      std::initializer_list<ReduceOutput> outputs,
                      const ReduceFinish& finish = {}) {
  const Tensor& out = *outputs.begin()->tensor;
  const int64_t n = self.numel();
  const int d = static_cast<int>(dtype);
  if (outputs.size() == 1 && out.numel() == 1 && n > 0 && n <= internal::kSmallReduction &&
      self.is_contiguous() && self.dtype() == dtype && finish.kind == ReduceFinish::kNothing &&
      Contains(set.direct, dtype) && out.dtype() == set.parts[d].dtypes[0] &&
      set.parts[d].num_parts == 1) [[likely]] {
    void* const s[] = {out.data()};
    const ReduceBlock block{self.data(), 0, 1, static_cast<size_t>(n), 0, 1};
    return set.tables[ActiveIsa()]->loops[d].along(s, block);
  }
  internal::ReduceSlow(set, dtype, self, mask, outputs, finish);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_H_
