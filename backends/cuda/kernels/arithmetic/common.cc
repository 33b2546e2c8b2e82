#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/arithmetic.h"

namespace sy::cuda {
namespace {

const ArithmeticKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
