#include "switchyard/backends/common/kernels/complex.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

const ComplexKernels<Engine> kernels;

}  // namespace
}  // namespace sy::cpu
