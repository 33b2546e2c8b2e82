// What an author gives with --reference: a plugin without a device, whose kernels for cpu say what
// another plugin's operators give.

#include "testing/conform/testdata/mutant/smooth.h"

namespace {

using namespace sy::abi;

constexpr SyKernelDef kernels[] = {
    Kernel<mutant::Smooth>("mutant::smooth", "cpu", SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64))};
constexpr SyPlugin plugin =
    MakePlugin("reference", "1.0", Span<const SyDeviceDef>(), Span<const SyOperatorDef>(), kernels);

}  // namespace

SY_PLUGIN(plugin, "reference")
