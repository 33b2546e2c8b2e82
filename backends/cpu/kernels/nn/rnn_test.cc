// Recurrent networks. Numbers: PyTorch 2.11's, of the same sines.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Numbers = std::vector<double>;

// sin(0), sin(step), sin(2 step), …, in float64.
Tensor Sines(const std::vector<int64_t>& sizes, double step) {
  const int64_t n = NumElements(sizes);
  return view(sin(mul(arange(n, DType::kFloat64), step)), sizes);
}

struct Shape {
  int64_t gates, layers, directions;
  bool biases;
  int64_t projection = 0;
};
// Of hidden states of two elements, and inputs likewise.
std::vector<Tensor> Params(const Shape& s) {
  std::vector<Tensor> params;
  const auto next = [&](const std::vector<int64_t>& sizes) {
    params.push_back(Sines(sizes, 0.8 + 0.1 * static_cast<double>(params.size())));
  };
  const int64_t state = s.projection == 0 ? 2 : s.projection;
  for (int64_t i = 0; i < s.layers * s.directions; ++i) {
    next({2 * s.gates, i < s.directions ? 2 : state * s.directions});
    next({2 * s.gates, state});
    if (s.biases) next({2 * s.gates});
    if (s.biases) next({2 * s.gates});
    if (s.projection != 0) next({s.projection, 2});
  }
  return params;
}

void ExpectNumbers(const Tensor& t, const std::vector<int64_t>& sizes, const Numbers& numbers) {
  ASSERT_TRUE(SameSizes(t.sizes(), sizes));
  const Tensor flat = reshape(t, {t.numel()});
  ASSERT_EQ(static_cast<size_t>(t.numel()), numbers.size());
  for (int64_t i = 0; i < t.numel(); ++i)
    EXPECT_NEAR(item(select(flat, 0, i)).To<double>(), numbers[static_cast<size_t>(i)], 1e-7) << i;
}

TEST(Rnn, LstmStepsThroughASequence) {
  const Tensor x = Sines({3, 2, 2}, 0.5), h = Sines({1, 2, 2}, 0.3), c = Sines({1, 2, 2}, 0.9);
  const std::vector<Tensor> params = Params({4, 1, 1, true});
  const auto [out, hy, cy] = lstm(x, {h, c}, params, true, 1, 0, false, false, false);
  ExpectNumbers(out, {3, 2, 2},
                {-0.16430254, -0.37680076, 0.07018955, -0.20704293, -0.32971825, -0.20016805,
                 0.16780725, -0.59628573, -0.66437226, -0.62640436, 0.00070858, -0.78569388});
  ExpectNumbers(hy, {1, 2, 2}, {-0.66437226, -0.62640436, 0.00070858, -0.78569388});
  ExpectNumbers(cy, {1, 2, 2}, {-1.15783424, -0.8051438, 0.00095088, -1.25939818});
  // The first step alone.
  const auto [h1, c1] = lstm_cell(select(x, 0, 0), {select(h, 0, 0), select(c, 0, 0)}, params[0],
                                  params[1], params[2], params[3]);
  ExpectNumbers(h1, {2, 2}, {-0.16430254, -0.37680076, 0.07018955, -0.20704293});
  ExpectNumbers(c1, {2, 2}, {-0.49817882, -0.48591022, 0.75526311, -0.29677508});
}

TEST(Rnn, LstmHasLayersDirectionsAndProjections) {
  const Tensor x = transpose(Sines({3, 2, 2}, 0.5), 0, 1);
  const auto [out, hy, cy] = lstm(x, {Sines({4, 2, 1}, 0.3), Sines({4, 2, 2}, 0.9)},
                                  Params({4, 2, 2, false, 1}), false, 2, 0, false, true, true);
  ExpectNumbers(out, {2, 3, 2},
                {0.21923182, -0.05910374, 0.23098591, -0.04991098, 0.26268242, -0.04943316,
                 0.11636137, 0.01640813, 0.17488141, 0.06263355, 0.15191708, 0.18893745});
  ExpectNumbers(hy, {4, 2, 1},
                {0.26124081, 0.05066083, -0.11910082, -0.16694632, 0.26268242, 0.15191708,
                 -0.05910374, 0.01640813});
  ExpectNumbers(cy, {4, 2, 2},
                {0.02393822, 0.42109158, -0.00797176, 0.07643928, -0.03833284, -0.3409767,
                 -0.13271085, -0.45867132, -0.16118127, 0.55044601, -0.08806436, 0.29779281,
                 0.0186193, -0.14017559, 0.20493467, 0.03785191});
}

