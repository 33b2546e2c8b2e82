#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/activation.h"

namespace sy::cuda {
namespace {

const ActivationKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
