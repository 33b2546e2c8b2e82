// Quantised tensors: what they are, how they are printed, and layers on them; other results are
// compared with PyTorch's in tests/conformance/layouts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/ops/quantized/qscheme.h"

namespace sy {
namespace {

using testing::HasSubstr;

Tensor Numbers() { return tensor({{1., 2., 3.}, {-4., 0.5, 2.5}}); }
Tensor Q() { return quantize_per_tensor(Numbers(), 0.5, 10, DType::kUInt8); }
Tensor Channels() {
  return quantize_per_channel(Numbers(), tensor({0.5, 0.25}), tensor({1, 0}), 0, DType::kInt8);
}

TEST(Quantized, HasIntegersAndWhatTheyMean) {
  const Tensor q = Q();
  EXPECT_TRUE(q.is_quantized());
  EXPECT_TRUE(q.is_strided());
  EXPECT_EQ(q.dtype(), DType::kUInt8);
  EXPECT_EQ(q_scale(q), 0.5);
  EXPECT_EQ(q_zero_point(q), 10);
  EXPECT_EQ(FindQuantizer(q)->scheme(), "per_tensor_affine");
  EXPECT_TRUE(equal(int_repr(q), to(tensor({{12, 14, 16}, {2, 11, 15}}), DType::kUInt8)));
  EXPECT_FALSE(int_repr(q).is_quantized());
  EXPECT_TRUE(equal(dequantize(q), Numbers()));
  EXPECT_EQ(Describe(q), "quantized uint8[2, 3] on cpu");
  EXPECT_FALSE(is_floating_point(q));
  const Tensor c = Channels();
  EXPECT_EQ(FindQuantizer(c)->scheme(), "per_channel_affine");
  EXPECT_EQ(q_per_channel_axis(c), 0);
  EXPECT_TRUE(equal(q_per_channel_zero_points(c), tensor({1, 0})));
  EXPECT_TRUE(equal(dequantize(c), Numbers()));
}

TEST(Quantized, IsPrintedAsByPyTorch) {
  EXPECT_EQ(ToString(quantize_per_tensor(tensor({{1., 2.}, {3., -1.}}), 0.5, 10, DType::kUInt8)),
            R"(tensor([[ 1.,  2.],
        [ 3., -1.]], size=(2, 2), dtype=torch.quint8,
       quantization_scheme=torch.per_tensor_affine, scale=0.5, zero_point=10))");
  EXPECT_EQ(ToString(quantize_per_channel(tensor({{1., 2.}, {3., -1.}}), tensor({0.5, 0.25}),
                                          tensor({1, 0}), 0, DType::kInt8)),
            R"(tensor([[ 1.,  2.],
        [ 3., -1.]], size=(2, 2), dtype=torch.qint8,
       quantization_scheme=torch.per_channel_affine,
       scale=tensor([0.5000, 0.2500], dtype=torch.float64),
       zero_point=tensor([1, 0]), axis=0))");
  EXPECT_EQ(ToString(quantize_per_tensor(zeros({0}), 0.5, 10, DType::kInt32)),
            R"(tensor([], size=(0,), dtype=torch.qint32,
       quantization_scheme=torch.per_tensor_affine, scale=0.5, zero_point=10))");
  EXPECT_EQ(ToString(quantize_per_channel(tensor({{1., 2.}, {3., -1.}}), tensor({0.5, 0.25}),
                                          tensor({0.5, 0.}), 0, DType::kInt8)),
            R"(tensor([[ 0.7500,  1.7500],
        [ 3.0000, -1.0000]], size=(2, 2), dtype=torch.qint8,
       quantization_scheme=torch.per_channel_affine_float_qparams,
       scale=tensor([0.5000, 0.2500]), zero_point=tensor([0.5000, 0.0000]),
       axis=0))");
}

TEST(Quantized, ViewsShareIntegersAndMeaning) {
  const Tensor q = Q();
  const Tensor row = q[1];
  EXPECT_TRUE(row.is_quantized() && row.shares_storage_with(q));
  EXPECT_TRUE(equal(dequantize(row), tensor({-4., 0.5, 2.5})));
  relu_(row);
  EXPECT_TRUE(equal(dequantize(q), tensor({{1., 2., 3.}, {0., 0.5, 2.5}})));
  EXPECT_TRUE(equal(dequantize(t(q)), t(dequantize(q))));
  EXPECT_TRUE(equal(dequantize(reshape(t(q), {6})), reshape(t(dequantize(q)), {6})));
  EXPECT_TRUE(contiguous(t(q)).is_contiguous());
}

