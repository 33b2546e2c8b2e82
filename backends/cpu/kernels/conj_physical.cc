// Of real numbers; complex ones have loops.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

void Same(Call, const Tensor& out, const Tensor& self) { CopyElements(out, self); }

const Kernel kernel{"conj_physical", "cpu", kAllTypes & ~(kComplexTypes | Bit(DType::kComplex32)),
                    Same};

}  // namespace
}  // namespace sy::cpu
