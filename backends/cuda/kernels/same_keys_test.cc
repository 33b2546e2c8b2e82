// The kernels here serve the dtypes that the host's do. Those of formulas cannot help it; those
// written for each device state their dtypes for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "switchyard/core/dtype_names.h"
#include "switchyard/registry/registry.h"

namespace sy::cuda {
namespace {

DTypeMask DTypesOn(const OperatorEntry& op, std::string_view device) {
  DTypeMask dtypes = 0;
  for (const KernelDef* k : Registry::Global().KernelsOf(op)) {
    if (k->device != nullptr && k->device == device) dtypes |= k->dtypes;
  }
  constexpr DTypeMask kKnown = (DTypeMask{1} << kNumDTypes) - 1;
  return dtypes & kKnown;
}

// A kernel of one of the two, and composites for the other, which this program does not link.
constexpr std::string_view kComposites[] = {"_scaled_dot_product_flash_attention_for_cpu_backward",
                                            "quantize_per_channel", "quantize_per_tensor"};

TEST(SameKeysTest, EveryKernelServesTheDTypesOfTheHostsKernel) {
  int compared = 0;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    const DTypeMask here = DTypesOn(*op, "cuda"), host = DTypesOn(*op, "cpu");
    compared += here != 0;
    if (std::ranges::find(kComposites, op->name()) != std::end(kComposites)) continue;
    EXPECT_EQ(DTypeNames(host & ~here), "") << op->name() << ": the host's alone";
    EXPECT_EQ(DTypeNames(here & ~host), "") << op->name() << ": cuda's alone";
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace sy::cuda