TEST(Quantized, ScalesFollowTheirAxis) {
  const Tensor c = Channels();
  EXPECT_EQ(q_per_channel_axis(t(c)), 1);
  EXPECT_TRUE(equal(dequantize(t(c)), t(Numbers())));
  EXPECT_TRUE(equal(dequantize(unsqueeze(c, 0)), unsqueeze(Numbers(), 0)));
  EXPECT_EQ(q_per_channel_axis(unsqueeze(c, 0)), 1);
  const Tensor second = slice(c, 0, 1, 2);
  EXPECT_TRUE(equal(q_per_channel_scales(second), tensor({0.25}, DType::kFloat64)));
  EXPECT_TRUE(equal(dequantize(second), slice(Numbers(), 0, 1, 2)));
  EXPECT_EQ(q_scale(c[1]), 0.25);
  EXPECT_THAT(MessageOf([&] { view(c, {6}); }), HasSubstr("view"));
  EXPECT_THAT(MessageOf([&] { flip(c, {0}); }), HasSubstr("one scale for all"));
}

TEST(Quantized, RoundsToEvenAndStaysInRange) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = 1.0f / 0.0f;
  const Tensor x = tensor({nan, inf, -inf, 1e20f, 0.5f, 2.5f, -1.5f});
  const auto integers = [&](DType d) {
    return to(int_repr(quantize_per_tensor(x, 1, 3, d)), DType::kInt64);
  };
  EXPECT_TRUE(equal(integers(DType::kUInt8), tensor({255, 255, 0, 255, 3, 5, 1})));
  EXPECT_TRUE(equal(integers(DType::kInt8), tensor({127, 127, -128, 127, 3, 5, 1})));
  const int64_t low = INT32_MIN, high = INT32_MAX;
  EXPECT_TRUE(equal(integers(DType::kInt32),
                    tensor({low, high, low, high, int64_t{3}, int64_t{5}, int64_t{1}})));
}

TEST(Quantized, WhatItCannotDoIsAClearError) {
  EXPECT_EQ(MessageOf([] { add(Q(), Q()); }),
            "add.Tensor(): not implemented for argument 'self', which is quantized uint8[2, 3] on "
            "cpu; dequantize() gives the numbers");
  EXPECT_EQ(CodeOf([] { mm(Q(), t(Q())); }), ErrorCode::kNotImplemented);
  EXPECT_THAT(MessageOf([] { sum(Q()); }), HasSubstr("sum(): not implemented"));
  EXPECT_THAT(MessageOf([] { to(Q(), DType::kFloat32); }), HasSubstr("dequantize"));
  EXPECT_THAT(MessageOf([] { copy_(zeros({2, 3}), Q()); }), HasSubstr("dequantize"));
  EXPECT_THAT(MessageOf([] { Q().at<uint8_t>(0, 0); }), HasSubstr("int_repr"));
  EXPECT_THAT(MessageOf([] { q_scale(Channels()); }), HasSubstr("one scale for all"));
  EXPECT_THAT(MessageOf([] { q_scale(Numbers()); }), HasSubstr("must be quantized"));
  EXPECT_THAT(MessageOf([] { q_per_channel_axis(Q()); }), HasSubstr("along an axis"));
  EXPECT_THAT(MessageOf([] { int_repr(Numbers()); }), HasSubstr("must be quantized"));
  EXPECT_THAT(MessageOf([] { quantize_per_tensor(Numbers(), 1, 300, DType::kUInt8); }),
              HasSubstr("0 to 255"));
  EXPECT_THAT(MessageOf([] { quantize_per_tensor(Numbers(), 1, 0, DType::kFloat32); }),
              HasSubstr("dtype must be uint8, int8 or int32"));
  EXPECT_THAT(
      MessageOf([] { quantize_per_tensor(to(Numbers(), DType::kFloat64), 1, 0, DType::kInt8); }),
      HasSubstr("expected float32"));
  EXPECT_EQ(CodeOf([] {
              quantize_per_channel(Numbers(), tensor({0.5, 0.25}), tensor({1, 0}), 2, DType::kInt8);
            }),
            ErrorCode::kOutOfRange);
}

