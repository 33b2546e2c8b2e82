// The same in processes that have used nothing yet: memory runs out while the first plugin is
// loaded, at any allocation that this takes, the registry's own included. The same load works when
// memory is back, and the program is as one in which nothing ever failed.
//
// SWITCHYARD_LONG=1: every allocation; otherwise a part of them.

#include <gtest/gtest.h>

#include <cstdio>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"
#include "tests/faults/child.h"
#include "tests/faults/long.h"
#include "tests/faults/memory/memory_short.h"

namespace sy {
namespace {

using testing::InChild;
using testing::MemoryShort;
using testing::PluginPath;
using testing::Snapshot;

// Loads and uses a plugin, and takes it out again; what the program knows afterwards.
std::string LoadUseUnload() {
  load_plugin(PluginPath("fault"));
  const std::string sum = ToString(call("fault::twice", tensor({1., 2.})).tensor());
  if (sum != "tensor([2., 4.])") return "twice: " + sum;
  const UnloadAnswer a = unload_plugin("fault");
  if (a.text != "unloaded") return a.text;
  return Snapshot();
}

TEST(ColdAllocationTest, TheFirstLoadOfAProcessFailsAsAWhole) {
#if SY_SANITIZED
  GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
  const std::string expected = InChild(LoadUseUnload);
  ASSERT_NE(expected.find("add.Tensor"), std::string::npos) << expected;
  const std::string counted = InChild([] {
    const MemoryShort memory(MemoryShort::kNever);
    load_plugin(PluginPath("fault"));
    return std::to_string(memory.count());
  });
  const int64_t count = std::stoll(counted);
  ASSERT_GT(count, 100);
  const int64_t step = testing::IsLong() ? 1 : count / 40;
  int64_t processes = 0;
  for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
    for (int64_t n = 1; n <= count; n += step, ++processes) {
      const std::string answer = InChild([&]() -> std::string {
        try {
          const MemoryShort memory(n, how);
          load_plugin(PluginPath("fault"));
        } catch (const std::exception&) {
          if (!loaded_plugins().empty()) return "it failed, and is loaded";
          return LoadUseUnload();
        }
        unload_plugin("fault");
        return LoadUseUnload();
      });
      ASSERT_EQ(answer, expected) << "allocation " << n << " of " << count
                                  << (how == MemoryShort::kOnce ? "" : " and all after it");
    }
  }
  std::printf("%ld processes at %ld allocations\n", static_cast<long>(processes),
              static_cast<long>(count));
}

}  // namespace
}  // namespace sy
