#include "switchyard/backends/common/kernels/nn.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const NnKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
