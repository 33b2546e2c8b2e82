// Memory runs out at every allocation of what is no call of an operator: registration and removal,
// layers, profilers, generators, threads that start. And freeing takes none.

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/generator.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/dispatcher/tracer.h"
#include "switchyard/op/testing.h"
#include "switchyard/ops.h"
#include "tests/faults/memory/memory_short.h"
#include "tests/faults/memory/runs_out.h"

namespace sy {
namespace {

using testing::Direct;
using testing::KernelFor;
using testing::MemoryShort;
using testing::RunsOut;

// Fails run() at each of its allocations: `state` is as before, and run() works afterwards. `undo`
// takes back what it has done. Returns how often it has failed.
int64_t FailEach(absl::FunctionRef<void()> run, absl::FunctionRef<void()> undo,
                 absl::FunctionRef<std::string()> state) {
  int64_t failures = 0;
  for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
    for (int64_t n = 1;; ++n) {
      const std::string before = state();
      const bool threw = RunsOut(run, n, how);
      const int64_t refused = MemoryShort::failed();
      if (threw) {
        EXPECT_GT(refused, 0);
        EXPECT_EQ(state(), before) << "allocation " << n;
        run();
        ++failures;
      }
      undo();
      EXPECT_EQ(state(), before) << "allocation " << n;
      if (refused == 0 || ::testing::Test::HasFailure()) break;
    }
  }
  return failures;
}

class UsesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (SY_SANITIZED) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  }
};

Tensor One(Call, const Tensor& x) { return x; }

// Operators, kernels and problems, those of "add" in full.
std::string RegistryState() {
  Registry& r = Registry::Global();
  std::string s = std::to_string(r.Entries().size());
  for (const OperatorEntry* op : r.Entries()) {
    if (!op->schema().name.starts_with("add") && op->schema().name != "fresh") continue;
    s += "\n" + op->schema().str();
    for (const KernelDef* k : r.KernelsOf(*op)) s += "\n  " + k->source();
  }
  for (const std::string& p : r.Problems()) s += "\n" + p;
  return s;
}

TEST_F(UsesTest, RegistrationAndRemoval) {
  Registry& r = Registry::Global();
  OperatorDef overload = Direct("add.Twin(Tensor x) -> Tensor", 1);
  OperatorDef name = Direct("fresh(Tensor x) -> Tensor", 2);
  KernelDef kernels[] = {KernelFor("add.Twin", "cpu", kAnyDType, One, 3),
                         KernelFor("fresh", "cpu", kAnyDType, One, 4)};
  const Tensor x = ones({2});
  const auto call_it = [&] {
    call("fresh", x);
    call("add.Twin", x);
  };
  // Whatever has been added when one fails is taken out by whoever adds: here, in the order of
  // adding.
  std::vector<OperatorDef*> ops;
  std::vector<KernelDef*> added;
  const auto undo = [&] {
    for (KernelDef* k : added) r.Remove(*k);
    for (OperatorDef* o : ops) r.Remove(*o);
    added.clear();
    ops.clear();
  };
  ops.reserve(2);
  added.reserve(2);
  const auto run = [&] {
    try {
      for (OperatorDef* o : {&overload, &name}) {
        r.Add(*o);
        ops.push_back(o);
      }
      for (KernelDef& k : kernels) {
        r.Add(k);
        added.push_back(&k);
      }
      call_it();
    } catch (...) {
      undo();
      throw;
    }
  };
  EXPECT_GT(FailEach(run, undo, RegistryState), 10);
}

TEST_F(UsesTest, RemovalTakesNoMemory) {
  Registry& r = Registry::Global();
  OperatorDef overload = Direct("add.Twin(Tensor x) -> Tensor", 1);
  KernelDef kernel = KernelFor("add.Twin", "cpu", kAnyDType, One, 2);
  r.Add(overload);
  r.Add(kernel);
  call("add.Twin", ones({2}));
  const MemoryShort memory(1, MemoryShort::kFromThenOn);
  r.Remove(kernel);
  r.Remove(overload);
  EXPECT_EQ(MemoryShort::count(), 0);
}

class Pass final : public Layer {
 public:
  void OnCall(LayerCall& call) override { call.Redispatch(); }
};

