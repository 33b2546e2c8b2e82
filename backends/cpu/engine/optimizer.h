// Loops of optimisers' steps: all that a step reads and writes, in one pass.
//
//   StepsOf(DType::kFloat32).adam(data, n, nullptr, numbers);
//
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_

#include "switchyard/backends/cpu/engine/for_floats.h"
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
using StepTable = ForFloats<StepLoops>;

SY_IN_EACH_ISA(extern const StepTable steps)

// d: a floating dtype of 16 bits or more.
inline const StepLoops& StepsOf(DType d) {
  static constexpr const StepTable* kTables[kNumIsas] = SY_OF_EACH_ISA(steps);
  return kTables[ActiveIsa()]->Of(d);
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_OPTIMIZER_H_
