// An iteration space and how operands lie in it: what the engine walks over.
//
//   Iteration it(out.sizes());
//   it.Add(out); it.Add(a); it.Add(b);   // 0 is the output; inputs broadcast
//   it.Coalesce();
//
// Dimension 0 is the innermost. Strides are in bytes, 0 where an operand broadcasts, never
// negative.
// Owns: nothing; operands' memory must outlive it.
// Threads: one writer; any number may read it.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ITERATION_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ITERATION_H_

#include "switchyard/core/tensor.h"

namespace sy::cpu {

inline constexpr int kMaxOperands = 4;

struct Operand {
  char* data;
  DType dtype;
  int64_t strides[kMaxRank];
};

struct Iteration {
  int rank;
  int num_operands = 0;
  int64_t sizes[kMaxRank];
  Operand operands[kMaxOperands];

  explicit Iteration(IntSpan shape) : rank(static_cast<int>(shape.size())) {
    for (int d = 0; d < rank; ++d) sizes[d] = shape[rank - 1 - d];
  }

  // t's sizes expand to the shape.
  void Add(const Tensor& t) {
    Operand& o = operands[num_operands++];
    o.data = static_cast<char*>(t.data());
    o.dtype = t.dtype();
    const int64_t item = static_cast<int64_t>(t.itemsize());
    const int own = static_cast<int>(t.dim());
    const int64_t *size = t.sizes().data(), *stride = t.strides().data();
    for (int d = 0; d < rank; ++d)
      o.strides[d] = d < own && size[own - 1 - d] > 1 ? stride[own - 1 - d] * item : 0;
  }
  // One element for all positions.
  void AddScalar(const void* value, DType dtype) {
    Operand& o = operands[num_operands++];
    o.data = static_cast<char*>(const_cast<void*>(value));
    o.dtype = dtype;
    for (int d = 0; d < rank; ++d) o.strides[d] = 0;
  }

  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= sizes[d];
    return n;
  }
  void Swap(int d, int e);
  // Drops dimensions of size 1, orders the others by ascending strides (the output's first), and
  // merges neighbours that all operands walk in one go. At least one dimension is left.
  void Coalesce();
  // As Coalesce, of dimensions first … last - 1 only. Returns the new end of that range.
  int CoalesceRange(int first, int last);
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ITERATION_H_
