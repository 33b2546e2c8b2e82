// What networks are made of, on cuda as on the host.

#include <limits>

#include "backends/cuda/driver/cudnn.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

constexpr DType kFloating[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};
double ToleranceOf(DType d) {
  return d == DType::kFloat64   ? 1e-12
         : d == DType::kFloat32 ? 2e-5
         : d == DType::kFloat16 ? 4e-3
                                : 3e-2;
}

Tensor Transposed(const Tensor& t, int64_t a, int64_t b) {
  return call("transpose.int", t, a, b).take();
}

// cuDNN rounds numbers of 16 bits before the bias is added, too: sums of some ones, of which little
// may be left.
template <class... A>
void ExpectConvolved(DType d, double tolerance, const A&... args) {
  const bool rounds_twice = ItemSize(d) == 2 && FindDnn() != nullptr;
  const Tensor expected = call("convolution", args...).take();
  const Tensor got = call("convolution", ToCuda(args)...).take();
  ExpectClose(got, expected, tolerance, rounds_twice ? 1 : 0.1);
}

TEST(ConvolutionTest, OfOneTwoAndThreeDimensions) {
  for (DType d : kFloating) {
    for (std::vector<int64_t> space : {std::vector<int64_t>{9}, {6, 7}, {4, 5, 3}}) {
      std::vector<int64_t> x = {2, 4}, w = {6, 2};
      x.insert(x.end(), space.begin(), space.end());
      w.insert(w.end(), space.size(), 2);
      const size_t n = space.size();
      const std::vector<int64_t> stride(n, 2), padding(n, 1), dilation(n, 1), none(n, 0);
      ExpectConvolved(d, ToleranceOf(d), Spread(x, d), Spread(w, d, 1), Spread({6}, d, 2), stride,
                      padding, dilation, false, none, int64_t{2});
    }
  }
}
TEST(ConvolutionTest, DepthwiseWithDilationOfAnyDType) {
  for (DType d : {DType::kInt8, DType::kInt64, DType::kFloat32, DType::kComplex64}) {
    const std::vector<int64_t> one = {1, 1}, two = {2, 2}, none = {0, 0};
    ExpectAsOnHostWithin(1e-5, "convolution", Spread({1, 3, 8, 8}, d), Spread({3, 1, 3, 3}, d, 3),
                         Tensor(), one, two, two, false, none, int64_t{3});
  }
}
TEST(ConvolutionTest, Transposed) {
  for (DType d : kFloating) {
    const std::vector<int64_t> stride = {2, 3}, padding = {1, 0}, dilation = {1, 2}, more = {1, 2};
    ExpectConvolved(d, ToleranceOf(d), Spread({2, 4, 5, 4}, d), Spread({4, 3, 3, 2}, d, 1),
                    Spread({6}, d), stride, padding, dilation, true, more, int64_t{2});
  }
}
// Large enough for products of columns, in both directions, with groups and bias.
TEST(ConvolutionTest, LargeOnesAreProductsOfColumns) {
  const std::vector<int64_t> one = {1, 1}, none = {0, 0}, two = {2, 2};
  for (int64_t groups : {1, 2}) {
    ExpectAsOnHostWithin(1e-4, "convolution", Spread({2, 16, 18, 18}, DType::kFloat32),
                         Spread({32, 16 / groups, 3, 3}, DType::kFloat32, 1),
                         Spread({32}, DType::kFloat32), one, one, one, false, none, groups);
    for (DType d : {DType::kFloat32, DType::kFloat16, DType::kBFloat16}) {
      ExpectConvolved(d, 10 * ToleranceOf(d), Spread({2, 32, 12, 12}, d),
                      Spread({32, 16 / groups, 3, 3}, d, 1), Spread({16}, d), two, one, one, true,
                      none, groups);
    }
  }
  ExpectAsOnHostWithin(1e-4, "convolution", Spread({1, 64, 24, 24}, DType::kFloat32),  // pointwise
                       Spread({32, 64, 1, 1}, DType::kFloat32, 1), Tensor(), one, none, one, false,
                       none, int64_t{1});
}
TEST(ConvolutionTest, OfStridedInputsAndWithoutSamples) {
  const std::vector<int64_t> one = {1}, none = {0};
  const Tensor x = Transposed(Spread({2, 9, 4}, DType::kFloat32), 1, 2);
  ExpectAsOnHostWithin(1e-5, "convolution", x, Spread({3, 4, 2}, DType::kFloat32, 1), Tensor(), one,
                       none, one, false, none, int64_t{1});
  ExpectAsOnHost("convolution", Spread({0, 4, 9}, DType::kFloat32),
                 Spread({3, 4, 2}, DType::kFloat32), Tensor(), one, none, one, false, none,
                 int64_t{1});
}
TEST(ConvolutionTest, Im2ColMovesAnyElements) {
  for (DType d : {DType::kBool, DType::kBFloat16, DType::kFloat64, DType::kComplex128}) {
    const std::vector<int64_t> kernel = {2, 3}, dilation = {1, 2}, padding = {2, 1},
                               stride = {1, 2};
    ExpectAsOnHost("im2col", Spread({2, 3, 5, 6}, d), kernel, dilation, padding, stride);
    if (d == DType::kBool) continue;
    const std::vector<int64_t> size = {5, 6};  // 8 by 2 windows
    ExpectAsOnHostWithin(ToleranceOf(d), "col2im", Spread({2, 18, 16}, d), size, kernel, dilation,
                         padding, stride);
  }
}

