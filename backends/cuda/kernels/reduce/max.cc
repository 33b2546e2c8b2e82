#include "backends/cuda/kernels/reduce/extremes.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

const Kernel max{"max", "cuda", kFormula<f::Max>.dtypes(), Whole<kMax>};
const Kernel max_dim{"max.dim", "cuda", kFormula<f::MaxAt>.dtypes(), WithPositions<kMaxAt>};

}  // namespace
}  // namespace sy::cuda
