// The table: what the worker has, with the fault in it.

#include "testing/conform/testdata/late/late.h"

namespace {

const SyPlugin& Table() {
  static const SyDeviceFunctions functions = late::DeviceWithFault();
  static const SyDeviceDef devices[] = {sy::abi::DeviceOf("worker", functions)};
  static const SyPlugin table =
      sy::abi::MakePlugin("late", "1.0", devices, late::Operators(), late::KernelsWithFault());
  return table;
}

}  // namespace

SY_PLUGIN(Table(), "late")
