// The table: the skeleton's device under another name.

#include <vector>

#include "examples/plugins/skeleton/device.h"
#include "testing/conform/testdata/mutant/mutant.h"

namespace {

const SyDeviceDef devices[] = {sy::abi::DeviceOf("mutant", skeleton::kDevice)};

const SyPlugin& Table() {
  static const std::vector<SyKernelDef> kernels = [] {
    std::vector<SyKernelDef> all;
    for (const auto& group : {mutant::kElementwise, mutant::kReductions, mutant::kMatrices,
                              mutant::kPositions, mutant::kOwn})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  static const SyPlugin table =
      sy::abi::MakePlugin("mutant", "1.0", devices, mutant::kOperators, kernels);
  return table;
}

}  // namespace

SY_PLUGIN(Table(), "mutant")
