// Children of a program whose threads are in the middle of everything: registry, allocation and
// calls work in each.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "tests/faults/child.h"
#include "tests/faults/long.h"
#include "tests/faults/process/everything.h"

namespace sy {
namespace {

// Threads that do nothing else.
class Busy {
 public:
  explicit Busy(std::vector<std::function<void()>> work) {
    for (const auto& each : work) {
      threads_.emplace_back([this, each] {
        while (!stop_) each();
      });
    }
  }
  ~Busy() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// What does not work in a child, "" if nothing.
std::string WrongInAChild() {
  return testing::InChild([]() -> std::string {
    const char* const wrong = testing::Everything();
    return wrong == nullptr ? "" : wrong;
  });
}

void ForkBeside(std::vector<std::function<void()>> work) {
  SetNumThreads(2);
  ASSERT_EQ(testing::Everything(), nullptr);
  const Busy busy(std::move(work));
  for (int i = 0; i < (testing::IsLong() ? 300 : 8); ++i) {
    ASSERT_EQ(WrongInAChild(), "") << "fork " << i;
  }
}

TEST(ForkTest, WhileThreadsUseTheRegistry) {
  ForkBeside({[] { Registry::Global().PacketNames(); }, [] { Registry::Global().Entries(); },
              [] { Registry::Global().Problems(); }, [] { FindLayer("none"); },
              [] { ParseDevice("cpu:0"); }});
}

TEST(ForkTest, WhileThreadsAllocate) {
  const auto allocate = [] {
    for (const int64_t n : {1, 100, 100000, 3000000}) empty({n});
  };
  const auto spread = [] {  // blocks freed by a thread that ends
    std::vector<Tensor> kept;
    kept.reserve(200);
    for (int i = 0; i < 200; ++i) kept.push_back(empty({10}));
    std::thread([&] { kept.clear(); }).join();
  };
  ForkBeside({allocate, allocate, spread});
}

TEST(ForkTest, WhileThreadsDrawNumbers) {
  ForkBeside({[] { rand({100}); }, [] { randn({100000}); }, [] { manual_seed(5); }});
}

TEST(ForkTest, WhileThreadsAreInTheLibraries) {
  const Tensor small = ones({20, 20}, DType::kFloat64), large = ones({300, 300});
  const Tensor regular = add(small, eye(20, DType::kFloat64));
  const Tensor image = ones({1, 16, 30, 30}), kernels = ones({16, 16, 3, 3});
  ForkBeside({[&] { matmul(small, small); }, [&] { matmul(large, large); },
              [&] { linalg_inv(regular); },
              [&] {
                convolution(image, kernels, Tensor(), {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1);
              },
              [] { fft_fft(ones({1000})); }});
}

TEST(ForkTest, WhileThreadsShareWork) {
  ForkBeside({[] { add(ones({1000000}), 1); }, [] { sum(ones({1000000})); }});
}

TEST(ForkTest, OfAChildOfAChild) {
  ASSERT_EQ(testing::Everything(), nullptr);
  const std::string wrong = testing::InChild([]() -> std::string {
    if (const char* here = testing::Everything()) return here;
    return WrongInAChild();
  });
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace sy