// Results of torch.ops.quantized.linear, linear_dynamic and conv2d of PyTorch 2.11 (fbgemm).
TEST(QuantizedLayers, LinearIsThatOfPyTorch) {
  const Tensor x = quantize_per_tensor(Numbers(), 0.05, 100, DType::kUInt8);
  const Tensor w = tensor({{0.5, -1., 0.25}, {1., 0.75, -0.5}}), b = tensor({0.1, -0.2});
  const Tensor all = quantize_per_tensor(w, 0.01, 0, DType::kInt8);
  const Tensor channels =
      quantize_per_channel(w, tensor({0.01, 0.02}), tensor({0, 0}), 0, DType::kInt8);
  const auto integers = [](const Tensor& q) { return to(int_repr(q), DType::kInt64); };
  EXPECT_TRUE(
      equal(integers(quantized_linear(x, all, b, 0.04, 120)), tensor({{104, 140}, {76, 0}})));
  EXPECT_TRUE(
      equal(integers(quantized_linear(x, channels, b, 0.04, 120)), tensor({{104, 141}, {76, 0}})));
  EXPECT_TRUE(allclose(quantized_linear_dynamic(Numbers(), all, b),
                       tensor({{-0.6618, 0.7951}, {-1.7735, -5.0863}}), 0, 1e-4));
  EXPECT_TRUE(allclose(quantized_linear_dynamic(Numbers(), channels, b),
                       tensor({{-0.6618, 0.8151}, {-1.7735, -5.0813}}), 0, 1e-4));
  EXPECT_TRUE(
      SameSizes(quantized_linear(unsqueeze(x, 0), all, Tensor(), 0.04, 120).sizes(), {{1, 2, 2}}));
  EXPECT_THAT(MessageOf([&] { quantized_linear(x, x, b, 1, 0); }), HasSubstr("weight int8"));
  EXPECT_THAT(MessageOf([&] { quantized_linear(x, t(all), b, 1, 0); }), HasSubstr("weight [n, k]"));
  EXPECT_THAT(MessageOf([&] { quantized_linear(x, all, ones({3}), 1, 0); }),
              HasSubstr("float32[2]"));
}

// As what is quantised by the least and the largest number.
TEST(QuantizedLayers, DynamicLinearIsThatOfItsQuantisedInput) {
  const Tensor x = sub(div(reshape(remainder(mul(arange(7. * 40.), 37), 101), {7, 40}), 20), 2);
  const Tensor w = quantize_per_tensor(
      div(sub(remainder(reshape(arange(5. * 40.), {5, 40}), 23), 11), 8), 0.02, 0, DType::kInt8);
  const Tensor b = tensor({0.5, -1., 0., 2., 3.});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor all[] = {x,
                        mul(x, 1e-6),
                        abs(x),
                        neg(abs(x)),
                        transpose(view(x, {40, 7}), 0, 1),
                        index_fill(x, 0, tensor({3}), nan),
                        zeros({7, 40})};
  for (const Tensor& input : all) {
    for (const bool reduce : {false, true}) {
      const Tensor q = quantize_per_tensor_dynamic(input, DType::kUInt8, reduce);
      const Tensor expected = add(mm(dequantize(q), t(dequantize(w))), b);
      const Tensor found = quantized_linear_dynamic(input, w, b, reduce);
      EXPECT_TRUE(allclose(found, expected, 1e-4, 1e-4, /*equal_nan=*/true)) << ToString(found);
    }
  }
  EXPECT_TRUE(equal(quantized_linear_dynamic(zeros({0, 40}), w, b), zeros({0, 5})));
  EXPECT_THAT(MessageOf([&] { quantized_linear_dynamic(to(x, DType::kFloat64), w, b); }),
              HasSubstr("expected float32"));
}

