#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/special.h"

namespace sy::cuda {
namespace {

const SpecialKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
