// An index space and how operands lie in it: what kernels walk over.
//
//   IndexSpace space(out.sizes());
//   space.Add(out); space.Add(a); space.Add(b);   // 0 is the output; inputs broadcast
//   space.Coalesce();
//
// Dimension 0 is the innermost. Strides are in bytes, 0 where an operand broadcasts.
// Owns: nothing; operands' memory must outlive it.
// Threads: one writer; any number may read it.
#ifndef SWITCHYARD_BACKENDS_COMMON_INDEX_SPACE_H_
#define SWITCHYARD_BACKENDS_COMMON_INDEX_SPACE_H_

#include "switchyard/core/tensor.h"

namespace sy {

struct IndexSpace {
  static constexpr int kMaxOperands = 4;

  struct Operand {
    char* data;    // null: a number that the kernel is given apart, or positions
    int64_t item;  // bytes of an element
    DType dtype;   // kBool where only the bytes matter
    int64_t strides[kMaxRank];
  };

  int rank;
  int num_operands = 0;
  int64_t sizes[kMaxRank];
  Operand operands[kMaxOperands];

  explicit IndexSpace(IntSpan shape) : rank(static_cast<int>(shape.size())) {
    for (int d = 0; d < rank; ++d) sizes[d] = shape[rank - 1 - d];
  }

  // t's sizes expand to the shape.
  void Add(const Tensor& t) { Add(t, static_cast<int64_t>(t.itemsize())); }
  // As if its elements had `item` bytes each.
  void Add(const Tensor& t, int64_t item) {
    Operand& o = Next(static_cast<char*>(t.data()), item, t.dtype());
    const int own = static_cast<int>(t.dim());
    const int64_t *size = t.sizes().data(), *stride = t.strides().data();
    for (int d = 0; d < rank; ++d)
      o.strides[d] = d < own && size[own - 1 - d] > 1 ? stride[own - 1 - d] * item : 0;
  }
  // By strides in bytes, outermost first.
  void Add(void* data, int64_t item, IntSpan strides) {
    Operand& o = Next(static_cast<char*>(data), item, DType::kBool);
    for (int d = 0; d < rank; ++d) o.strides[d] = strides[rank - 1 - d];
  }
  // The next operand, whose strides are still to be said.
  Operand& Next(char* data, int64_t item, DType dtype) {
    Operand& o = operands[num_operands++];
    o.data = data;
    o.item = item;
    o.dtype = dtype;
    return o;
  }
  // One element for all positions.
  void AddElement(const void* value, DType dtype) {
    Operand& o = Next(static_cast<char*>(const_cast<void*>(value)),
                      static_cast<int64_t>(ItemSize(dtype)), dtype);
    for (int d = 0; d < rank; ++d) o.strides[d] = 0;
  }
  // A number, which lies nowhere.
  void AddNumber() {
    Operand& o = Next(nullptr, 0, DType::kBool);
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
  void Coalesce() { CoalesceFrom(0); }
  // The same of dimensions from `first` on, of which none is left where all have size 1, unless
  // there is no other.
  void CoalesceFrom(int first);
  // As CoalesceFrom, of dimensions first … last - 1 only. Returns the new end of that range.
  int CoalesceRange(int first, int last);
  // Whether all offsets, and the number of positions, fit 31 bits.
  bool is_narrow() const;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_INDEX_SPACE_H_
