// conj_physical of real numbers; of complex ones it is a formula.

#include "backends/cuda/engine/pointwise.h"

namespace sy::cuda {
namespace {

const Kernel conj{"conj_physical", "cuda", kAllTypes & ~(kComplexes | kComplex32), CopyElements};

}  // namespace
}  // namespace sy::cuda