// --- Pooling
TEST(PoolTest, MaximaAndWhereTheyAre) {
  for (DType d : {DType::kUInt8, DType::kInt64, DType::kFloat16, DType::kFloat64}) {
    const Tensor x = Spread({2, 3, 7, 8}, d);
    const std::vector<int64_t> kernel = {3, 2}, stride = {2, 2}, padding = {1, 0},
                               dilation = {1, 2};
    auto host = call("max_pool2d_with_indices", x, kernel, stride, padding, dilation, true);
    auto cuda = call("max_pool2d_with_indices", ToCuda(x), kernel, stride, padding, dilation, true);
    ExpectClose(cuda[0].tensor(), host[0].tensor(), 0);
    ExpectClose(cuda[1].tensor(), host[1].tensor(), 0);
  }
}
TEST(PoolTest, NaNIsTheLargest) {
  const Tensor x = Spread({1, 1, 6}, DType::kFloat32);
  x.data<float>()[2] = NAN;
  const std::vector<int64_t> three = {3}, none = {0}, one = {1};
  ExpectAsOnHost("max_pool1d", x, three, one, one, one, false);
  x.data<float>()[0] = x.data<float>()[1] = -INFINITY;
  x.data<float>()[2] = -INFINITY;
  ExpectAsOnHost("max_pool1d", x, three, three, none, one, false);
}
TEST(PoolTest, MeansCountPaddingWhereAsked) {
  for (DType d : kFloating) {
    for (bool include_pad : {false, true}) {
      const std::vector<int64_t> kernel = {3, 3}, stride = {2, 2}, padding = {1, 1};
      ExpectAsOnHostWithin(ToleranceOf(d), "avg_pool2d", Spread({2, 2, 6, 7}, d), kernel, stride,
                           padding, true, include_pad);
    }
  }
  const std::vector<int64_t> two = {2}, none = {0};
  ExpectAsOnHost("avg_pool1d", Spread({1, 2, 7}, DType::kInt64), two, two, none, false, true);
}
TEST(PoolTest, AdaptiveOnesDivideTheInput) {
  const std::vector<int64_t> sizes = {3, 2}, deep = {2, 3, 1};
  for (DType d : kFloating) {
    ExpectAsOnHostWithin(ToleranceOf(d), "adaptive_avg_pool2d", Spread({2, 2, 7, 5}, d), sizes);
    const Tensor x = Spread({2, 4, 5, 3}, d);
    auto host = call("adaptive_max_pool3d", x, deep),
         cuda = call("adaptive_max_pool3d", ToCuda(x), deep);
    ExpectClose(cuda[0].tensor(), host[0].tensor(), 0);
    ExpectClose(cuda[1].tensor(), host[1].tensor(), 0);
  }
}

