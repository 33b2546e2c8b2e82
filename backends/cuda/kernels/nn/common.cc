#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/nn.h"

namespace sy::cuda {
namespace {

const NnKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
