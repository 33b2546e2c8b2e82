// Calls go on while others register and deregister. Meant for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/op/testing.h"

namespace sy {
namespace {

using sy::testing::Direct;
using sy::testing::KernelFor;

const Operator direct_op{"cc::direct(Tensor x) -> int"};
int64_t Base(Call, const Tensor&) { return 1; }
int64_t Better(Call, const Tensor&) { return 2; }
const Kernel base{"cc::direct", "cpu", kAnyDType, Base};
constinit Handle<int64_t(const Tensor&)> direct{"cc::direct"};

const Operator ruled_op{
    "cc::ruled(Tensor x) -> Tensor",
    +[](ShapeContext& r, const TensorBase& x) { r.OutputLike(x).pointwise = true; }, kInPlace};
void WriteOne(Call, const Tensor& out, const Tensor&) { *static_cast<float*>(out.data()) = 1; }
void WriteTwo(Call, const Tensor& out, const Tensor&) { *static_cast<float*>(out.data()) = 2; }
const Kernel one{"cc::ruled", "cpu", kAnyDType, WriteOne};
constinit Handle<Tensor(const Tensor&)> ruled{"cc::ruled"};

TEST(ConcurrencyTest, CallsSeeTheOldOrTheNewKernelAndNothingElse) {
  KernelDef better = KernelFor("cc::direct", "cpu", Mask(DType::kFloat32), Better, 1);
  KernelDef two = KernelFor("cc::ruled", "cpu", Mask(DType::kFloat32), WriteTwo, 2);
  std::atomic<bool> stop{false};
  std::atomic<int64_t> calls{0}, wrong{0};
  const auto work = [&] {
    const Tensor x = Tensor::Empty({1}, DType::kFloat32);
    while (!stop.load(std::memory_order_relaxed)) {
      const int64_t a = direct(x);
      const Tensor y = ruled(x);
      const float b = *static_cast<const float*>(y.data());
      const int64_t c = call("cc::direct", x).scalar().To<int64_t>();
      const bool fine = (a == 1 || a == 2) && (b == 1 || b == 2) && (c == 1 || c == 2);
      if (!fine) wrong.fetch_add(1);
      calls.fetch_add(1);
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  Registry& r = Registry::Global();
  std::deque<std::string> texts;
  std::deque<OperatorDef> others;
  for (int i = 0; i < 200; ++i) {
    r.Add(better);
    r.Add(two);
    texts.push_back("cc::other_" + std::to_string(i) + "(Tensor x) -> int");
    r.Add(others.emplace_back(Direct(texts.back(), i)));
    EXPECT_NE(r.Find("cc::other_" + std::to_string(i)), nullptr);
    r.Remove(better);
    r.Remove(two);
    if (i % 2 == 0) r.Remove(others.back());
  }
  while (calls.load() < 1000) std::this_thread::yield();
  stop = true;
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
  for (OperatorDef& def : others) r.Remove(def);
}

TEST(ConcurrencyTest, OverloadsThatStayAreCallableWhileOthersOfTheirNameComeAndGo) {
  std::atomic<bool> stop{false};
  std::atomic<int64_t> calls{0}, failed{0};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      const Tensor x = Tensor::Empty({1}, DType::kFloat32);
      while (!stop.load(std::memory_order_relaxed)) {
        try {
          ruled(x);
          call("cc::ruled_", x);
          direct(x);
        } catch (const Error& e) {
          if (failed.fetch_add(1) == 0) ADD_FAILURE() << e.message();
        }
        calls.fetch_add(1);
      }
    });
  }
  Registry& r = Registry::Global();
  OperatorDef more_shaped = Direct("cc::ruled.more(Tensor x, Tensor y) -> Tensor", 1);
  OperatorDef more_direct = Direct("cc::direct.more(Tensor x, Tensor y) -> int", 2);
  for (int i = 0; i < 2000 || calls.load() < 1000; ++i) {
    r.Add(more_shaped);
    r.Add(more_direct);
    r.Remove(more_shaped);
    r.Remove(more_direct);
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(failed.load(), 0);
}

TEST(ConcurrencyTest, TheFirstCallsOfManyThreadsAgree) {
  static const Operator late_op{"cc::late(Tensor x) -> int"};
  static const Composite late_body{"cc::late", Base};
  static constinit Handle<int64_t(const Tensor&)> late{"cc::late"};
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Tensor x = Tensor::Empty({1}, DType::kFloat32);
      sum += late(x) + call("cc::late", x).scalar().To<int64_t>();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(sum.load(), 8);
}

TEST(ConcurrencyTest, TensorsSharedAcrossThreadsAreFreedOnce) {
  const auto alive = [] { return HostAllocator()->Stats(0).allocated_bytes; };
  const int64_t before = alive();
  Tensor shared = Tensor::Empty({100}, DType::kFloat32);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = shared] {
      for (int k = 0; k < 1000; ++k) {
        Tensor mine = copy;
        Tensor view = mine.AsStrided(std::vector<int64_t>{2}, std::vector<int64_t>{1}, 0);
        Tensor other = Tensor::Empty({k % 300}, DType::kFloat32);
      }
    });
  }
  shared = Tensor();
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alive(), before);
}

}  // namespace
}  // namespace sy