TEST(QuantizedLayers, ConvolutionIsThatOfPyTorch) {
  const Tensor x = quantize_per_tensor(sub(div(reshape(arange(32.), {1, 2, 4, 4}), 8), 1), 0.02, 50,
                                       DType::kUInt8);
  const Tensor w = quantize_per_tensor(
      div(sub(remainder(reshape(arange(36.), {2, 2, 3, 3}), 7), 3), 4), 0.01, 0, DType::kInt8);
  const Tensor b = tensor({0.1, -0.2});
  const auto integers = [](const Tensor& q) { return to(int_repr(q), DType::kInt64); };
  EXPECT_TRUE(equal(
      integers(quantized_conv2d(x, w, b, {1, 1}, {1, 1}, {1, 1}, 1, 0.05, 128)),
      tensor(
          {{{{118, 104, 103, 131},
             {131, 133, 129, 150},
             {118, 118, 113, 142},
             {147, 162, 162, 187}},
            {{136, 161, 161, 181}, {89, 120, 121, 168}, {92, 127, 129, 176}, {80, 88, 87, 93}}}})));
  EXPECT_TRUE(equal(
      integers(quantized_conv2d(x, slice(w, 1, 0, 1), b, {2, 2}, {1, 1}, {1, 1}, 2, 0.05, 128)),
      tensor({{{{128, 119}, {124, 133}}, {{132, 116}, {171, 154}}}})));
  const Tensor line =
      quantized_conv1d(select(x, 2, 0), select(w, 2, 0), b, {1}, {1}, {1}, 1, 0.05, 128);
  EXPECT_TRUE(SameSizes(line.sizes(), {{1, 2, 4}}));
  const Tensor cube = quantized_conv3d(unsqueeze(x, 2), unsqueeze(w, 2), b, {1, 1, 1}, {0, 1, 1},
                                       {1, 1, 1}, 1, 0.05, 128);
  EXPECT_TRUE(equal(int_repr(select(cube, 2, 0)),
                    int_repr(quantized_conv2d(x, w, b, {1, 1}, {1, 1}, {1, 1}, 1, 0.05, 128))));
}

TEST(QuantizedLayers, SumsProductsAndJoins) {
  const Tensor q = Q();
  EXPECT_TRUE(equal(dequantize(quantized_add(q, q, 1, 3)), tensor({{2., 4., 6.}, {-3., 1., 5.}})));
  EXPECT_TRUE(equal(dequantize(quantized_mul(q, q, 1, 3)), tensor({{1., 4., 9.}, {16., 0., 6.}})));
  EXPECT_TRUE(equal(dequantize(quantized_cat({q, q}, 0)), cat({Numbers(), Numbers()})));
  EXPECT_EQ(q_scale(quantized_cat({q, q}, 0, 0.25, 2)), 0.25);
  EXPECT_THAT(MessageOf([&] { quantized_add(q, Channels(), 1, 0); }),
              HasSubstr("one scale for all"));
}

TEST(QuantizedLayers, CallsByNameFindTheSameKernels) {
  const Tensor q = Q(), w = quantize_per_tensor(ones({2, 3}), 0.5, 0, DType::kInt8);
  const Tensor x = reshape(q, {1, 1, 6}), k = reshape(w, {1, 1, 6});
  for (const char* name : {"quantized_add", "quantized_mul"})
    EXPECT_TRUE(call(name, q, q, 1., 3).tensor().is_quantized()) << name;
  EXPECT_TRUE(call("quantized_cat", std::vector<Tensor>{q, q}, 0).tensor().is_quantized());
  EXPECT_TRUE(call("quantized_linear", q, w, std::nullopt, 1., 3).tensor().is_quantized());
  EXPECT_FALSE(call("quantized_linear_dynamic", Numbers(), w).tensor().is_quantized());
  const std::vector<int64_t> ones_of[] = {{1}, {1, 1}, {1, 1, 1}},
                             none_of[] = {{0}, {0, 0}, {0, 0, 0}};
  const char* names[] = {"quantized_conv1d", "quantized_conv2d", "quantized_conv3d"};
  Tensor input = x, weight = k;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(
        call(names[i], input, weight, std::nullopt, ones_of[i], none_of[i], ones_of[i], 1, 1., 3)
            .tensor()
            .is_quantized())
        << names[i];
    input = unsqueeze(input, 2);
    weight = unsqueeze(weight, 2);
  }
  EXPECT_EQ(q_scale(call("_empty_affine_quantized", std::vector<int64_t>{2},
                         kw("dtype", DType::kInt8), kw("scale", 0.5))
                        .tensor()),
            0.5);
  EXPECT_EQ(
      q_per_channel_axis(call("_empty_per_channel_affine_quantized", std::vector<int64_t>{2},
                              kw("scales", tensor({0.5, 0.25})), kw("zero_points", tensor({0, 0})),
                              kw("axis", 0), kw("dtype", DType::kInt8))
                             .tensor()),
      0);
}

TEST(Quantized, SaysHowItStandsForNumbers) {
  EXPECT_EQ(qscheme(Q()), kPerTensorAffine);
  EXPECT_EQ(call("qscheme", Channels()).scalar().To<int64_t>(), kPerChannelAffine);
  EXPECT_EQ(
      qscheme(quantize_per_channel(Numbers(), tensor({0.5, 0.25}), tensor({0.5, 0.}), 0, kQInt8)),
      kPerChannelAffineFloatQParams);
  EXPECT_THAT(MessageOf([] { qscheme(Numbers()); }), HasSubstr("must be quantized"));
  EXPECT_EQ(call("quantize_per_tensor", Numbers(), 0.5, 10, "quint8").tensor().dtype(), kQUInt8);
}