// --- Normalisation
Tensor ChannelsLast(const Tensor& t) {
  return Transposed(call("contiguous", Transposed(t, 1, 3)).take(), 1, 3);
}
void ExpectBatchNormAsOnHost(const Tensor& x, DType parameters, bool training) {
  const int64_t c = x.sizes()[1];
  const Tensor w = Spread({c}, parameters, 1), b = Spread({c}, parameters, 2),
               mean = Spread({c}, parameters, 3),
               var = call("abs", Spread({c}, parameters, 4)).take();
  const Tensor cuda_mean = ToCuda(mean), cuda_var = ToCuda(var);
  auto cuda = call("_native_batch_norm_legit", ToCuda(x), ToCuda(w), ToCuda(b), cuda_mean, cuda_var,
                   training, 0.1, 1e-5);
  auto host = call("_native_batch_norm_legit", x, w, b, mean, var, training, 0.1, 1e-5);
  const double tolerance = ToleranceOf(x.dtype());
  for (int i = 0; i < 3; ++i) ExpectClose(cuda[i].tensor(), host[i].tensor(), tolerance);
  ExpectClose(cuda_mean, mean, tolerance);
  ExpectClose(cuda_var, var, tolerance);
}
TEST(BatchNormTest, TrainsAndKeepsItsRunningStatistics) {
  for (DType d : kFloating) {
    const Tensor x = Spread({3, 4, 5, 2}, d);
    for (bool training : {true, false}) {
      ExpectBatchNormAsOnHost(x, d, training);
      ExpectBatchNormAsOnHost(ChannelsLast(x), d, training);
      ExpectBatchNormAsOnHost(Transposed(x, 0, 2), d, training);  // in no order
    }
  }
  ExpectBatchNormAsOnHost(Spread({3, 4, 6}, DType::kBFloat16), DType::kFloat32, true);
}
TEST(BatchNormTest, WithoutStatisticsOrParameters) {
  const Tensor x = Spread({4, 3, 2}, DType::kFloat32);
  auto host = call("_native_batch_norm_legit.no_stats", x, Tensor(), Tensor(), true, 0.1, 1e-5),
       cuda = call("_native_batch_norm_legit.no_stats", ToCuda(x), Tensor(), Tensor(), true, 0.1,
                   1e-5);
  for (int i = 0; i < 3; ++i) ExpectClose(cuda[i].tensor(), host[i].tensor(), 1e-5);
}
TEST(BatchNormTest, Groups) {
  for (DType d : kFloating) {
    ExpectAsOnHostWithin(ToleranceOf(d), "group_norm", Spread({2, 6, 5, 7}, d), int64_t{3},
                         Spread({6}, d, 1), Spread({6}, d, 2), 1e-5, true);
    ExpectAsOnHostWithin(ToleranceOf(d), "group_norm", Transposed(Spread({2, 5, 4}, d), 1, 2),
                         int64_t{2}, Tensor(), Tensor(), 1e-5, true);
  }
}

