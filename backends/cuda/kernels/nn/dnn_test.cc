// What goes to cuDNN where there is one. On the emulator: what is asked of which engine.

#include <array>
#include <filesystem>
#include <span>

#include "backends/cuda/driver/cudnn.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/graph.h"
#include "backends/cuda/products.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/memory_format.h"

namespace sy::cuda {
namespace {

// The emulator's engines.
enum { kRounds = 0, kExact = 2 };

class DnnTest : public testing::Test {
 protected:
  void SetUp() override {
    if (FindDnn() == nullptr) GTEST_SKIP() << "there is no cuDNN";
  }
};
class EmulatedDnnTest : public DnnTest {
 protected:
  void SetUp() override {
    DnnTest::SetUp();
    if (has_device) GTEST_SKIP() << "of the emulator's engines";
  }
  // Calls of the library that f makes.
  template <class F>
  int Calls(F f) {
    const int before = EmulatedDnnCalls();
    f();
    return EmulatedDnnCalls() - before;
  }
};

using Ints = std::vector<int64_t>;

Tensor ConvolutionOf(const Tensor& x, const Tensor& w) {
  return call("convolution", x, w, Tensor(), Ints{1, 1}, Ints{1, 1}, Ints{1, 1}, false, Ints{0, 0},
              int64_t{1})
      .take();
}

TEST_F(EmulatedDnnTest, AllThreeDirectionsOfAConvolutionAreItsWork) {
  const Tensor x = ToCuda(Spread({2, 4, 6, 5}, DType::kFloat32)),
               w = ToCuda(Spread({3, 4, 3, 3}, DType::kFloat32, 1));
  EXPECT_EQ(Calls([&] { ConvolutionOf(x, w); }), 1);
  static constexpr std::array<bool, 3> kAll = {true, true, true};
  const Tensor g = ToCuda(Spread({2, 3, 6, 5}, DType::kFloat32, 2));
  EXPECT_EQ(Calls([&] {
              call("convolution_backward", g, x, w, Ints{3}, Ints{1, 1}, Ints{1, 1}, Ints{1, 1},
                   false, Ints{0, 0}, int64_t{1}, std::span<const bool>(kAll));
            }),
            2);
}
TEST_F(EmulatedDnnTest, WhatItDoesNotServeIsOurOwn) {
  const Ints one = {1, 1}, none = {0, 0};
  EXPECT_EQ(Calls([&] {
              ExpectAsOnHost("convolution", Spread({1, 2, 4, 4}, DType::kInt32),
                             Spread({2, 2, 2, 2}, DType::kInt32, 1), Tensor(), one, none, one,
                             false, none, int64_t{1});
            }),
            0);
}
TEST_F(EmulatedDnnTest, Float32IsRoundedWhereThatIsAllowed) {
  const Tensor x = ToCuda(Spread({1, 4, 6, 6}, DType::kFloat32)),
               w = ToCuda(Spread({4, 4, 3, 3}, DType::kFloat32, 1));
  ConvolutionOf(x, w);
  EXPECT_NE(EmulatedDnnEngine(), kRounds);
  SetAllowTf32(true);
  ConvolutionOf(x, w);
  EXPECT_EQ(EmulatedDnnEngine(), kRounds);
  SetAllowTf32(false);
  ConvolutionOf(x, w);
  EXPECT_NE(EmulatedDnnEngine(), kRounds);
  const Tensor y = ToCuda(Spread({1, 4, 6, 6}, DType::kFloat16)),
               v = ToCuda(Spread({4, 4, 3, 3}, DType::kFloat16, 1));
  ConvolutionOf(y, v);
  EXPECT_EQ(EmulatedDnnEngine(), kRounds);  // which is what tensor cores do to nothing else
}
TEST_F(EmulatedDnnTest, TheDeterministicSwitchWantsAnOrder) {
  const Tensor x = ToCuda(Spread({1, 4, 5, 6}, DType::kFloat32)),
               w = ToCuda(Spread({4, 4, 3, 3}, DType::kFloat32, 1));
  use_deterministic_algorithms(true);
  ConvolutionOf(x, w);
  use_deterministic_algorithms(false);
  EXPECT_EQ(EmulatedDnnEngine(), kExact);
}
// Which of both is taken depends on time; results do not.
TEST_F(DnnTest, NormsAreOurOwnOrItsWork) {
  KeepMeasuredIn(std::filesystem::path(testing::TempDir()) / "norm_choices");
  SetMeasureAlgorithms(true);
  const int before = EmulatedDnnCalls();
  for (DType d : {DType::kFloat32, DType::kFloat16, DType::kBFloat16}) {
    const double tolerance = d == DType::kFloat32 ? 2e-5 : d == DType::kFloat16 ? 4e-3 : 3e-2;
    const Tensor x = Spread({5, 24}, d), w = Spread({24}, d, 1), b = Spread({24}, d, 2);
    for (int run = 0; run < 2; ++run) {
      ExpectAsOnHostWithin(tolerance, "layer_norm", x, Ints{24}, w, b);
      ExpectAsOnHostWithin(tolerance, "rms_norm", x, Ints{24}, w);
      auto host = call("native_layer_norm", x, Ints{24}, w, b, 1e-5),
           cuda = call("native_layer_norm", ToCuda(x), Ints{24}, ToCuda(w), ToCuda(b), 1e-5);
      for (int i = 0; i < 3; ++i) ExpectClose(cuda[i].tensor(), host[i].tensor(), tolerance);
    }
  }
  SetMeasureAlgorithms(false);
  EXPECT_TRUE(has_device || EmulatedDnnCalls() > before);
}
// As _native_batch_norm_legit, with running statistics that it changes.
struct BatchNormed {
  std::vector<Tensor> made;  // output, and what is saved
  Tensor mean, variance;
};
BatchNormed BatchNormOf(bool on_cuda, const Tensor& x, DType parameters, bool training) {
  const int64_t channels = x.sizes()[1];
  const auto vector = [&](int seed) {
    const Tensor t = Spread({channels}, parameters, seed);
    return on_cuda ? ToCuda(t) : t;
  };
  BatchNormed b{{}, vector(2), call("abs", vector(3)).take()};
  auto got = call("_native_batch_norm_legit", on_cuda ? FromHost(x, Cuda()) : x, vector(4),
                  vector(5), b.mean, b.variance, training, 0.1, 1e-5);
  for (int i = 0; i < (training ? 3 : 1); ++i) b.made.push_back(got[i].tensor());
  return b;
}
void ExpectAlike(const BatchNormed& got, const BatchNormed& want, double tolerance) {
  for (size_t i = 0; i < want.made.size(); ++i)
    ExpectClose(got.made[i], want.made[i], i == 0 ? tolerance : 1e-3);
  ExpectClose(got.mean, want.mean, 1e-3);
  ExpectClose(got.variance, want.variance, 1e-3);
}
double ToleranceOf(DType d) {
  return d == DType::kFloat16 ? 1e-2 : d == DType::kFloat32 ? 2e-5 : 1e-12;
}

TEST_F(EmulatedDnnTest, BatchNormsAreItsWork) {
  for (DType d : {DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
    for (const Ints& sizes : {Ints{3, 5, 7}, Ints{2, 4, 3, 5}, Ints{2, 3, 2, 3, 4}}) {
      for (bool training : {false, true}) {
        const Tensor x = Spread(sizes, d);
        for (DType parameters : {d, d == DType::kFloat16 ? DType::kFloat32 : d}) {
          const BatchNormed want = BatchNormOf(false, x, parameters, training);
          EXPECT_EQ(Calls([&] {
                      ExpectAlike(BatchNormOf(true, x, parameters, training), want, ToleranceOf(d));
                    }),
                    1);
        }
      }
    }
  }
}
TEST_F(EmulatedDnnTest, BatchNormsWithoutParametersAreItsWork) {
  const Tensor x = Spread({3, 4, 5}, DType::kFloat32);
  const char* const op = "_native_batch_norm_legit.no_stats";
  auto host = call(op, x, Tensor(), Tensor(), true, 0.1, 1e-5);
  EXPECT_EQ(Calls([&] {
              auto cuda = call(op, ToCuda(x), Tensor(), Tensor(), true, 0.1, 1e-5);
              for (int i = 0; i < 3; ++i) ExpectClose(cuda[i].tensor(), host[i].tensor(), 2e-5);
            }),
            1);
}
TEST_F(EmulatedDnnTest, WhatABatchNormPassesBackIsItsWork) {
  const char* const op = "native_batch_norm_backward";
  for (DType d : {DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
    for (bool scaled : {false, true}) {
      for (const bool whole : {false, true}) {
        const Tensor x = Spread({3, 4, 2, 5}, d),
                     g = call("expand", Spread({1, 4, 1, 5}, d, 1), Ints{3, 4, 2, 5}).take(),
                     w = scaled ? Spread({4}, d, 2) : Tensor();
        auto forward = call("_native_batch_norm_legit.no_stats", x, w, Tensor(), true, 0.1, 1e-5);
        const Tensor mean = forward[1].tensor(), factor = forward[2].tensor();
        const std::array<bool, 3> mask = {true, scaled && whole, whole};
        const auto pass_back = [&](auto there) {
          return call(op, there(g), there(x), there(w), Tensor(), Tensor(), there(mean),
                      there(factor), true, 1e-5, std::span<const bool>(mask));
        };
        auto host = pass_back([](const Tensor& t) { return t; });
        EXPECT_EQ(Calls([&] {
                    auto cuda = pass_back(
                        [](const Tensor& t) { return t.defined() ? FromHost(t, Cuda()) : t; });
                    for (size_t i = 0; i < 3; ++i) {
                      if (mask[i])
                        ExpectClose(cuda[i].tensor(), host[i].tensor(), 10 * ToleranceOf(d));
                    }
                  }),
                  1);
      }
    }
  }
}
// Channels last, bfloat16, nothing behind the channels, one element each, and running statistics in
// backward.
TEST_F(EmulatedDnnTest, OtherBatchNormsAreOurOwn) {
  const Tensor last = call("contiguous", Spread({2, 3, 4, 5}, DType::kFloat32),
                           kw("memory_format", MemoryFormat::kChannelsLast))
                          .take();
  EXPECT_EQ(
      Calls([&] {
        for (const Tensor& x :
             {last, Spread({6, 4}, DType::kFloat32), Spread({2, 3, 4}, DType::kBFloat16)}) {
          ExpectAlike(BatchNormOf(true, x, x.dtype(), true), BatchNormOf(false, x, x.dtype(), true),
                      x.dtype() == DType::kBFloat16 ? 3e-2 : 2e-5);
        }
        const Tensor one = Spread({1, 4, 1}, DType::kFloat32);
        EXPECT_TRUE(
            std::isnan(Elements(BatchNormOf(true, one, DType::kFloat32, true).variance)[0].real()));
      }),
      0);
}
TEST_F(DnnTest, ABatchNormIsCaptured) {
  const Tensor x = ToCuda(Spread({3, 4, 6}, DType::kFloat32)),
               mean = ToCuda(Spread({4}, DType::kFloat32, 1)),
               variance = ToCuda(call("abs", Spread({4}, DType::kFloat32, 2)).take());
  const Tensor first = ToHost(mean);
  Tensor y;
  const Graph graph(Cuda(), [&] {
    y = call("_native_batch_norm_legit", x, Tensor(), Tensor(), mean, variance, true, 0.5, 1e-5)[0]
            .tensor();
  });
  ExpectClose(mean, first, 0);
  for (int i = 0; i < 2; ++i) graph.Replay();
  const Tensor m = ToHost(first), v = call("ones", Ints{4}).take();
  for (int i = 0; i < 2; ++i)
    call("_native_batch_norm_legit", ToHost(x), Tensor(), Tensor(), m, v, true, 0.5, 1e-5);
  ExpectClose(mean, m, 2e-5);
}
TEST_F(EmulatedDnnTest, EnginesAreMeasuredOnce) {
  KeepMeasuredIn(std::filesystem::path(testing::TempDir()) / "dnn_choices");
  const Tensor x = ToCuda(Spread({1, 3, 5, 6}, DType::kFloat32)),
               w = ToCuda(Spread({4, 3, 3, 3}, DType::kFloat32, 1));
  const Tensor expected = ConvolutionOf(ToHost(x), ToHost(w));
  SetMeasureAlgorithms(true);
  EXPECT_GT(Calls([&] { ExpectClose(ConvolutionOf(x, w), expected, 2e-5); }), 2);
  EXPECT_EQ(Calls([&] { ExpectClose(ConvolutionOf(x, w), expected, 2e-5); }), 1);
  SetMeasureAlgorithms(false);
}

TEST_F(DnnTest, ChannelsMayComeLast) {
  for (DType d : {DType::kFloat32, DType::kFloat16, DType::kBFloat16}) {
    const double tolerance = d == DType::kFloat32 ? 1e-4 : d == DType::kFloat16 ? 4e-3 : 3e-2;
    const Tensor x = call("contiguous", Spread({2, 8, 6, 5}, d),
                          kw("memory_format", MemoryFormat::kChannelsLast))
                         .take();
    const Tensor w = Spread({8, 8, 3, 3}, d, 1);
    const Tensor got = ConvolutionOf(FromHost(x, Cuda()), ToCuda(w)), want = ConvolutionOf(x, w);
    ExpectClose(got, want, tolerance);
    EXPECT_TRUE(std::ranges::equal(got.strides(), want.strides()));
  }
}
TEST_F(EmulatedDnnTest, AttentionOfShortFloatsIsItsWork) {
  for (DType d : {DType::kFloat16, DType::kBFloat16}) {
    for (bool causal : {false, true}) {
      for (int64_t heads : {4, 2}) {  // shared
        const Tensor q = Spread({2, 4, 5, 16}, d), k = Spread({2, heads, 7, 16}, d, 1),
                     v = Spread({2, heads, 7, 8}, d, 2);
        const char* const op = "_scaled_dot_product_flash_attention_for_cpu";
        auto host = call(op, q, k, v, 0.0, causal);
        EXPECT_EQ(Calls([&] {
                    auto cuda = call(op, ToCuda(q), ToCuda(k), ToCuda(v), 0.0, causal);
                    ExpectClose(cuda[0].tensor(), host[0].tensor(),
                                d == DType::kFloat16 ? 4e-3 : 3e-2);
                    ExpectClose(cuda[1].tensor(), host[1].tensor(), 1e-4);
                  }),
                  1);
      }
    }
  }
}
// Heads shared or not, gradients that lie anyhow, and in an order that is the same each time.
TEST_F(EmulatedDnnTest, WhatAttentionPassesBackIsItsWork) {
  const char* const op = "_scaled_dot_product_flash_attention_for_cpu_backward";
  for (DType d : {DType::kFloat16, DType::kBFloat16}) {
    for (bool causal : {false, true}) {
      for (int64_t heads : {4, 2}) {
        for (bool in_order : {false, true}) {
          const Tensor q = Spread({2, 4, 5, 16}, d), k = Spread({2, heads, 7, 16}, d, 1),
                       v = Spread({2, heads, 7, 8}, d, 2),
                       g = call("expand", Spread({2, 1, 5, 8}, d, 3), Ints{2, 4, 5, 8}).take();
          auto forward = call("_scaled_dot_product_flash_attention_for_cpu", q, k, v, 0.0, causal);
          const Tensor out = forward[0].tensor(), sums = forward[1].tensor();
          auto host = call(op, g, q, k, v, out, sums, 0.0, causal);
          use_deterministic_algorithms(in_order);
          EXPECT_EQ(Calls([&] {
                      auto cuda = call(op, FromHost(g, Cuda()), ToCuda(q), ToCuda(k), ToCuda(v),
                                       ToCuda(out), ToCuda(sums), 0.0, causal);
                      for (int i = 0; i < 3; ++i) {
                        const Tensor &got = cuda[i].tensor(), &want = host[i].tensor();
                        ExpectClose(got, want, d == DType::kFloat16 ? 1e-2 : 6e-2);
                        EXPECT_TRUE(std::ranges::equal(got.strides(), want.strides()));
                      }
                    }),
                    1);
          use_deterministic_algorithms(false);
        }
      }
    }
  }
}
TEST_F(EmulatedDnnTest, WhatAttentionRefusesToPassBackSaysTheComposite) {
  const Tensor x = ToCuda(Spread({1, 2, 4, 8}, DType::kFloat16)),
               sums = ToCuda(Spread({1, 2, 3}, DType::kFloat16));
  try {
    call("_scaled_dot_product_flash_attention_for_cpu_backward", x, x, x, x, x, sums, 0.0, false);
    FAIL() << "logsumexp does not fit";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(e.what()).find("logsumexp"), std::string::npos) << e.what();
  }
}
TEST_F(DnnTest, AGraphKeepsItsPlans) {
  const Tensor x = ToCuda(Spread({1, 3, 7, 6}, DType::kFloat32)),
               w = ToCuda(Spread({4, 3, 3, 3}, DType::kFloat32, 1));
  Tensor y;
  const Graph graph(Cuda(), [&] { y = ConvolutionOf(x, w); });
  graph.Replay();
  ExpectClose(y, ConvolutionOf(ToHost(x), ToHost(w)), 2e-5);
}

}  // namespace
}  // namespace sy::cuda
