// trunc of integers, which are whole already; of others it is a formula.

#include "backends/cuda/engine/pointwise.h"

namespace sy::cuda {
namespace {

const Kernel trunc{"trunc", "cuda", kIntegers | kWideUnsigned, CopyElements};

}  // namespace
}  // namespace sy::cuda