// As torch.ops.quantized.linear_prepack and linear of PyTorch 2.11.
TEST(PackedLayers, LinearIsThatOfItsParts) {
  const Tensor x = quantize_per_tensor(Numbers(), 0.05, 100, kQUInt8);
  const Tensor w = tensor({{0.5, -1., 0.25}, {1., 0.75, -0.5}}), b = tensor({0.1, -0.2});
  const Tensor channels = quantize_per_channel(w, tensor({0.01, 0.02}), tensor({0, 0}), 0, kQInt8);
  const Tensor packed = call("quantized::linear_prepack", channels, b);
  const Tensor y = call("quantized::linear", x, packed, 0.04, 120);
  EXPECT_TRUE(equal(to(int_repr(y), DType::kInt64), tensor({{104, 141}, {76, 0}})));
  const Tensor cut = call("quantized::linear_relu", x, packed, 0.04, 120);
  EXPECT_TRUE(equal(to(int_repr(cut), DType::kInt64), tensor({{120, 141}, {120, 120}})));
  const Tensor dynamic = call("quantized::linear_dynamic", Numbers(), packed);
  EXPECT_TRUE(allclose(dynamic, tensor({{-0.6618, 0.8151}, {-1.7735, -5.0813}}), 0, 1e-4));
  const Tensor positive = call("quantized::linear_relu_dynamic", Numbers(), packed);
  EXPECT_TRUE(equal(positive, relu(dynamic)));
  Results parts = call("quantized::linear_unpack", packed);
  EXPECT_TRUE(equal(dequantize(parts[0].tensor()), dequantize(channels)));
  EXPECT_EQ(qscheme(parts[0].tensor()), kPerChannelAffine);
  EXPECT_TRUE(equal(parts[1].tensor(), b));
  const Tensor bare = call("quantized::linear_prepack", channels);
  Results of_bare = call("quantized::linear_unpack", bare);
  EXPECT_FALSE(of_bare[1].TakeTensor().defined());
  EXPECT_TRUE(equal(int_repr(call("quantized::linear", x, bare, 0.04, 120).tensor()),
                    int_repr(quantized_linear(x, channels, Tensor(), 0.04, 120))));
}

TEST(PackedLayers, ConvolutionsAreThoseOfTheirParts) {
  struct Names {
    const char *pack, *unpack, *conv, *relu;
  };
  const Names all[] = {{"quantized::conv1d_prepack", "quantized::conv1d_unpack",
                        "quantized::conv1d", "quantized::conv1d_relu"},
                       {"quantized::conv2d_prepack", "quantized::conv2d_unpack",
                        "quantized::conv2d.new", "quantized::conv2d_relu.new"},
                       {"quantized::conv3d_prepack", "quantized::conv3d_unpack",
                        "quantized::conv3d.new", "quantized::conv3d_relu.new"}};
  Tensor x =
      quantize_per_tensor(sub(div(reshape(arange(10.), {1, 2, 5}), 4), 1), 0.02, 50, kQUInt8);
  Tensor w = quantize_per_tensor(sub(div(reshape(arange(12.), {2, 2, 3}), 6), 1), 0.01, 0, kQInt8);
  const Tensor b = tensor({0.1, -0.2});
  std::vector<Tensor> results;
  for (size_t i = 0; i < 3; ++i) {
    std::vector<int64_t> padding(i + 1, 0), once(i + 1, 1);
    padding.back() = 1;
    const Tensor packed = call(all[i].pack, w, b, once, padding, once, 1);
    const Tensor y = call(all[i].conv, x, packed, 0.05, 128);
    results.push_back(flatten(int_repr(y)));
    EXPECT_TRUE(
        equal(int_repr(call(all[i].relu, x, packed, 0.05, 128).tensor()), clamp(int_repr(y), 128)));
    Results parts = call(all[i].unpack, packed);
    EXPECT_TRUE(equal(int_repr(parts[0].tensor()), int_repr(w)));
    EXPECT_TRUE(equal(parts[1].tensor(), b));
    x = unsqueeze(x, 2);
    w = unsqueeze(w, 2);
  }
  const Tensor line =
      quantized_conv1d(select(select(select(x, 2, 0), 2, 0), 2, 0),
                       select(select(select(w, 2, 0), 2, 0), 2, 0), b, {1}, {1}, {1}, 1, 0.05, 128);
  EXPECT_TRUE(equal(results[0], flatten(int_repr(line))));
  EXPECT_TRUE(equal(results[0], results[1]));
  EXPECT_TRUE(equal(results[0], results[2]));
}

