// Runs a loop over operands of any sizes, strides and dtypes.
//
//   void Sin(Call call, const Tensor& out, const Tensor& self) {
//     RunLoops(kLoops<f::Sin>, call.dtype(), out, self);
//   }
//
// Inputs broadcast to out's sizes and convert to `dtype`, the dtype of the computation, before the
// loop's own (Widened) one; results convert to out's dtype. out may be exactly an input.
// Owns: nothing.
// Threads: any; large operands are split over ParallelFor's. The result does not depend on how
// many.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_

#include <initializer_list>

#include "switchyard/backends/common/index_space.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/engine/loop.h"

namespace sy::cpu {

// What a loop's operands are: the dtypes it reads and writes, and the one in which operands meet,
// which rounds before it widens (an int64 that meets float16 becomes a float16 first).
struct LoopCall {
  Loop loop;
  DType common[IndexSpace::kMaxOperands];  // 0: the result's dtype before it is stored in out's
  DType in_loop[IndexSpace::kMaxOperands];
  bool takes_uniform = false;  // the loop knows operands that are the same for all elements
  int num_params = 0;
  void* params[kMaxParams];  // what the loop gets after its operands
};
LoopCall CallOf(const LoopSet& set, DType dtype, int num_operands);

// `it` is coalesced on the way.
void RunLoop(const LoopCall& call, IndexSpace& it);

namespace internal {
// Fewer elements than this run in the calling thread, straight from the tensors.
inline constexpr int64_t kSmall = 32768;
void RunLoopsSlow(const LoopSet& set, DType dtype, const Tensor& out, const Tensor* const* inputs,
                  int num_inputs);

// Contiguous, n elements of that dtype.
SY_INLINE bool IsPlain(const Tensor& t, int64_t n, DType dtype) {
  const TensorImpl* i = t.impl();
  return (i->flags & kContiguousFlag) != 0 && i->dtype() == dtype && i->numel == n;
}
}  // namespace internal

// The loops of `set` for computations in `dtype`. Few elements run in the calling thread, straight
// from the tensors, where they are contiguous and of the loop's dtypes.
template <class... In>
SY_INLINE void RunLoops(const LoopSet& set, DType dtype, const Tensor& out, const In&... in) {
  const int d = static_cast<int>(dtype);
  const int64_t n = out.numel();
  if (Contains(set.direct, dtype) && n < internal::kSmall &&
      internal::IsPlain(out, n, set.output[d]) && (internal::IsPlain(in, n, dtype) && ...))
      [[likely]] {
    void* const p[] = {out.data(), in.data()...};
    return set.tables[ActiveIsa()]->loops[d](p, static_cast<size_t>(n), false);
  }
  const Tensor* const inputs[] = {&in...};
  internal::RunLoopsSlow(set, dtype, out, inputs, sizeof...(In));
}
// The same for loops of Signature::kSelect.
void RunSelect(const LoopSet& set, DType dtype, const Tensor& out, const Tensor& condition,
               const Tensor& a, const Tensor& b);

// Loops of a formula with parameters, which are the same for all elements. In a computation of
// 16-bit floats they are not rounded to these.
void RunLoopsWith(const LoopSet& set, DType dtype, const Tensor& out,
                  std::initializer_list<const Tensor*> inputs,
                  std::initializer_list<Scalar> params);

// For a dtype of 16-bit floats: in float32's loop, the last input not rounded to dtype.
void RunLoopsInFloat(const LoopSet& set, DType dtype, const Tensor& out,
                     std::initializer_list<const Tensor*> inputs);

// The same for two inputs; if dtype is a 16-bit float and `other` is one element of another dtype,
// that is not rounded to dtype: x * 70000 in float16 is not infinite. Source: ATen's
// BinaryOpsKernel.cpp, mul and div.
inline void RunLoopsKeepingNumber(const LoopSet& set, DType dtype, const Tensor& out,
                                  const Tensor& self, const Tensor& other) {
  if (Contains(kHalfTypes, dtype) && other.numel() == 1 && other.dtype() != dtype) [[unlikely]]
    return RunLoopsInFloat(set, dtype, out, {&self, &other});
  RunLoops(set, dtype, out, self, other);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_POINTWISE_H_
