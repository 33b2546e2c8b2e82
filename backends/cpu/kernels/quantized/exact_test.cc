// The loops of quantised tensors give, on every instruction set, what operators on numbers give:
// sums of products are exact, and each step rounds where those round.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "backends/cpu/kernels/testing.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/quantized/dot.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void OnEachIsa(const std::function<void()>& f) {
  const cpu::Isa before = cpu::ActiveIsa();
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    SCOPED_TRACE(cpu::Name(static_cast<cpu::Isa>(isa)));
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    f();
    if (cpu::ActiveDotLoops() == nullptr) continue;
    SCOPED_TRACE("without products of four");
    cpu::internal::allow_dots = false;
    f();
    cpu::internal::allow_dots = true;
  }
  cpu::SetIsa(before);
}

double Low(DType d) { return d == DType::kUInt8 ? 0 : -128; }

// steps: float32; zero: of each element or of all.
Tensor Integers(const Tensor& steps, const Tensor& zero, DType d) {
  const Tensor moved = add(round(steps), to(zero, DType::kFloat32));
  return to(clamp(where(isnan(moved), full_like(moved, Low(d) + 255), moved), Low(d), Low(d) + 255),
            d);
}
Tensor Integers(const Tensor& steps, double zero, DType d) {
  return Integers(steps, full({}, zero, DType::kFloat32), d);
}
Tensor Centred(const Tensor& q) {
  return sub(to(int_repr(q), DType::kFloat64), FindQuantizer(q)->zero_point);
}

// Ties, what is out of range, and what is no number.
Tensor Numbers(int64_t n) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor special = tensor({0.25f, 0.75f, -0.25f, 1e30f, -1e30f, 3e9f, -3e9f, kInf, -kInf,
                                 std::numeric_limits<float>::quiet_NaN(), 8388609.0f, -0.0f});
  return slice(cat({special, mul(randn({n}), 20)}), 0, 0, n);
}
// Every integer there is, and then some.
Tensor Some(const std::vector<int64_t>& sizes, int64_t step, double scale, int64_t zero, DType d) {
  const Tensor all = remainder(mul(arange(static_cast<double>(NumElements(sizes))), step), 256);
  const Tensor integers = to(add(all, Low(d)), d);
  return _make_per_tensor_quantized_tensor(reshape(integers, sizes), scale, zero);
}

TEST(QuantizedLoops, QuantizeAsOperatorsOnNumbersDo) {
  manual_seed(1);
  for (const DType d : {DType::kUInt8, DType::kInt8}) {
    for (const int64_t n : {1, 7, 12, 31, 64, 100, 3000}) {
      const Tensor x = Numbers(n);
      const Tensor expected = Integers(mul(x, double{1.0f / 0.5f}), 3, d);
      const Tensor scales = add(rand({n}), 0.01), inverses = reciprocal(scales);
      const Tensor zeros = to(sub(mul(rand({n}), 200), d == DType::kInt8 ? 100 : 0), DType::kInt64);
      const Tensor each = Integers(mul(x, inverses), zeros, d);
      OnEachIsa([&] {
        const Tensor q = quantize_per_tensor(x, 0.5, 3, d);
        EXPECT_TRUE(equal(int_repr(q), expected)) << n;
        EXPECT_TRUE(equal(dequantize(q), to(mul(Centred(q), 0.5), DType::kFloat32)));
        const Tensor by_each = quantize_per_channel(x, scales, zeros, 0, d);
        EXPECT_TRUE(equal(int_repr(by_each), each)) << n;
        EXPECT_TRUE(equal(dequantize(by_each),
                          mul(to(sub(to(each, DType::kInt64), zeros), DType::kFloat32), scales)));
      });
    }
  }
}

TEST(QuantizedLoops, ChannelsMayLieAlongAnyAxisOfAnyLayout) {
  manual_seed(2);
  const Tensor base = mul(randn({6, 5, 7, 8}), 30);
  const Tensor layouts[] = {base, transpose(base, 1, 3), slice(base, 3, 0, 8, 2),
                            contiguous(base, MemoryFormat::kChannelsLast), select(base, 2, 1)};
  for (const Tensor& x : layouts) {
    const Tensor all = quantize_per_tensor(x, 0.3, 10, DType::kUInt8);
    EXPECT_TRUE(SameSizes(all.strides(), empty_like(x).strides()));
    EXPECT_TRUE(
        equal(int_repr(all), int_repr(quantize_per_tensor(contiguous(x), 0.3, 10, DType::kUInt8))));
    for (int64_t axis = 0; axis < x.dim(); ++axis) {
      const int64_t n = x.size(axis);
      const Tensor scales = add(rand({n}), 0.2), zeros = arange(n);
      for (const Tensor& zero : {zeros, to(zeros, DType::kFloat32)}) {
        for (const DType d : {DType::kUInt8, DType::kInt8, DType::kInt32}) {
          const Tensor q = quantize_per_channel(x, scales, zero, axis, d), numbers = dequantize(q);
          for (int64_t c = 0; c < n; ++c) {
            const Tensor one =
                quantize_per_channel(contiguous(unsqueeze(select(x, axis, c), 0)),
                                     slice(scales, 0, c, c + 1), slice(zero, 0, c, c + 1), 0, d);
            EXPECT_TRUE(equal(select(int_repr(q), axis, c), select(int_repr(one), 0, 0)));
            EXPECT_TRUE(equal(select(numbers, axis, c), select(dequantize(one), 0, 0)));
          }
        }
      }
    }
  }
}