TEST(PackedLayers, SumsProductsAndJoinsByName) {
  const Tensor q = Q();
  const auto numbers = [&](const char* name) {
    return dequantize(call(name, q, q, 1., 3).tensor());
  };
  EXPECT_TRUE(equal(numbers("quantized::add"), tensor({{2., 4., 6.}, {-3., 1., 5.}})));
  EXPECT_TRUE(equal(numbers("quantized::add_relu"), tensor({{2., 4., 6.}, {0., 1., 5.}})));
  EXPECT_TRUE(equal(numbers("quantized::mul"), tensor({{1., 4., 9.}, {16., 0., 6.}})));
  EXPECT_TRUE(equal(numbers("quantized::mul_relu"), tensor({{1., 4., 9.}, {16., 0., 6.}})));
  const Tensor joined =
      call("quantized::cat", std::vector<Tensor>{q, q}, 0, std::nullopt, std::nullopt);
  EXPECT_TRUE(equal(dequantize(joined), cat({Numbers(), Numbers()})));
  const Tensor cut =
      call("quantized::cat_relu", std::vector<Tensor>{q, q}, 0, std::nullopt, std::nullopt);
  EXPECT_TRUE(equal(dequantize(cut), relu(cat({Numbers(), Numbers()}))));
}

// Devices keep what they make of a packed weight.
TEST(PackedLayers, AreConstantAndUnpackACopy) {
  const Tensor x = quantize_per_tensor(Numbers(), 0.05, 100, kQUInt8);
  const Tensor packed =
      call("quantized::linear_prepack", quantize_per_tensor(full({2, 3}, -1.), 0.01, 0, kQInt8));
  const Tensor before = dequantize(call("quantized::linear", x, packed, 0.5, 120).tensor());
  EXPECT_THAT(MessageOf([&] { relu_(packed); }), HasSubstr("constant"));
  Results parts = call("quantized::linear_unpack", packed);
  relu_(parts[0].tensor());
  EXPECT_TRUE(equal(dequantize(parts[0].tensor()), zeros({2, 3})));
  EXPECT_TRUE(equal(dequantize(call("quantized::linear", x, packed, 0.5, 120).tensor()), before));
}

TEST(PackedLayers, TakeWhatTheirPrepackGaveAlone) {
  const Tensor x = quantize_per_tensor(Numbers(), 0.05, 100, kQUInt8);
  const Tensor w = quantize_per_tensor(ones({2, 3}), 0.01, 0, kQInt8);
  const Tensor packed = call("quantized::linear_prepack", w);
  EXPECT_THAT(MessageOf([&] { call("quantized::linear", x, w, 1., 0); }),
              HasSubstr("expected a packed weight of quantized::linear_prepack"));
  EXPECT_THAT(MessageOf([&] { call("quantized::conv1d", x, packed, 1., 0); }),
              HasSubstr("quantized::conv1d_prepack"));
  EXPECT_THAT(MessageOf([&] { call("quantized::linear", x, clone(packed), 1., 0); }),
              HasSubstr("packed weight"));
  EXPECT_THAT(MessageOf([&] { call("quantized::linear_prepack", x); }), HasSubstr("int8"));
  EXPECT_THAT(MessageOf([&] { call("quantized::linear_prepack", w, ones({3})); }),
              HasSubstr("float32[2]"));
  const std::vector<int64_t> one{1}, two{1, 1};
  EXPECT_THAT(MessageOf([&] {
                call("quantized::conv1d_prepack", unsqueeze(w, 0), std::nullopt, two, one, one, 1);
              }),
              HasSubstr("1 numbers each"));
}

TEST(Quantized, EmptyOnesHaveWhatTheyWereGiven) {
  const Tensor e =
      _empty_affine_quantized({2}, DType::kUInt8, std::nullopt, std::nullopt, std::nullopt, 0.5, 3);
  EXPECT_EQ(q_scale(e), 0.5);
  EXPECT_EQ(q_zero_point(e), 3);
  const Tensor c = _empty_per_channel_affine_quantized({2, 1}, tensor({0.5, 0.25}), tensor({1, 2}),
                                                       0, DType::kInt8);
  EXPECT_EQ(q_per_channel_axis(c), 0);
}

}  // namespace
}  // namespace sy
