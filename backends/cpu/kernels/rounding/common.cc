#include "switchyard/backends/common/kernels/rounding.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const RoundingKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
