// Runs a loop over operands of any sizes, strides and dtypes.
//
//   void Sin(Call call, const Tensor& out, const Tensor& self) { RunLoops(loops::sin, call.dtype(), out, self); }
//
// Inputs broadcast to out's sizes and convert to `dtype`, the dtype of the computation, before the
// loop's own (Widened) one; results convert to out's dtype. out may be exactly an input.
// Owns: nothing.
// Threads: any; large operands are split over ParallelFor's. The result does not depend on how many.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/iteration.h"
#include "switchyard/backends/cpu/engine/loop.h"

namespace sy::cpu {

// What a loop's operands are: the dtypes it reads and writes, and the one in which operands meet,
// which rounds before it widens (an int64 that meets float16 becomes a float16 first).
struct LoopCall {
  Loop loop;
  DType common[kMaxOperands];  // 0: the result's dtype before it is stored in out's
  DType in_loop[kMaxOperands];
};
LoopCall CallOf(const LoopSet& set, DType dtype, int num_operands);

// `it` is coalesced on the way.
void RunLoop(const LoopCall& call, Iteration& it);

namespace internal {
// Fewer elements than this run in the calling thread, straight from the tensors.
inline constexpr int64_t kSmall = 32768;
void RunLoopsSlow(const LoopSet& set, DType dtype, const Tensor& out, const Tensor* const* inputs,
                  int num_inputs);
}  // namespace internal

// The loops of `set` for computations in `dtype`.
template <class... In>
SY_INLINE void RunLoops(const LoopSet& set, DType dtype, const Tensor& out, const Tensor& first,
                        const In&... rest) {
  // Straight from the tensors: few elements, contiguous, of the loop's dtypes.
  const int d = static_cast<int>(dtype);
  const TensorImpl* o = out.impl();
  const int64_t n = o->numel;
  const auto wanted = static_cast<KeyWord>(dtype);
  const bool select = set.signature == Signature::kSelect;
  KeyWord differ = (o->key ^ static_cast<KeyWord>(set.output[d])) |
                   (first.impl()->key ^ (select ? KeyWord{0} : wanted));
  ((differ |= rest.impl()->key ^ wanted), ...);
  int64_t sizes_differ = first.impl()->numel ^ n;
  ((sizes_differ |= rest.impl()->numel ^ n), ...);
  int flags = o->flags & first.impl()->flags;
  ((flags &= rest.impl()->flags), ...);
  if ((differ & (kMaxDTypes - 1)) == 0 && sizes_differ == 0 && (flags & kContiguousFlag) != 0 &&
      n < internal::kSmall && Contains(set.direct, dtype)) [[likely]] {
    void* const p[] = {o->data(), first.data(), rest.data()...};
    return set.tables[ActiveIsa()]->loops[d](p, static_cast<size_t>(n), false);
  }
  const Tensor* const inputs[] = {&first, &rest...};
  internal::RunLoopsSlow(set, dtype, out, inputs, 1 + sizeof...(In));
}

// The same for two inputs; if dtype is a 16-bit float and `other` is one element of another dtype,
// that is not rounded to dtype: x * 70000 in float16 is not infinite. Source: ATen's
// BinaryOpsKernel.cpp, mul and div.
void RunLoopsKeepingNumber(const LoopSet& set, DType dtype, const Tensor& out, const Tensor& self,
                           const Tensor& other);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_
