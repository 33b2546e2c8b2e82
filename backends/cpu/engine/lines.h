// Lines of several tensors along one dimension, of which they may have different sizes: what scans
// and sorting walk over.
//
//   const auto lines = LinesOf<2>(dim, {&out, &self});
//   lines.others.ForEach(begin, end, [&](const int64_t (&at)[2]) { … at[1] + i * lines.stride[1]
//
// 0-d tensors have one line of one element.
// Owns: nothing. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_LINES_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_LINES_H_

#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

template <int kOperands>
struct Lines {
  Outer<kOperands> others;                // the other dimensions
  std::array<int64_t, kOperands> stride;  // along the lines
};

// dim: 0 or above. The first tensor decides the order of the other dimensions.
template <int kOperands>
Lines<kOperands> LinesOf(int64_t dim, const std::array<const Tensor*, kOperands>& tensors) {
  Lines<kOperands> lines;
  lines.stride.fill(0);
  const Tensor& first = *tensors[0];
  for (int64_t d = first.dim() - 1; d >= 0; --d) {
    std::array<int64_t, kOperands> strides;
    for (int k = 0; k < kOperands; ++k) strides[k] = tensors[k]->strides()[d];
    if (d == dim) {
      lines.stride = strides;
    } else {
      lines.others.Add(first.sizes()[d], strides);
    }
  }
  lines.others.SortByFirst();
  return lines;
}

inline int64_t LineLength(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? 1 : t.sizes()[dim];
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_LINES_H_
