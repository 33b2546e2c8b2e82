#include "backends/cuda/kernels/reduce/dtypes.h"
#include "backends/cuda/kernels/reduce/extremes.h"

namespace sy::cuda {
namespace {

const Kernel max{"max", "cuda", kOrdered, Whole<kMax>};
const Kernel max_dim{"max.dim", "cuda", kOrdered, WithPositions<kMaxAt>};

}  // namespace
}  // namespace sy::cuda
