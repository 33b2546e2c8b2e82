#include "backends/cuda/engine/engine.h"
#include "switchyard/backends/common/kernels/reduce.h"

namespace sy::cuda {
namespace {

const ReduceKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cuda
