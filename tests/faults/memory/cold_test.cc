// The first call of a process finds no memory at one of its allocations: it says so, and the next
// one finds everything as if nothing had been. Each in a process of its own, in which nothing has
// been used before: registry, schemas, kernels, pools, libraries.

#include <gtest/gtest.h>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "tests/faults/child.h"
#include "tests/faults/long.h"
#include "tests/faults/memory/attempt.h"

namespace sy {
namespace {

using testing::Attempt;
using testing::Case;
using testing::Cases;
using testing::InChild;
using testing::MemoryShort;

// Every operator, kernel, device and problem.
std::string Snapshot() {
  Registry& r = Registry::Global();
  std::string s;
  for (const OperatorEntry* op : r.Entries()) {
    s += op->schema().str() + "\n";
    for (const KernelDef* k : r.KernelsOf(*op)) s += "  " + k->source() + "\n";
  }
  for (const std::string& p : r.Problems()) s += p + "\n";
  return s;
}

constexpr const char* kNoneFailed = "none failed";

// In a fresh process. looks: whether the registry is looked at as a whole, which takes its time.
std::string ColdAttempt(Cases& cases, const Case& c, int64_t nth, MemoryShort::How how,
                        size_t snapshot) {
  const Attempt a = CallWithoutMemory(cases, c, nth, how);
  if (!a.why.empty()) return a.why;
  if (const std::string why = CallWithMemory(c); !why.empty()) return "afterwards: " + why;
  if (snapshot != 0 && std::hash<std::string>()(Snapshot()) != snapshot)
    return "the registry is another one: " + Snapshot();
  return a.failed == 0 ? kNoneFailed : "";
}

void FailEach(Cases& cases, int64_t step, int64_t step_of_snapshots) {
  const size_t snapshot =
      std::stoull(InChild([] { return std::to_string(std::hash<std::string>()(Snapshot())); }));
  for (const Case& c : cases.all()) {
    for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
      // Odd steps beside each other's places.
      int64_t n = 1 + (how == MemoryShort::kOnce ? 0 : step / 2);
      for (;; n += step) {
        const size_t looks = n / step % step_of_snapshots == 0 ? snapshot : 0;
        const std::string why = InChild([&] { return ColdAttempt(cases, c, n, how, looks); });
        if (why == kNoneFailed) break;
        ASSERT_EQ(why, "") << c.op << ", allocation " << n
                           << (how == MemoryShort::kOnce ? "" : " and all after it");
      }
      if (how == MemoryShort::kOnce) ::testing::Test::RecordProperty(c.op, static_cast<int>(n));
    }
  }
}

TEST(ColdTest, TheFirstCallThatFindsNoMemoryLeavesNothingBehind) {
  if (testing::IsLong()) {
    Cases cases(150);
    FailEach(cases, 1, 8);
  } else {
    Cases cases({"add.Tensor", "index_copy_", "matmul", "linalg_svd", "normal_", "conv2d",
                 "fft_fft", "cat", "softmax.int", "sum.dim_IntList"});
    FailEach(cases, 11, 4);
  }
}

// An operator whose kernel calls another one: what that says is said again, in its name.
TEST(ColdTest, TheFirstCallOfAnOperatorThatCallsAnother) {
  Cases cases(std::vector<std::string>{"index_fill.int_Tensor"});
  FailEach(cases, 1, 50);
}

// Devices are looked for, and tensors made, before any operator is.
TEST(ColdTest, TheFirstTensorsOfAProcess) {
  for (int64_t n = 1;; ++n) {
    const std::string why = InChild([n]() -> std::string {
      std::optional<ErrorCode> code;
      try {
        const MemoryShort memory(n, MemoryShort::kFromThenOn);
        const Tensor small = Tensor::Empty({3}, DType::kFloat32);
        const Tensor large = Tensor::Empty({100, 100, 1, 1, 1, 1, 1}, DType::kFloat64);
        const Tensor there = Tensor::Empty({3}, DType::kFloat32, ParseDevice("meta"));
        DefaultGenerator().manual_seed(3);
      } catch (const Error& e) {
        code = e.code();
      } catch (const std::bad_alloc&) {
        code = ErrorCode::kOutOfMemory;  // of ParseDevice, which is no call
      }
      if (MemoryShort::failed() == 0) return kNoneFailed;
      if (code != ErrorCode::kOutOfMemory) return "no error that says that memory is out";
      if (Tensor::Empty({3}, DType::kFloat32, ParseDevice("meta")).numel() != 3) return "no meta";
      DefaultGenerator().manual_seed(3);
      return DefaultGenerator().initial_seed() == 3 ? "" : "another seed";
    });
    if (why == kNoneFailed) break;
    ASSERT_EQ(why, "") << "allocation " << n;
  }
}

}  // namespace
}  // namespace sy
