#include "switchyard/backends/common/kernels/arithmetic.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const ArithmeticKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