TEST(QuantizedLoops, SumsAndProductsAreThoseOfNumbers) {
  for (const DType d : {DType::kUInt8, DType::kInt8}) {
    for (const int64_t n : {1, 30, 64, 1000}) {
      const Tensor a = Some({3, n}, 7, 0.11, 5, d), b = Some({3, n}, 11, 0.07, 100, d);
      const Tensor others[] = {b, slice(b, 0, 0, 1), t(Some({n, 3}, 11, 0.07, 100, d))};
      for (const Tensor& other : others) {
        const double inverse = double{1.0f / 0.13f};
        const auto expected = [&](const Tensor& numbers) {
          return Integers(mul(numbers, inverse), 20, d);
        };
        const Tensor sums = expected(add(dequantize(a), dequantize(other))),
                     products = expected(mul(dequantize(a), dequantize(other)));
        OnEachIsa([&] {
          const auto found = [&](const char* name) {
            return int_repr(call(name, a, other, 0.13, 20).tensor());
          };
          EXPECT_TRUE(equal(found("quantized_add"), sums));
          EXPECT_TRUE(equal(found("quantized_mul"), products));
          EXPECT_TRUE(equal(found("quantized::add_relu"), clamp_min(sums, 20)));
          EXPECT_TRUE(equal(found("quantized::mul_relu"), clamp_min(products, 20)));
        });
      }
    }
  }
  const Tensor a = _make_per_tensor_quantized_tensor(
      to(tensor({2000000000, -2000000000, 7}), DType::kInt32), 0.5, 1);
  EXPECT_TRUE(equal(to(int_repr(quantized_add(a, a, 0.25, 2)), DType::kInt64),
                    tensor({int64_t{INT32_MAX}, int64_t{INT32_MIN}, int64_t{26}})));
}

// Two products of 255 and 127 are more than 16 bits hold.
TEST(QuantizedLoops, SumsOfTheLargestProductsDoNotSaturate) {
  for (const int64_t k : {2, 33, 500, 3000}) {
    const Tensor ones_of_x = full({4, k}, 255, DType::kFloat32);
    const Tensor w = quantize_per_tensor(
        cat({full({2, k}, 127, DType::kFloat32), full({3, k}, -128, DType::kFloat32)}), 1, 0,
        DType::kInt8);
    const Tensor q = quantize_per_tensor(ones_of_x, 1, 0, DType::kUInt8);
    const double scale = 255. * 127. * static_cast<double>(k) / 100;
    OnEachIsa([&] {
      const Tensor y = quantized_linear(q, w, Tensor(), scale, 101);
      EXPECT_TRUE(equal(to(select(int_repr(y), 0, 0), DType::kInt64), tensor({201, 201, 0, 0, 0})));
      EXPECT_TRUE(equal(quantized_linear_dynamic(ones_of_x, w),
                        to(mm(to(ones_of_x, DType::kFloat64), t(to(int_repr(w), DType::kFloat64))),
                           DType::kFloat32)));
    });
  }
}

TEST(QuantizedLoops, LinearIsExact) {
  for (const DType d : {DType::kUInt8, DType::kInt8}) {
    for (const auto& sizes : std::vector<std::array<int64_t, 3>>{{1, 1, 1},
                                                                 {3, 5, 17},
                                                                 {7, 4, 100},
                                                                 {300, 3, 64},
                                                                 {2, 70, 1500},
                                                                 {5, 9, 2049},
                                                                 {4, 33, 100},
                                                                 {1, 19, 700},
                                                                 {5, 65, 63},
                                                                 {19, 130, 515},
                                                                 {9, 200, 1030},
                                                                 {3, 4, 0}}) {
      const int64_t rows = sizes[0], columns = sizes[1], k = sizes[2];
      const Tensor x = Some({rows, k}, 37, 0.1, 13, d),
                   w = Some({columns, k}, 91, 0.02, 0, DType::kInt8);
      const Tensor bias = randn({columns});
      const Tensor sums = to(mm(Centred(x), t(Centred(w))), DType::kFloat32);
      const Tensor numbers = add(mul(sums, double{0.1f * 0.02f}), bias);
      const double scale = max(abs(numbers)).item<float>() / 60;
      const Tensor expected =
          Integers(mul(numbers, double{1.0f / static_cast<float>(scale)}), 50, d);
      OnEachIsa([&] {
        EXPECT_TRUE(equal(int_repr(quantized_linear(x, w, bias, scale, 50)), expected))
            << rows << " " << columns << " " << k;
        // What a packed weight keeps serves every zero point.
        const Tensor packed = call("quantized::linear_prepack", w, bias).tensor();
        const Tensor plus = _make_per_tensor_quantized_tensor(int_repr(x), 0.1, 14);
        for (const Tensor& input : {x, plus, x}) {
          EXPECT_TRUE(equal(int_repr(call("quantized::linear", input, packed, scale, 50).tensor()),
                            int_repr(quantized_linear(input, w, bias, scale, 50))))
              << rows << " " << columns << " " << k;
        }
      });
    }
  }
}

