#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/copy.h"

namespace sy::cuda {
namespace {

const CopyKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
