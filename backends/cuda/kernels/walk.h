// An index space and how operands lie in it, made as simple as it can be: what kernels are launched
// over.
//
//   Walk w(out.sizes());
//   w.Add(out); w.Add(a); w.AddNumber();   // 0 is the output; inputs broadcast
//   w.Simplify();
//
// Dimension 0 is the innermost. Strides are in bytes, 0 where an operand broadcasts.
// Owns: nothing. Threads: one.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_WALK_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_WALK_H_

#include "backends/cuda/device/args.h"
#include "switchyard/core/tensor.h"

namespace sy::cuda {

// How an operand lies along the innermost dimension; as device/pointwise.h's Lie.
enum class HostLie : uint8_t { kFull, kSame, kNumber, kStrided };

struct Walk {
  struct Operand {
    char* data;  // null: a number
    int64_t item;
    int64_t strides[kMaxRank];
  };
  int rank;
  int num_operands = 0;
  int64_t sizes[kMaxRank];
  Operand operands[kMaxOperands];

  explicit Walk(IntSpan shape);
  void Add(const Tensor& t) { Add(t, static_cast<int64_t>(t.itemsize())); }
  // As if its elements had `item` bytes each.
  void Add(const Tensor& t, int64_t item);
  void AddNumber();
  // By strides in bytes, outermost first.
  void Add(void* data, int64_t item, IntSpan strides);
  int64_t numel() const;
  // Drops dimensions of size 1, puts those with the smallest strides (the output's first) innermost
  // and merges those that all operands walk in one go.
  void Simplify() { SimplifyRange(0); }
  // The same of dimensions from `first` on.
  void SimplifyRange(int first);
  // All offsets, and the number of positions, fit 31 bits.
  bool is_narrow() const;
};

// How a kernel walks: how many elements a thread computes, and how each operand lies.
struct Layout {
  bool flat;  // one dimension, operands kFull, kSame or kNumber
  bool wide;  // 64-bit indices
  int each;   // elements of a thread, one after another in memory; 1: no matter how they lie
  HostLie lies[kMaxOperands];
};
// w is simplified, and has at most kMaxDims dimensions.
Layout ChooseLayout(const Walk& w);

// The dimension along which operand 1 has its elements one after another, where operand 0 has them
// along dimension 0, and both are long enough for tiles; 0: there is none.
int TurnedDim(const Walk& w);

Divider DividerOf(int64_t divisor);
void FillSpace(const Walk& w, const Layout& layout, Space& space);

// Calls run(walk) for parts of w of at most kMaxDims dimensions that make up all of it.
template <class Run>
void ForEachPart(Walk& w, const Run& run) {
  if (w.rank <= kMaxDims) return run(w);
  const int last = --w.rank;
  Walk::Operand before[kMaxOperands];
  for (int k = 0; k < w.num_operands; ++k) before[k] = w.operands[k];
  for (int64_t i = 0; i < w.sizes[last]; ++i) {
    for (int k = 0; k < w.num_operands; ++k) {
      if (before[k].data != nullptr)
        w.operands[k].data = before[k].data + i * before[k].strides[last];
    }
    ForEachPart(w, run);
  }
  for (int k = 0; k < w.num_operands; ++k) w.operands[k].data = before[k].data;
  ++w.rank;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_WALK_H_
