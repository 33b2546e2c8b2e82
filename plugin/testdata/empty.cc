// Kernels that do nothing, for measuring what a call of a plugin costs: one by the C header, one
// through the C++ wrapper.

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

int32_t Nothing(SyCall*) noexcept { return SY_OK; }
void Wrapped(Call, Tensor, Tensor, Tensor) {}

constexpr SyKernelDef Plain() {
  SyKernelDef k = Kernel<Wrapped>("bench::two", "cpu", SY_BIT(SY_FLOAT64));
  k.fn = Nothing;
  return k;
}
constexpr SyKernelDef kernels[] = {Plain(), Kernel<Wrapped>("bench::two", "cpu", SY_BIT(SY_INT64))};
const SyPlugin plugin = MakePlugin("empty", "1.0", {}, {}, kernels);

}  // namespace

SY_PLUGIN(plugin, "empty")
