// The kernels here serve the dtypes that the host's do. Those of formulas cannot help it; those
// written for each device state their dtypes for each.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "switchyard/core/dtype.h"
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

std::string Names(DTypeMask dtypes) {
  std::string names;
  for (int i = 0; i < kNumDTypes; ++i) {
    const auto d = static_cast<DType>(i);
    if (Contains(dtypes, d)) names += (names.empty() ? "" : " ") + std::string(Name(d));
  }
  return names;
}

TEST(SameKeysTest, EveryKernelServesTheDTypesOfTheHostsKernel) {
  int compared = 0;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    const DTypeMask here = DTypesOn(*op, "cuda"), host = DTypesOn(*op, "cpu");
    compared += here != 0;
    EXPECT_EQ(Names(host & ~here), "") << op->name() << ": the host's alone";
    EXPECT_EQ(Names(here & ~host), "") << op->name() << ": cuda's alone";
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace sy::cuda
