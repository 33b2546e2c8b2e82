// floor of integers, which are whole already; of others it is a formula.

#include "backends/cuda/engine/pointwise.h"

namespace sy::cuda {
namespace {

const Kernel floor{"floor", "cuda", kIntegers | kWideUnsigned, CopyElements};

}  // namespace
}  // namespace sy::cuda
