#include "switchyard/backends/common/kernels/copy.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const CopyKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
