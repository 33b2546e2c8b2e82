// Everything that is made when it is first used, first used by eight threads at once. Meant for the
// thread sanitizer; without it a race shows as a wrong result or a crash, with luck.

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/dispatcher/tracer.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/load.h"

namespace sy {
namespace {

constexpr int kThreads = 8;

// f(i) in thread i, all at once.
void AtOnce(absl::FunctionRef<void(int)> f) {
  std::barrier start(kThreads);
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      try {
        f(i);
      } catch (const std::exception& e) {
        ADD_FAILURE() << e.what();
        failed.fetch_add(1);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  ASSERT_EQ(failed.load(), 0);
}

// In order: what comes first finds the process unused.

TEST(FirstUseTest, DevicesAndTensors) {
  AtOnce([](int) {
    const Tensor there = Tensor::Empty({2, 3}, DType::kFloat32, ParseDevice("meta"));
    const Tensor here = Tensor::Empty({200, 300}, DType::kFloat32);
    EXPECT_EQ(there.device().str(), "meta");
    EXPECT_EQ(here.numel(), 60000);
  });
}

TEST(FirstUseTest, OperatorsByNameAndTyped) {
  AtOnce([](int i) {
    const Tensor x = tensor({1., 2., 3.});
    if (i % 2 == 0) {
      EXPECT_EQ(ToString(call("add", x, x, kw("alpha", 2)).take()), "tensor([3., 6., 9.])");
    } else {
      EXPECT_EQ(ToString(add(x, x, 2)), "tensor([3., 6., 9.])");
    }
  });
}

TEST(FirstUseTest, EveryOperatorIsFound) {
  AtOnce([](int) { EXPECT_GT(Registry::Global().Entries().size(), 1500u); });
}

TEST(FirstUseTest, Problems) {
  AtOnce([](int) { EXPECT_TRUE(Registry::Global().Problems().empty()); });
}

TEST(FirstUseTest, Generators) {
  AtOnce([](int i) {
    if (i == 0) manual_seed(5);
    const Tensor r = rand({1000});
    EXPECT_LT(item(max(r)).To<double>(), 1);
    get_rng_state();
  });
}

TEST(FirstUseTest, ThreadsOfOperators) {
  AtOnce([](int i) {
    if (i == 3) SetNumThreads(2);
    const Tensor x = ones({1 << 20});
    EXPECT_EQ(item(sum(x)).To<double>(), 1 << 20);
  });
}

TEST(FirstUseTest, LibrariesOfMatrixProducts) {
  AtOnce([](int i) {
    const Tensor x = ones({200 + i, 200});
    EXPECT_EQ(item(select(flatten(matmul(x, x.dim() == 2 ? t(x) : x)), 0, 0)).To<double>(), 200);
  });
}

TEST(FirstUseTest, LibrariesOfFactorizations) {
  AtOnce([](int) {
    const Tensor x = eye(40);
    EXPECT_EQ(item(linalg_det(x)).To<double>(), 1);
    EXPECT_EQ(item(sum(linalg_svdvals(x))).To<double>(), 40);
  });
}

TEST(FirstUseTest, Convolutions) {
  AtOnce([](int) {
    const Tensor x = ones({1, 3, 16, 16}), w = ones({4, 3, 3, 3});
    EXPECT_EQ(item(max(conv2d(x, w))).To<double>(), 27);
  });
}

TEST(FirstUseTest, FourierTransforms) {
  AtOnce([](int i) {
    const Tensor x = ones({64 << (i % 4)});
    EXPECT_EQ(item(sum(real(fft_fft(x)))).To<double>(), 64 << (i % 4));
  });
}

TEST(FirstUseTest, SpecialFunctions) {
  AtOnce([](int) {
    const Tensor x = tensor({0.5});
    EXPECT_NEAR(item(erf(x)).To<double>(), 0.5205, 1e-4);
    EXPECT_NEAR(item(digamma(x)).To<double>(), -1.9635, 1e-4);
    EXPECT_NEAR(item(tan(x)).To<double>(), 0.5463, 1e-4);
  });
}

TEST(FirstUseTest, LayersThatRecord) {
  AtOnce([](int) {
    const Tensor x = tensor({1., 2.});
    Profiler profiler;
    Tracer tracer;
    {
      const Profiler::Scope measured(profiler);
      const Tracer::Scope traced(tracer);
      add(x, x);
    }
    EXPECT_EQ(profiler.Events().size(), 1u);
    EXPECT_EQ(tracer.Steps().size(), 1u);
  });
}

TEST(FirstUseTest, ExplanationsAndErrors) {
  AtOnce([](int) {
    EXPECT_FALSE(explain("add.Tensor", "cpu", DType::kFloat32).empty());
    EXPECT_NE(try_call("ad", 1).message.find("did you mean"), std::string::npos);
    EXPECT_FALSE(static_cast<bool>(try_call("matmul", ones({2, 3}), ones({2, 3}))));
  });
}

TEST(FirstUseTest, FallbacksAndPlugins) {
  AtOnce([](int i) {
    SetFallbackPolicy({.mode = i % 2 == 0 ? FallbackMode::kForbid : FallbackMode::kForbid});
    FallbackCounts();
    EXPECT_TRUE(loaded_plugins().empty());
    list_plugins({.directories = {"/nowhere"}});
  });
}

TEST(FirstUseTest, CurrentDevicesAndStreams) {
  AtOnce([](int) {
    const Device meta = ParseDevice("meta");
    SetDevice(meta);
    EXPECT_EQ(CurrentDevice(meta.type).type, meta.type);
    const Stream s = CurrentStream(meta);
    Synchronize(Device{kHost});
  });
}

}  // namespace
}  // namespace sy
