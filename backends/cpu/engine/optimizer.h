// Loops of optimisers' steps: all that a step reads and writes, in one pass.
//
//   StepsOf(DType::kFloat32).adam(data, n, nullptr, numbers);
//
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/ops/formulas/optimizer.h"

namespace sy::cpu {

// data: kStepTensors addresses, null where there is no tensor; n elements each, one after another.
// scale: null, or what gradients are divided by, which then are written too.
using StepLoop = void (*)(void* const* data, size_t n, const double* scale,
                          const f::StepNumbers& k);

struct StepLoops {
  StepLoop sgd, adam, adagrad;
  // Multiplies n elements; whether one was not finite before.
  bool (*unscale)(void* data, size_t n, double scale);
};
struct StepTable {
  StepLoops float16, bfloat16, float32, float64;
};

SY_IN_EACH_ISA(extern const StepTable steps)

// d: a floating dtype of 16 bits or more.
inline const StepLoops& StepsOf(DType d) {
  static constexpr const StepTable* kTables[kNumIsas] = SY_OF_EACH_ISA(steps);
  const StepTable& t = *kTables[ActiveIsa()];
  return d == DType::kFloat16    ? t.float16
         : d == DType::kBFloat16 ? t.bfloat16
         : d == DType::kFloat32  ? t.float32
                                 : t.float64;
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_
