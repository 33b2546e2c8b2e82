#include "backends/cpu/kernels/resample/resampler.h"

namespace sy::cpu {
namespace {

const ResampleKernels<Resampler> kernels;

}  // namespace
}  // namespace sy::cpu
