#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/rounding.h"

namespace sy::cuda {
namespace {

const RoundingKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