// --- Attention
TEST(AttentionTest, AsOnTheHost) {
  for (DType d : kFloating) {
    const Tensor q = Spread({2, 4, 37, 20}, d), k = Spread({2, 4, 70, 20}, d, 1),
                 v = Spread({2, 4, 70, 40}, d, 2);
    ExpectAsOnHostWithin(ToleranceOf(d), "scaled_dot_product_attention", q, k, v);
    ExpectAsOnHostWithin(ToleranceOf(d), "scaled_dot_product_attention", q, k, v, Tensor(), 0.0,
                         true);
    const Tensor mask = Spread({37, 70}, d, 5);
    ExpectAsOnHostWithin(ToleranceOf(d), "scaled_dot_product_attention", q, k, v, mask);
  }
}
// Rows of whole packs of 16 bytes, 64 keys and more: what tensor cores take.
TEST(AttentionTest, ByTensorCores) {
  for (DType d : {DType::kFloat16, DType::kBFloat16}) {
    const auto check = [d](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
                           bool causal) {
      ExpectAsOnHostWithin(ToleranceOf(d), "scaled_dot_product_attention", q, k, v, mask, 0.0,
                           causal);
    };
    const Tensor none, q = Spread({1, 2, 70, 24}, d), k = Spread({1, 2, 130, 24}, d, 1),
                       v = Spread({1, 2, 130, 40}, d, 2);
    check(q, k, v, none, false);
    check(q, k, v, none, true);
    check(k, q, q, none, true);
    check(q, k, v, Spread({70, 130}, d, 5), false);
    check(q, k, v, call("lt.Scalar", Spread({2, 1, 130}, DType::kFloat32, 3), 0.5).take(), false);
    // 128 columns, and queries as a product of [batch, length, heads, columns] leaves them.
    const Tensor wide = Transposed(Spread({2, 65, 2, 128}, d), 1, 2);
    check(wide, wide, Spread({2, 2, 65, 8}, d, 1), none, false);
  }
}
TEST(AttentionTest, TensorCoresGiveTheLogarithmsOfSums) {
  for (DType d : {DType::kFloat16, DType::kBFloat16}) {
    const Tensor q = Spread({1, 4, 5, 8}, d), k = Spread({1, 2, 66, 8}, d, 1);
    auto host = call("_scaled_dot_product_flash_attention_for_cpu", q, k, k),
         cuda =
             call("_scaled_dot_product_flash_attention_for_cpu", ToCuda(q), ToCuda(k), ToCuda(k));
    ExpectClose(cuda[0].tensor(), host[0].tensor(), ToleranceOf(d));
    ExpectClose(cuda[1].tensor(), host[1].tensor(), 1e-5);
  }
}
TEST(AttentionTest, OnlyQueriesThatSeeNotANumberAreNone) {
  for (int64_t columns : {8, 9}) {  // by tensor cores, and without
    const Tensor q = Spread({1, 1, 70, columns}, DType::kBFloat16),
                 k = Spread({1, 1, 70, columns}, DType::kBFloat16, 1),
                 v = Spread({1, 1, 70, columns}, DType::kBFloat16, 2);
    call("fill_", call("select.int", k, int64_t{2}, int64_t{66}).take(),
         Scalar(std::numeric_limits<double>::quiet_NaN()));
    ExpectAsOnHostWithin(ToleranceOf(DType::kBFloat16), "scaled_dot_product_attention", q, k, v,
                         Tensor(), 0.0, true);
  }
}
TEST(AttentionTest, MasksThatLeaveNothing) {
  const Tensor q = Spread({1, 2, 3, 4}, DType::kFloat32), k = Spread({1, 2, 5, 4}, DType::kFloat32),
               mask = call("lt.Scalar", Spread({3, 5}, DType::kFloat32), -0.5).take();
  for (int i = 0; i < 5; ++i) mask.data<bool>()[i] = false;
  ExpectAsOnHostWithin(1e-5, "scaled_dot_product_attention", q, k, k, mask);
  const Tensor half = Spread({1, 2, 3, 8}, DType::kBFloat16),
               keys = Spread({1, 2, 65, 8}, DType::kBFloat16, 1),
               first = call("lt.Scalar", Spread({3, 1}, DType::kFloat32), -0.5).take();
  first.data<bool>()[0] = false;
  ExpectAsOnHostWithin(ToleranceOf(DType::kBFloat16), "scaled_dot_product_attention", half, keys,
                       keys, first);
}
TEST(AttentionTest, GroupedHeadsAndWideValues) {
  const Tensor q = Transposed(Spread({1, 5, 4, 8}, DType::kFloat32), 1, 2);
  const Tensor k = Spread({1, 2, 6, 8}, DType::kFloat32, 1),
               v = Spread({1, 2, 6, 300}, DType::kFloat32, 2);
  auto host = call("_scaled_dot_product_flash_attention_for_cpu", q, k, v),
       cuda = call("_scaled_dot_product_flash_attention_for_cpu", ToCuda(q), ToCuda(k), ToCuda(v));
  ExpectClose(cuda[0].tensor(), host[0].tensor(), 1e-5);
  ExpectClose(cuda[1].tensor(), host[1].tensor(), 1e-5);
}

