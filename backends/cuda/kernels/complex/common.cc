#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/complex.h"

namespace sy::cuda {
namespace {

const ComplexKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
