// Sparse and quantised tensors: recorded calls on the cpu, and that every kernel for such tensors
// is one of an operator that is there.

#include <gtest/gtest.h>

#include <sstream>

#include "switchyard/core/device.h"
#include "switchyard/core/logging.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/registry/registry.h"
#include "testing/replay/folder.h"

namespace sy::replay {
namespace {

TEST(Layouts, RecordedCallsPass) {
  SetLogLevel(LogLevel::kError);
  std::ostringstream failures;
  const Report r = ReplayFolder("tests/conformance/layouts",
                                {.device = ParseDevice("cpu"), .failures = &failures});
  EXPECT_GT(r.total().passed, 0);
  constexpr size_t kRoom = 10000;  // characters: enough to see what is wrong
  EXPECT_EQ(r.total().failed, 0) << failures.str().substr(0, kRoom);
  EXPECT_EQ(r.total().missing, 0);
}

TEST(Layouts, KernelsAreOfOperatorsThatAreThere) {
  int count = 0;
  const LayoutKernelDef* k = internal::LinkedLayoutKernels();
  for (; k != nullptr; k = k->next_linked, ++count) {
    const OperatorEntry* op = Registry::Global().Find(k->op);
    ASSERT_NE(op, nullptr) << k->op << " at " << k->source();
    if (k->code != nullptr) {
      EXPECT_EQ(op->schema().DirectCode(), k->code) << k->source();
    }
    // A body of its own is no shape function, which knows of strided tensors alone.
    if (k->thunk == nullptr && k->values == nullptr) {
      EXPECT_EQ(op->kind, Variant::kDirect) << k->op << " at " << k->source();
    }
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace sy::replay
