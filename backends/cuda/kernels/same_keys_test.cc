// The kernels here serve the dtypes that the host's do: lists of dtypes are written down twice,
// beside the loops of the one and beside the formulas of the other.

#include <gtest/gtest.h>

#include <set>
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

// What has no kernel here at all, whatever the overload: docs/cuda.md.
const std::set<std::string_view> kHostsAlone = {"_fft_c2c", "_fft_c2r", "_fft_r2c"};

bool IsHostsAlone(std::string_view name) {
  return kHostsAlone.contains(name.substr(0, name.find('.')));
}

TEST(SameKeysTest, EveryKernelServesTheDTypesOfTheHostsKernel) {
  int compared = 0;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    const DTypeMask here = DTypesOn(*op, "cuda"), host = DTypesOn(*op, "cpu");
    if (here == 0 && IsHostsAlone(op->name())) continue;
    compared += here != 0;
    EXPECT_EQ(Names(host & ~here), "") << op->name() << ": the host's alone";
    EXPECT_EQ(Names(here & ~host), "") << op->name() << ": cuda's alone";
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace sy::cuda
