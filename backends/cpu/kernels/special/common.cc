#include "switchyard/backends/common/kernels/special.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const SpecialKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
