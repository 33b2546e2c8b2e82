// Roundings of integers, which are integers already.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

void Same(Call, const Tensor& out, const Tensor& self) { CopyElements(out, self); }

constexpr DTypeMask kAnyInteger = kIntegerTypes | kWideUnsignedTypes;
const Kernel ceil{"ceil", "cpu", kAnyInteger, Same};
const Kernel floor{"floor", "cpu", kAnyInteger, Same};

}  // namespace
}  // namespace sy::cpu
