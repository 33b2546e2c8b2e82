// How a reduction of a tensor's dimensions is spread over threads, and the source of its kernel.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_REDUCE_PLAN_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_REDUCE_PLAN_H_

#include <string>

#include "backends/cuda/plan/layout.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/core/tensor.h"
#include "switchyard/registry/formula.h"

namespace sy::cuda {

// A reduction of ops/formulas/reduce.h, or of device/reduce.h.
struct Reduction {
  const char* type;  // its name in sources; one address of each, which is part of kernels' keys
  DTypeMask widened = 0;  // integers that it carries in int64
};
template <class R>
inline constexpr Reduction kReduction{kFormula<R>.type(), kFormula<R>.facts.widened};

// How a reduction is spread over threads.
struct ReduceShape {
  int lanes;       // threads for each output: 1, 32 or 256
  int64_t chunks;  // parts of each output's elements, reduced apart
};
// across: neighbouring outputs' elements are neighbours in memory. threads: what the device runs at
// a time.
ReduceShape ChooseReduceShape(int64_t outputs, int64_t count, bool across, int64_t threads);

// The space of outputs, with operands self and outputs, and that of what each reduces, with
// operands self and positions.
struct ReduceSpaces {
  IndexSpace kept, reduced;
};
ReduceSpaces SpacesOf(const Tensor& self, uint64_t mask, const Tensor* first, const Tensor* second);

// How many elements that are reduced lie side by side, in 16 bytes at most, wherever a group of
// `lanes` threads goes by multiples of them; 0: they do not lie along one dimension.
int SideBySide(const ReduceSpaces& spaces, int lanes);

// What a reduction's kernel is specialised to besides dtypes.
struct ReduceForm {
  int lanes;
  int each;             // of SideBySide
  bool wide;            // 64-bit offsets
  bool states = false;  // the kernel that combines those of chunks
};
// Threads for each output that combine its chunks' states, as many whoever does it: their order is
// the same.
inline int LanesOfStates(int lanes) { return lanes == 1 ? 32 : lanes; }
// A whole source, whose kernel is `k`.
std::string ReduceSource(const Reduction& reduction, ReduceFinish::Kind finish, DType dtype,
                         DType in, DType first, DType second, const ReduceForm& form);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_REDUCE_PLAN_H_