TEST(Rnn, GruTakesPackedSequencesInBothDirections) {
  const Tensor data = Sines({4, 2}, 0.5), h = Sines({2, 2, 2}, 0.3);
  const std::vector<Tensor> params = Params({3, 1, 2, true});
  const auto [out, hy] = gru(data, tensor({2, 1, 1}), h, params, true, 1, 0, false, true);
  ExpectNumbers(out, {4, 4},
                {-0.17036266, -0.39107803, -0.67416533, 0.97048245, 0.43795567, -0.20018368,
                 -0.58000484, 0.89983303, -0.26089285, -0.2929322, -0.59381252, 0.97769082,
                 -0.31663423, -0.56331697, -0.06638444, 0.988397});
  ExpectNumbers(hy, {2, 2, 2},
                {-0.31663423, -0.56331697, 0.43795567, -0.20018368, -0.67416533, 0.97048245,
                 -0.58000484, 0.89983303});
  const Tensor step =
      gru_cell(narrow(data, 0, 0, 2), select(h, 0, 0), params[0], params[1], params[2], params[3]);
  ExpectNumbers(step, {2, 2}, {-0.17036266, -0.39107803, 0.43795567, -0.20018368});
}

TEST(Rnn, PlainNetworksAreTanhOrRelu) {
  const Tensor x = Sines({3, 2, 2}, 0.5), h = Sines({1, 2, 2}, 0.3);
  const auto [out, hy] = rnn_tanh(x, h, Params({1, 1, 1, true}), true, 1, 0, false, false, false);
  ExpectNumbers(out, {3, 2, 2},
                {0.51931969, 0.97490542, 0.86904392, 0.9994851, 0.83150305, 0.99928531, 0.48636433,
                 0.99408557, 0.08134972, 0.91423721, 0.26601491, 0.83245912});
  ExpectNumbers(hy, {1, 2, 2}, {0.08134972, 0.91423721, 0.26601491, 0.83245912});
  const auto [relu, last] =
      rnn_relu(x, h, Params({1, 1, 1, false}), false, 1, 0, false, false, false);
  ExpectNumbers(relu, {3, 2, 2},
                {0.57540776, 0.45013369, 1.32916015, 2.39953722, 0.78191947, 2.06589317, 1.62798559,
                 2.22403207, 0.91703253, 0.2276262, 1.23602052, 1.10083456});
  ExpectNumbers(last, {1, 2, 2}, {0.91703253, 0.2276262, 1.23602052, 1.10083456});
}

TEST(Rnn, RefusesWhatDoesNotFit) {
  const Tensor x = Sines({3, 2, 2}, 0.5), h = Sines({1, 2, 2}, 0.3);
  const std::vector<Tensor> params = Params({3, 1, 1, true});
  const auto run = [&](const Tensor& input, const Tensor& hx, bool biases) {
    return CodeOf([&] { gru(input, hx, params, biases, 1, 0, false, false, false); });
  };
  EXPECT_EQ(run(x, h, true), ErrorCode::kOk);
  EXPECT_EQ(run(narrow(x, 0, 0, 0), h, true), ErrorCode::kInvalidArgument);  // no steps
  EXPECT_EQ(run(x, Sines({2, 2, 2}, 0.3), true), ErrorCode::kInvalidArgument);
  EXPECT_EQ(run(x, Sines({1, 3, 2}, 0.3), true), ErrorCode::kInvalidArgument);
  EXPECT_EQ(run(x, h, false), ErrorCode::kInvalidArgument);  // too many parameters
}

}  // namespace
}  // namespace sy