// --- Losses
TEST(LossTest, OfElements) {
  for (DType d : kFloating) {
    const Tensor a = Spread({3, 5}, d), b = Spread({3, 5}, d, 4), none = Spread({0, 5}, d);
    for (int64_t reduction : {0, 1, 2}) {
      const double tolerance = 4 * ToleranceOf(d);
      ExpectAsOnHostWithin(tolerance, "mse_loss", a, b, reduction);
      ExpectAsOnHostWithin(tolerance, "smooth_l1_loss", a, Transposed(Spread({5, 3}, d), 0, 1),
                           reduction, 0.7);
      ExpectAsOnHostWithin(tolerance, "huber_loss", a, b, reduction, 0.7);
      ExpectAsOnHost("mse_loss", none, none, reduction);
      const Tensor p = call("sigmoid", a).take(), y = call("sigmoid", b).take();
      ExpectAsOnHostWithin(tolerance, "binary_cross_entropy", p, y, call("abs", b).take(),
                           reduction);
    }
  }
}
TEST(LossTest, ProbabilitiesOutsideAreReported) {
  const Tensor p = ToCuda(Spread({4}, DType::kFloat32));
  call("binary_cross_entropy", p, p);
  try {
    Synchronize(Cuda());
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
    EXPECT_NE(e.message().find("binary_cross_entropy(): probabilities must be 0 to 1, got"),
              std::string::npos)
        << e.message();
  }
}
TEST(LossTest, OfRows) {
  for (DType d : {DType::kFloat32, DType::kFloat64}) {
    const Tensor x = Spread({4, 5}, d), w = Spread({5}, d, 3);
    const Tensor y = tensor({0, 4, 2, 2}, DType::kInt64);
    const Tensor many = tensor(
        {{0, 1, -1, 3, 2}, {4, -1, 0, 0, 0}, {-1, 1, 1, 1, 1}, {2, 2, 3, 1, 0}}, DType::kInt64);
    for (int64_t reduction : {0, 1, 2}) {
      ExpectAsOnHostWithin(1e-6, "multi_margin_loss", x, y, 2, 0.5, w, reduction);
      ExpectAsOnHostWithin(1e-6, "multi_margin_loss", x, y, 1, 1, Tensor(), reduction);
      ExpectAsOnHostWithin(1e-6, "multilabel_margin_loss", x, many, reduction);
    }
  }
}
TEST(LossTest, ClassesThatAreNoneAreReported) {
  const Tensor y = tensor({0, 5}, DType::kInt64);
  call("multi_margin_loss", ToCuda(Spread({2, 5}, DType::kFloat32)), ToCuda(y));
  try {
    Synchronize(Cuda());
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.message(), "multi_margin_loss(): target must be 0 to 4, got 5");
  }
}
TEST(LossTest, WhatSoftmaxPassesBack) {
  for (DType d : kFloating) {
    for (int64_t dim : {0, 1, 2}) {
      const Tensor g = Spread({3, 300, 2}, d), y = Transposed(Spread({2, 300, 3}, d, 1), 0, 2);
      ExpectAsOnHostWithin(8 * ToleranceOf(d), "_softmax_backward_data", g, y, dim, d);
    }
  }
  const Tensor one = Spread({}, DType::kFloat32);
  ExpectAsOnHost("_softmax_backward_data", one, one, int64_t{0}, DType::kFloat32);
}

