// Layers, generators, numbers of threads, operators and kernels come, go and change while other
// threads call. Meant for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/op/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using testing::Direct;
using testing::KernelFor;

class Pass final : public Layer {
 public:
  void OnCall(LayerCall& call) override { call.Redispatch(); }
};

int64_t One(Call, const Tensor&) { return 1; }

// Others call operators of many kinds until it ends; rounds counts what they have done.
class Callers {
 public:
  explicit Callers(int n) {
    for (int i = 0; i < n; ++i) threads_.emplace_back([this] { Run(); });
  }
  ~Callers() {
    WaitForRounds(1);
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }
  void WaitForRounds(int64_t n) const {
    const int64_t end = rounds_.load() + n;
    while (rounds_.load() < end) std::this_thread::yield();
  }

 private:
  void Run() {
    const Tensor x = ones({50, 60});
    while (!stop_.load(std::memory_order_relaxed)) {
      EXPECT_EQ(item(sum(add(x, x))).To<double>(), 6000);
      EXPECT_EQ(call("mul", x, 3.).take().numel(), 3000);
      EXPECT_EQ(matmul(x, t(x)).numel(), 2500);
      EXPECT_EQ(rand({17}).numel(), 17);
      rounds_.fetch_add(1);
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<int64_t> rounds_{0};
  std::vector<std::thread> threads_;
};

constexpr int kRounds = 100;

TEST(ComingAndGoingTest, Layers) {
  const Callers callers(4);
  for (int i = 0; i < kRounds; ++i) {
    Pass pass;
    const LayerId id = RegisterLayer("pass", i, &pass);
    FallThrough(id, *Registry::Global().Find("mul.Tensor"));
    {
      const LayerScope on(id);
      EXPECT_EQ(add(ones({2}), 1).numel(), 2);
    }
    EXPECT_EQ(FindLayer("pass"), id);
    UnregisterLayer(id);
  }
  callers.WaitForRounds(4);
}

TEST(ComingAndGoingTest, OperatorsAndKernels) {
  const Callers callers(4);
  Registry& r = Registry::Global();
  std::deque<OperatorDef> twins;
  for (int i = 0; i < kRounds; ++i) {
    OperatorDef& twin = twins.emplace_back(Direct("add.Twin(Tensor x) -> int", i));
    KernelDef kernel = KernelFor("add.Twin", "cpu", kAnyDType, One, i);
    r.Add(twin);
    r.Add(kernel);
    EXPECT_EQ(call("add.Twin", ones({2})).scalar().To<int64_t>(), 1);
    r.Remove(kernel);
    r.Remove(twin);
  }
  callers.WaitForRounds(4);
}

TEST(ComingAndGoingTest, NumbersOfThreads) {
  const Callers callers(4);
  const int before = NumThreads();
  for (int i = 0; i < kRounds; ++i) {
    SetNumThreads(1 + i % 4);
    EXPECT_EQ(item(sum(ones({100000}))).To<double>(), 100000);
  }
  SetNumThreads(before);
  callers.WaitForRounds(4);
}

TEST(ComingAndGoingTest, SeedsAndStates) {
  const Callers callers(4);
  for (int i = 0; i < kRounds; ++i) {
    manual_seed(static_cast<uint64_t>(i));
    const Tensor state = get_rng_state();
    set_rng_state(state);
    const auto own = NewGenerator();
    own->manual_seed(1);
    EXPECT_EQ(uniform_(empty({3}), 0, 1, own.get()).numel(), 3);
  }
  callers.WaitForRounds(4);
}

TEST(ComingAndGoingTest, ProfilersOfOtherThreads) {
  const Callers callers(4);
  for (int i = 0; i < kRounds; ++i) {
    Profiler profiler;
    const Profiler::Scope on(profiler);
    add(ones({2}), 1);
    EXPECT_GT(profiler.Entries().size(), 0u);
  }
}

TEST(ComingAndGoingTest, TensorsMadeInOneThreadDieInAnother) {
  for (int i = 0; i < kRounds; ++i) {
    std::vector<Tensor> made;
    std::thread([&] {
      for (int k = 0; k < 300; ++k) made.push_back(full({1 + k % 40}, k));
    }).join();
    std::thread([gone = std::move(made)]() mutable { gone.clear(); }).join();
  }
}

}  // namespace
}  // namespace sy