struct Geometry {
  std::vector<int64_t> input, weight, stride, padding, dilation;
  int64_t groups;
};
TEST(QuantizedLoops, ConvolutionsAreExact) {
  const Geometry all[] = {
      {{1, 3, 12}, {4, 3, 3}, {1}, {1}, {1}, 1},
      {{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
      {{2, 20, 9, 11}, {6, 20, 3, 2}, {2, 3}, {1, 0}, {1, 1}, 1},
      {{1, 8, 10, 10}, {6, 4, 3, 3}, {1, 2}, {2, 2}, {2, 2}, 2},
      {{1, 21, 8, 9}, {21, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 21},
      {{2, 40, 8, 9}, {40, 1, 3, 3}, {2, 2}, {1, 1}, {1, 2}, 40},
      {{1, 4, 8, 9}, {8, 1, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 4},
      {{1, 300, 5, 5}, {7, 300, 3, 5}, {1, 1}, {1, 2}, {1, 1}, 1},
      {{1, 64, 5, 5}, {40, 64, 1, 1}, {2, 2}, {0, 0}, {1, 1}, 1},
      {{2, 6, 7, 8}, {66, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 2},
      {{1, 5, 9, 9}, {70, 5, 3, 3}, {2, 1}, {1, 2}, {1, 2}, 1},
      {{1, 6, 4, 4}, {3, 2, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3},
      {{1, 3, 5, 6, 7}, {4, 3, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {2, 1, 1}, 1},
  };
  for (const DType d : {DType::kUInt8, DType::kInt8}) {
    for (const Geometry& g : all) {
      const auto dims = g.stride.size();
      const Tensor x = Some(g.input, 37, 0.1, 13, d), w = Some(g.weight, 91, 0.02, 0, DType::kInt8);
      const Tensor bias = randn({g.weight[0]});
      const Tensor sums = to(convolution(Centred(x), Centred(w), Tensor(), g.stride, g.padding,
                                         g.dilation, false, std::vector<int64_t>(dims), g.groups),
                             DType::kFloat32);
      std::vector<int64_t> along(dims + 2, 1);
      along[1] = -1;
      const Tensor numbers = add(mul(sums, double{0.1f * 0.02f}), view(bias, along));
      const double scale = max(abs(numbers)).item<float>() / 60;
      const Tensor expected =
          Integers(mul(numbers, double{1.0f / static_cast<float>(scale)}), 50, d);
      const auto conv = [&](const Tensor& input) {
        const char* const names[] = {"quantized_conv1d", "quantized_conv2d", "quantized_conv3d"};
        return call(names[dims - 1], input, w, bias, g.stride, g.padding, g.dilation, g.groups,
                    scale, 50)
            .tensor();
      };
      OnEachIsa([&] {
        const Tensor y = conv(x);
        EXPECT_TRUE(equal(int_repr(y), expected)) << &g - all;
        EXPECT_TRUE(y.is_contiguous());
      });
      EXPECT_TRUE(equal(int_repr(conv(select(x, 0, 0))), select(expected, 0, 0)));
      if (dims != 2) continue;
      const Tensor behind = conv(contiguous(x, MemoryFormat::kChannelsLast));
      EXPECT_TRUE(equal(int_repr(behind), expected));
      EXPECT_TRUE(behind.is_contiguous(MemoryFormat::kChannelsLast));
    }
  }
}

TEST(QuantizedLoops, ThreadsChangeNothing) {
  const Tensor x = Some({200, 700}, 37, 0.1, 13, DType::kUInt8),
               w = Some({300, 700}, 91, 0.02, 0, DType::kInt8);
  const Tensor image = Some({2, 16, 40, 40}, 37, 0.1, 13, DType::kUInt8),
               kernel = Some({24, 16, 3, 3}, 91, 0.02, 0, DType::kInt8);
  const Tensor numbers = mul(randn({300000}), 20);
  const auto all = [&] {
    return std::vector<Tensor>{
        int_repr(quantize_per_tensor(numbers, 0.3, 3, DType::kInt8)), dequantize(x),
        int_repr(quantized_linear(x, w, Tensor(), 20, 128)),
        quantized_linear_dynamic(dequantize(slice(x, 0, 0, 4)), w),
        int_repr(quantized_conv2d(image, kernel, Tensor(), {1}, {1}, {1}, 1, 9, 128))};
  };
  const std::vector<Tensor> one = [&] {
    const ThreadsScope scope(1);
    return all();
  }();
  const ThreadsScope scope(3);
  const std::vector<Tensor> three = all();
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(SameBytes(one[i], three[i])) << i;
}

}  // namespace
}  // namespace sy
