// This backend as the kernels that are written once for all see it (backends/common/kernels).
//
//   const ClampKernels<Engine> clamp;
//
// Owns: nothing. Threads: any; large operands are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ENGINE_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ENGINE_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cpu {

// Its members are described in backends/common/formula_kernel.h.
struct Engine {
  static constexpr char kDevice[] = "cpu";

  using Formula = const LoopSet&;
  template <class F>
  static Formula Of() {
    return kLoops<F>;
  }
  static Formula Of(const Call& call) { return *static_cast<const LoopSet*>(call.kernel->data); }

  template <class... In>
  SY_INLINE static void Run(Formula loops, const Call& call, const Tensor& out, const In&... in) {
    RunLoops(loops, call.dtype(), out, in...);
  }
  static void RunSelect(Formula loops, const Call& call, const Tensor& out, const Tensor& condition,
                        const Tensor& a, const Tensor& b) {
    cpu::RunSelect(loops, call.dtype(), out, condition, a, b);
  }
  static void RunWith(Formula loops, const Call& call, const Tensor& out,
                      std::initializer_list<const Tensor*> in,
                      std::initializer_list<Scalar> numbers) {
    RunLoopsWith(loops, call.dtype(), out, in, numbers);
  }
  static void RunKeepingNumber(Formula loops, const Call& call, const Tensor& out,
                               std::initializer_list<const Tensor*> in) {
    RunLoopsInFloat(loops, call.dtype(), out, in);
  }

  static void Copy(const Call&, const Tensor& out, const Tensor& source) {
    CopyElements(out, source);
  }
  static void Fill(const Call&, const Tensor& out, const Scalar& number) {
    FillElements(out, number);
  }

  // An integer divisor of 0; what is no probability.
  static void RequireNoZero(const Call& call, const Tensor& divisors);
  static void RequireProbabilities(const Call& call, const Tensor& t);

  template <class R>
  SY_INLINE static void Reduce(const Call&, DType dtype, const Tensor& self, uint64_t mask,
                               const Tensor& first, const ReduceFinish& finish = {}) {
    cpu::Reduce(kReduceLoops<R>, dtype, self, mask, {{&first, kFirst<R>}}, finish);
  }
  template <class R>
  static void ReduceSecond(const Call&, DType dtype, const Tensor& self, uint64_t mask,
                           const Tensor& second) {
    cpu::Reduce(kReduceLoops<R>, dtype, self, mask, {{&second, 1 - kFirst<R>}});
  }
  template <class R>
  static void ReduceBoth(const Call&, DType dtype, const Tensor& self, uint64_t mask,
                         const Tensor& first, const Tensor& second,
                         const ReduceFinish& finish = {}) {
    cpu::Reduce(kReduceLoops<R>, dtype, self, mask, {{&first, kFirst<R>}, {&second, 1 - kFirst<R>}},
                finish);
  }

 private:
  // Which part of the state the first output is: moments are mean and squares.
  template <class R>
  static constexpr int kFirst = R::kState == f::StateKind::kMoments ? 1 : 0;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ENGINE_H_