TEST_F(UsesTest, Layers) {
  Pass pass;
  std::optional<LayerId> id;
  const Tensor x = ones({2});
  const auto undo = [&] {
    if (id) UnregisterLayer(*id);
    id.reset();
  };
  const auto run = [&] {
    try {
      if (!id) id = RegisterLayer("a layer whose name is long", 5, &pass);
      FallThrough(*id, *Registry::Global().Find("mul.Tensor"));
      const LayerScope on(*id);
      add(x, x);
    } catch (...) {
      undo();
      throw;
    }
  };
  const auto state = [] { return std::to_string(FindLayer("a layer whose name is long")); };
  EXPECT_GT(FailEach(run, undo, state), 0);
}

TEST_F(UsesTest, ProfilersAndTracersLoseWhatTheyCannotRecord) {
  const Tensor x = ones({2}), out = ones({2});
  Profiler profiler;
  Tracer tracer;
  int64_t calls = 0;
  for (int64_t n = 1; n < 40; ++n) {
    const Profiler::Scope measured(profiler);
    const Tracer::Scope traced(tracer);
    const bool threw = RunsOut([&] { add_out(out, x, x); }, n, MemoryShort::kFromThenOn);
    calls += threw ? 0 : 1;
  }
  EXPECT_GT(calls, 0);
  EXPECT_GE(static_cast<int64_t>(profiler.Events().size()) + profiler.lost(), calls);
  EXPECT_GT(profiler.lost() + tracer.lost(), 0);
}

TEST_F(UsesTest, Generators) {
  const auto state = [] {
    const Tensor s = get_rng_state();
    return std::string(static_cast<const char*>(s.data()), s.nbytes());
  };
  const Tensor other = [] {
    const auto g = NewGenerator();
    g->manual_seed(8);
    return g->get_state();
  }();
  const Tensor start = get_rng_state();
  std::unique_ptr<Generator> made;
  const auto run = [&] {
    made = NewGenerator();
    made->set_state(other);
    const Tensor drawn = rand({7}, DType::kFloat32);
    set_rng_state(other);
  };
  const auto undo = [&] { set_rng_state(start); };
  EXPECT_GT(FailEach(run, undo, state), 1);
}

// Its pools, places and caches are made when it first needs them.
TEST_F(UsesTest, ThreadsThatStart) {
  const Tensor x = ones({20, 20});
  int64_t failures = 0;
  for (int64_t n = 1, more = 1; more != 0; ++n) {
    std::thread([&] {
      const auto use = [&] {
        SetDevice(ParseDevice("meta"));
        const Tensor y = add(x, x), z = real(fft_fft(y)), w = matmul(x, y);
        EXPECT_EQ(w.data<float>()[0], 40);
      };
      failures += RunsOut(use, n, MemoryShort::kFromThenOn) ? 1 : 0;
      more = MemoryShort::failed();
      use();
    }).join();
    ASSERT_FALSE(HasFailure()) << "allocation " << n;
  }
  EXPECT_GT(failures, 5);
}

TEST_F(UsesTest, FreeingTakesNoMemory) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < 3000; ++i) {
    switch (i % 5) {
      case 0:
        tensors.push_back(ones({1 + i % 50}));
        break;
      case 1:
        tensors.push_back(ones({1, 2, 1, 2, 1, 2, 1, 2}));
        break;
      case 2:
        tensors.push_back(t(ones({2, 300})));
        break;
      case 3:
        tensors.push_back(slice(ones({400}), 0, 3, 9));
        break;
      default:
        tensors.push_back(i % 100 == 4 ? ones({300, 1000}) : ones({30, 30}));
    }
  }
  std::optional<Profiler> profiler(std::in_place);
  std::optional<Tracer> tracer(std::in_place);
  {
    const Profiler::Scope measured(*profiler);
    const Tracer::Scope traced(*tracer);
    tensors.push_back(add(tensors[0], 1));
  }
  std::unique_ptr<Generator> generator = NewGenerator();
  std::thread([&] {
    const MemoryShort memory(1, MemoryShort::kFromThenOn);
    tensors.resize(1500);
    EXPECT_EQ(MemoryShort::count(), 0);
  }).join();
  const MemoryShort memory(1, MemoryShort::kFromThenOn);
  tensors.clear();
  profiler.reset();
  tracer.reset();
  generator.reset();
  EXPECT_EQ(MemoryShort::count(), 0);
}

}  // namespace
}  // namespace sy
