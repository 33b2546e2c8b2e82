#include "backends/cuda/kernels/reduce/extremes.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

const Kernel min{"min", "cuda", kFormula<f::Min>.dtypes(), Whole<kMin>};
const Kernel min_dim{"min.dim", "cuda", kFormula<f::MinAt>.dtypes(), WithPositions<kMinAt>};

}  // namespace
}  // namespace sy::cuda
