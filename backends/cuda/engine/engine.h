// This backend as the kernels that are written once for all see it (backends/common/kernels).
//
//   const ClampKernels<Engine> clamp;
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_ENGINE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_ENGINE_H_

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/backends/common/formula_kernel.h"

namespace sy::cuda {

// Its members are described in backends/common/formula_kernel.h.
struct Engine {
  static constexpr char kDevice[] = "cuda";

  using Formula = const FormulaDef&;
  template <class F>
  static Formula Of() {
    return kFormula<F>;
  }
  static Formula Of(const Call& call) { return *static_cast<const FormulaDef*>(call.kernel->data); }

  template <class... In>
  static void Run(Formula formula, const Call& call, const Tensor& out, const In&... in) {
    RunFormula(call, formula, out, {&in...});
  }
  static void RunSelect(Formula formula, const Call& call, const Tensor& out,
                        const Tensor& condition, const Tensor& a, const Tensor& b) {
    RunFormula(call, formula, out, {&condition, &a, &b});
  }
  static void RunWith(Formula formula, const Call& call, const Tensor& out,
                      std::initializer_list<const Tensor*> in,
                      std::initializer_list<Scalar> numbers) {
    RunFormula(call, formula, out, in, numbers);
  }
  static void RunKeepingNumber(Formula formula, const Call& call, const Tensor& out,
                               std::initializer_list<const Tensor*> in) {
    cuda::RunKeepingNumber(call, formula, out, in);
  }

  static void Copy(const Call& call, const Tensor& out, const Tensor& source) {
    CopyElements(call, out, source);
  }
  static void Fill(const Call& call, const Tensor& out, const Scalar& number) {
    FillElements(call, out, number);
  }

  // An integer divisor of 0; what is no probability.
  static void RequireNoZero(const Call& call, const Tensor& divisors);
  static void RequireProbabilities(const Call& call, const Tensor& t);

  template <class R>
  static void Reduce(const Call& call, DType dtype, const Tensor& self, uint64_t mask,
                     const Tensor& first, const ReduceFinish& finish = {}) {
    cuda::Reduce(call, kReduction<R>, dtype, self, mask, &first, nullptr, finish);
  }
  template <class R>
  static void ReduceSecond(const Call& call, DType dtype, const Tensor& self, uint64_t mask,
                           const Tensor& second) {
    cuda::Reduce(call, kReduction<R>, dtype, self, mask, nullptr, &second);
  }
  template <class R>
  static void ReduceBoth(const Call& call, DType dtype, const Tensor& self, uint64_t mask,
                         const Tensor& first, const Tensor& second,
                         const ReduceFinish& finish = {}) {
    cuda::Reduce(call, kReduction<R>, dtype, self, mask, &first, &second, finish);
  }
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_ENGINE_H_
