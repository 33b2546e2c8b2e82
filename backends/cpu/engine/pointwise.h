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
void RunLoopsSlow(const LoopSet& set, DType dtype, const Tensor& out,
                  const Tensor* const* inputs, int num_inputs);
}  // namespace internal

// The loops of `set` for computations in `dtype`.
template <class... In>
inline void RunLoops(const LoopSet& set, DType dtype, const Tensor& out, const In&... in) {
  const int d = static_cast<int>(dtype);
  const TensorImpl* o = out.impl();
  const int64_t n = o->numel;
  const DType want = set.runs_in[d];
  const DType first = set.signature == Signature::kSelect ? DType::kBool : want;
  bool easy = o->dtype() == set.output[d] && (o->flags & kContiguousFlag) != 0 && want == dtype &&
              n < internal::kSmall;
  int i = 0;
  ((easy &= in.impl()->numel == n && (in.impl()->flags & kContiguousFlag) != 0 &&
            in.dtype() == (i++ == 0 ? first : want)),
   ...);
  if (easy) [[likely]] {
    void* const p[] = {out.data(), in.data()...};
    return set.tables[ActiveIsa()]->loops[d](p, static_cast<size_t>(n), false);
  }
  const Tensor* const inputs[] = {&in...};
  internal::RunLoopsSlow(set, dtype, out, inputs, sizeof...(In));
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_
