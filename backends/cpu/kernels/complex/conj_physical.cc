// Of real numbers; complex ones have loops.
#include "switchyard/backends/cpu/kernels/same.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

const Kernel kernel{"conj_physical", "cpu", kAllTypes & ~(kComplexTypes | Bit(DType::kComplex32)),
                    Same};

}  // namespace
}  // namespace sy::cpu
