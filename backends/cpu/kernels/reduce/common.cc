#include "switchyard/backends/common/kernels/reduce.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const ReduceKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
