// int8 on the device, by the plugin's own operators, beside their kernels for cpu and float32.

#include "networks.h"
#include "testing.h"

namespace xnnpack {
namespace {

class QuantizedTest : public PluginTest {
 protected:
  static Tensor Bytes(const Ints& sizes) { return to(randint(-128, 128, sizes), DType::kInt8); }
  static Tensor Scales(int64_t n) { return add(mul(abs(randn({n})), 0.01), 0.001); }
};

TEST_F(QuantizedTest, RoundsToEvenAndCutsOff) {
  const Tensor x = There(tensor({0.25, 0.75, -0.25, 100., -100., 1.}));
  EXPECT_EQ(Here(call("xnnpack::quantize", x, 0.5, 3).tensor()),
            "tensor([   3,    5,    3,  127, -128,    5], dtype=torch.int8)");
}

TEST_F(QuantizedTest, DequantizesWhatItHasQuantized) {
  const Tensor x = There(randn({3, 5, 7}));
  const Tensor q = call("xnnpack::quantize", x, 0.05, -3);
  EXPECT_EQ(q.dtype(), DType::kInt8);
  EXPECT_LE(Distance(call("xnnpack::dequantize", q, 0.05, -3).tensor(), x), 0.0251);
}

TEST_F(QuantizedTest, AWeightHasAScaleForEachChannel) {
  const Tensor w = There(tensor({{127., -12.7}, {0., 0.}, {-1.27, 0.5}}));
  const Results made = call("xnnpack::quantize_weight", w);
  EXPECT_EQ(
      Here(made[0].tensor()),
      "tensor([[ 127,  -13],\n        [   0,    0],\n        [-127,   50]], dtype=torch.int8)");
  EXPECT_LT(Distance(made[1].tensor(), tensor({1., 1., 0.01})), 1e-6);
}

TEST_F(QuantizedTest, ConvolvesAsTheReferenceDoes) {
  for (int64_t groups : {1, 2, 8}) {
    for (bool last : {false, true}) {
      const Tensor made = Bytes({2, 8, 7, 6});
      const Tensor x = last ? ChannelsLast(made) : made;
      const Tensor w = Bytes({16, 8 / groups, 3, 2}), s = Scales(16), b = randn({16});
      const auto run = [&](auto place) {
        return call("xnnpack::qconv2d", place(x), 0.02, 5, place(w), place(s), place(b), 0.3, -7,
                    Ints{2, 1}, Ints{1, 0}, Ints{1, 2}, groups, -100, 90)
            .take();
      };
      const Tensor expected = run([](const Tensor& t) { return t; });
      const Tensor got = run([](const Tensor& t) { return There(t); });
      EXPECT_EQ(Distance(got, expected), 0) << groups << last;
      EXPECT_EQ(got.strides(), expected.strides());
      // Most results lie between the bounds, or nothing would be compared.
      EXPECT_GT(item(mean(to(lt(abs(expected), 90), DType::kFloat32))).To<double>(), 0.3);
    }
  }
}

TEST_F(QuantizedTest, MultipliesAsTheReferenceDoes) {
  const Tensor x = Bytes({3, 4, 33}), w = Bytes({10, 33}), s = Scales(10), b = randn({10});
  for (const Tensor& weight : {w, t(contiguous(t(w)))}) {
    const Tensor expected = call("xnnpack::qlinear", x, 0.02, -4, weight, s, b, 0.3, 1);
    const Tensor got =
        call("xnnpack::qlinear", There(x), 0.02, -4, There(weight), There(s), There(b), 0.3, 1);
    EXPECT_EQ(Distance(got, expected), 0);
  }
}

TEST_F(QuantizedTest, AProductIsThatOfFloats) {
  const Tensor x = randn({5, 64}), w = mul(randn({20, 64}), 0.125), b = randn({20});
  const Results q = call("xnnpack::quantize_weight", There(w));
  const Tensor x8 = call("xnnpack::quantize", There(x), 0.03, 0);
  const Tensor y8 =
      call("xnnpack::qlinear", x8, 0.03, 0, q[0].tensor(), q[1].tensor(), There(b), 0.04, 0);
  const Tensor y = call("xnnpack::dequantize", y8, 0.04, 0);
  EXPECT_LT(Distance(y, linear(x, w, b)), 0.15);
}

TEST_F(QuantizedTest, AddsAsTheReferenceDoes) {
  const Tensor a = Bytes({2, 3, 50}), b = Bytes({3, 50});
  const auto run = [&](const Tensor& x, const Tensor& y) {
    return call("xnnpack::qadd", x, 0.02, 5, y, 0.07, -9, 0.08, 11).take();
  };
  EXPECT_EQ(Distance(run(There(a), There(b)), run(a, b)), 0);
}

TEST_F(QuantizedTest, FrozenWeightsAreKeptByScale) {
  const Tensor x = There(Bytes({2, 8, 5, 5})), w = There(Bytes({4, 8, 3, 3})), s = There(Scales(4));
  freeze(w);
  freeze(s);
  for (int round = 0; round < 2; ++round) {
    for (double scale : {0.2, 0.4}) {
      const auto run = [&](auto place) {
        return call("xnnpack::qconv2d", place(x), 0.02, 0, place(w), place(s), Tensor(), scale, 0)
            .take();
      };
      EXPECT_EQ(Distance(run([](const Tensor& t) { return t; }),
                         run([](const Tensor& t) { return Back(t); })),
                0)
          << round << " " << scale;
    }
  }
}

TEST_F(QuantizedTest, ItsRulesSayWhatDoesNotFit) {
  const Tensor x = There(Bytes({1, 2, 4, 4})), w = There(Bytes({4, 3, 3, 3})), s = There(Scales(4));
  const auto fails = [&](const Outcome& o, const char* text) {
    EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
    EXPECT_NE(o.message.find(text), std::string::npos) << o.message;
  };
  fails(try_call("xnnpack::qconv2d", x, 0.1, 0, w, s, Tensor(), 0.1, 0),
        "x must have the weight's input channels, 3, times groups, got 2");
  fails(try_call("xnnpack::quantize", x, 0.1, 0), "x must be float32");
  fails(try_call("xnnpack::dequantize", x, -0.1, 0), "scale must be positive");
  fails(try_call("xnnpack::dequantize", x, 0.1, 128), "zero must be from -128 to 127, got 128");
}

TEST_F(QuantizedTest, AScaleThatIsNotPositiveIsNamed) {
  const Tensor x = There(Bytes({2, 3})), w = There(Bytes({2, 3}));
  const Outcome o =
      try_call("xnnpack::qlinear", x, 0.1, 0, w, There(tensor({1., 0.})), Tensor(), 0.1, 0);
  EXPECT_EQ(o.code, ErrorCode::kInvalidValue);
  EXPECT_NE(o.message.find("weight_scale must be positive, got 0.000000 at [1]"), std::string::npos)
      << o.message;
}

TEST_F(QuantizedTest, ANetworkOfBytesGivesWhatTheOneOfFloatsGives) {
  const networks::ConvNet net;
  const Tensor image = randn({1, 3, 96, 96}), expected = net(image);
  const networks::QuantizedNet here(net, image, sy::Device{kHost}), there(net, image, Xnnpack());
  const Tensor got = there(There(ChannelsLast(image)));
  EXPECT_EQ(Distance(got, here(ChannelsLast(image))), 0);
  const double largest = item(amax(abs(expected))).To<double>();
  EXPECT_LT(Distance(got, expected), 0.15 * largest);
  EXPECT_EQ(DeclinedCalls(), 0);
}

}  // namespace
}  // namespace xnnpack