// --- Samples, embeddings, segments
TEST(SampleTest, EveryModeAndPadding) {
  for (DType d : kFloating) {
    const Tensor x = Spread({2, 3, 5, 6}, d), grid = Spread({2, 4, 3, 2}, d, 1);
    for (int64_t mode : {0, 1, 2}) {
      for (int64_t padding : {0, 1, 2}) {
        if (d != DType::kFloat32 && mode != padding) continue;  // the ways to go are the same
        for (bool align : {false, true})
          ExpectAsOnHostWithin(ToleranceOf(d), "grid_sampler_2d", x, grid, mode, padding, align);
      }
    }
    ExpectAsOnHostWithin(ToleranceOf(d), "grid_sampler_3d", Spread({1, 2, 3, 4, 5}, d),
                         Spread({1, 2, 2, 2, 3}, d, 1), int64_t{0}, int64_t{2}, true);
  }
  const Tensor lost = Spread({1, 1, 2, 2}, DType::kFloat32);
  lost.data<float>()[0] = NAN;
  lost.data<float>()[3] = INFINITY;
  ExpectAsOnHost("grid_sampler_2d", Spread({1, 1, 3, 3}, DType::kFloat32), lost, int64_t{0},
                 int64_t{1}, false);
}
// Both gradients of a sample.
void ExpectGradientsAsOnHost(std::string_view op, const Tensor& grad, const Tensor& image,
                             const Tensor& grid, int64_t mode, int64_t padding, bool align) {
  static constexpr bool kBoth[] = {true, true};
  const std::span<const bool> mask(kBoth);
  auto host = call(op, grad, image, grid, mode, padding, align, mask);
  auto cuda = call(op, ToCuda(grad), ToCuda(image), ToCuda(grid), mode, padding, align, mask);
  for (size_t i : {0, 1})
    ExpectClose(cuda[i].tensor(), host[i].tensor(), ToleranceOf(grad.dtype()));
}
TEST(SampleTest, WhatSamplesPassBack) {
  for (DType d : kFloating) {
    const Tensor x = Spread({2, 3, 5, 6}, d), grad = Spread({2, 3, 4, 3}, d, 2);
    for (int64_t mode : {0, 1, 2}) {
      for (const Tensor& grid :
           {Spread({2, 4, 3, 2}, d, 1), Transposed(Spread({2, 3, 4, 2}, d, 1), 1, 2)})
        ExpectGradientsAsOnHost("grid_sampler_2d_backward", grad, x, grid, mode, 2 - mode,
                                mode == 1);
    }
    ExpectGradientsAsOnHost("grid_sampler_3d_backward", Spread({1, 2, 2, 2, 2}, d, 2),
                            Spread({1, 2, 3, 4, 5}, d), Spread({1, 2, 2, 2, 3}, d, 1), 0, 2, true);
  }
}
TEST(SampleTest, EmbeddingsOfEitherIndex) {
  for (DType d : {DType::kInt64, DType::kInt32}) {
    const Tensor at = tensor({{0, 3}, {2, 0}}, d);
    ExpectAsOnHost("embedding", Transposed(Spread({5, 4}, DType::kBFloat16), 0, 1), at);
    ExpectAsOnHost("embedding", Spread({4, 3}, DType::kComplex64), Transposed(at, 0, 1));
  }
  call("embedding", ToCuda(Spread({4, 3}, DType::kFloat32)), ToCuda(tensor({1, 4}, DType::kInt64)));
  EXPECT_THROW(Synchronize(Cuda()), Error);
}
TEST(SampleTest, SegmentsOfEveryKind) {
  const Tensor lengths = tensor({2, 0, 3}), offsets = tensor({0, 1, 5});
  for (DType d : kFloating) {
    const Tensor x = Spread({5, 3}, d);
    for (const char* how : {"sum", "mean", "min", "max", "prod"}) {
      ExpectClose(call("segment_reduce", ToCuda(x), how, kw("lengths", ToCuda(lengths))).take(),
                  call("segment_reduce", x, how, kw("lengths", lengths)).take(), 0);
      ExpectClose(
          call("segment_reduce", ToCuda(x), how, kw("offsets", ToCuda(offsets)),
               kw("initial", Scalar(1)))
              .take(),
          call("segment_reduce", x, how, kw("offsets", offsets), kw("initial", Scalar(1))).take(),
          0);
    }
  }
  const Tensor x = ToCuda(Spread({4}, DType::kFloat32));
  EXPECT_THROW(call("segment_reduce", x, "sum", kw("lengths", ToCuda(lengths))), Error);
}

}  // namespace
}  // namespace sy::cuda
