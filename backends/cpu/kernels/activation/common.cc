#include "switchyard/backends/common/kernels/activation.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const ActivationKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
