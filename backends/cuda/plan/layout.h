// How kernels are launched over an index space (backends/common/index_space.h).
//
//   IndexSpace w(out.sizes());
//   w.Add(out); w.Add(a); w.AddNumber();
//   w.Coalesce();
//   FillSpace(w, ChooseLayout(w), args.space);
//
// Owns: nothing. Threads: one.
// Errors: kNotImplemented for more than kMaxDims dimensions that cannot be merged.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_LAYOUT_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_LAYOUT_H_

#include <string_view>

#include "backends/cuda/device/args.h"
#include "switchyard/backends/common/index_space.h"

namespace sy::cuda {

// What an operand's stride along the innermost dimension is; as device/pointwise.h's StrideKind.
enum class HostStrideKind : uint8_t { kFull, kSame, kNumber, kStrided };

static_assert(IndexSpace::kMaxOperands == kMaxOperands);

// How a kernel walks: how many elements a thread computes, and each operand's kind of stride.
struct Layout {
  bool flat;          // one dimension, operands kFull, kSame or kNumber
  bool rows = false;  // two, of rows that are long enough for a block each
  bool wide;          // 64-bit indices
  int each;  // elements of a thread, one after another in memory; 1: no matter how they lie
  HostStrideKind stride_kinds[kMaxOperands];
};
// w is coalesced, and has at most kMaxDims dimensions.
Layout ChooseLayout(const IndexSpace& w);

// The dimension along which operand 1 has its elements one after another, where operand 0 has them
// along dimension 0, and both are long enough for tiles; 0: there is none.
int TransposedDim(const IndexSpace& w);

// Refuses a space of more than kMaxDims dimensions.
void RequireFewDims(std::string_view op, const IndexSpace& w);

Divider DividerOf(int64_t divisor);
void FillSpace(const IndexSpace& w, const Layout& layout, Space& space);

// Calls run(part) for parts of w of at most kMaxDims dimensions that make up all of it.
template <class Run>
void ForEachPart(IndexSpace& w, const Run& run) {
  if (w.rank <= kMaxDims) return run(w);
  const int last = --w.rank;
  IndexSpace::Operand before[kMaxOperands];
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

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_LAYOUT_H_
