#include "backends/cuda/kernels/reduce/dtypes.h"
#include "backends/cuda/kernels/reduce/extremes.h"

namespace sy::cuda {
namespace {

const Kernel min{"min", "cuda", kOrdered, Whole<kMin>};
const Kernel min_dim{"min.dim", "cuda", kOrdered, WithPositions<kMinAt>};

}  // namespace
}  // namespace sy::cuda
