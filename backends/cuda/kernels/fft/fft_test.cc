// Fourier transforms: the host's, for every dtype, layout and batch.
#include "backends/cuda/driver/cufft.h"
#include "backends/cuda/graph.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

using Dims = std::vector<int64_t>;

// Of these sizes; the same on every run.
Tensor Waves(const Dims& sizes, DType d) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  const auto numbers = [&](double step) {
    const Tensor count = call("arange", n, kw("dtype", DType::kFloat64)).take();
    const Tensor square = call("mul", count, count).take();
    return call("sin", call("mul", square, step).take()).take();
  };
  Tensor t = numbers(1.7);
  if (IsComplex(d)) t = call("complex", t, numbers(2.3)).take();
  return call("reshape", call("to.dtype", t, d).take(), sizes).take();
}
// The transform of lay(t), laid there as here, and where its elements lie are the host's; t stays
// as it is.
template <class F, class... A>
void ExpectLaidTransformAsOnHost(F lay, std::string_view op, const Tensor& t, const A&... args) {
  SCOPED_TRACE(Join({op, " of ", Describe(t)}));
  const Tensor there = ToCuda(t);
  const Tensor expected = call(op, lay(t), args...).take(),
               got = call(op, lay(there), args...).take();
  EXPECT_EQ(got.device(), Cuda());
  ExpectClose(got, expected, 1e-4);
  EXPECT_TRUE(std::ranges::equal(got.strides(), expected.strides()));
  ExpectClose(there, t, 0);
}
template <class... A>
void ExpectTransformAsOnHost(std::string_view op, const Tensor& t, const A&... args) {
  ExpectLaidTransformAsOnHost([](const Tensor& x) { return x; }, op, t, args...);
}

constexpr DType kReal[] = {DType::kFloat32, DType::kFloat64};
constexpr DType kComplex[] = {DType::kComplex64, DType::kComplex128};

TEST(FftTest, LengthsAndNorms) {
  for (const int64_t n : {1, 2, 5, 8, 97}) {
    for (const int64_t norm : {0, 1, 2}) {
      for (const DType d : kComplex) {
        const Tensor x = Waves({3, n}, d), half = Waves({3, n / 2 + 1}, d);
        for (const bool forward : {false, true})
          ExpectTransformAsOnHost("_fft_c2c", x, Dims{1}, norm, forward);
        ExpectTransformAsOnHost("_fft_c2r", half, Dims{-1}, norm, n);
      }
      for (const DType d : kReal) {
        for (const bool onesided : {false, true})
          ExpectTransformAsOnHost("_fft_r2c", Waves({3, n}, d), Dims{1}, norm, onesided);
      }
    }
  }
}

TEST(FftTest, DimensionsInAnyOrderAndNumber) {
  for (const Dims& dims : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 2}, Dims{2, 1}, Dims{0, 1, 3},
                           Dims{3, 2, 1, 0}, Dims{0, 1, 2, 3}, Dims{4, 2, 0, 1, 3}}) {
    SCOPED_TRACE(Join({"dims ", IntSpan(dims)}));
    const Tensor x = Waves({2, 3, 4, 1, 5}, DType::kComplex128);
    ExpectTransformAsOnHost("_fft_c2c", x, dims, 1, true);
    ExpectTransformAsOnHost("_fft_r2c", Waves({2, 3, 4, 1, 5}, DType::kFloat64), dims, 1, true);
    ExpectTransformAsOnHost("_fft_r2c", Waves({2, 3, 4, 1, 5}, DType::kFloat64), dims, 1, false);
    const int64_t last = x.size(dims.back());
    for (const int64_t size : {2 * (last - 1), 2 * last - 1}) {
      if (size > 0) ExpectTransformAsOnHost("_fft_c2r", x, dims, 1, size);
    }
  }
}

TEST(FftTest, LayoutsThatTheLibraryHasNoWordsFor) {
  const auto turned = [](const Tensor& t) { return call("transpose.int", t, 0, 2).take(); };
  const auto every_other = [](const Tensor& t) {
    return call("slice.Tensor", t, 2, 1, 8, 2).take();
  };
  const auto from_the_second = [](const Tensor& t) { return call("narrow", t, 2, 1, 6).take(); };
  const auto repeated = [](const Tensor& t) {
    return call("expand", call("narrow", t, 1, 0, 1).take(), Dims{4, 5, 8}).take();
  };
  for (const Dims& dims : {Dims{2}, Dims{0}, Dims{1, 2}, Dims{0, 2}}) {
    const Tensor real = Waves({4, 3, 8}, DType::kFloat32), x = Waves({4, 3, 8}, DType::kComplex64);
    const auto expect = [&](auto laid) {
      ExpectLaidTransformAsOnHost(laid, "_fft_r2c", real, dims, 0, true);
      ExpectLaidTransformAsOnHost(laid, "_fft_c2c", x, dims, 0, false);
      ExpectLaidTransformAsOnHost(laid, "_fft_c2r", x, dims, 0, 3);
    };
    expect(turned);
    expect(every_other);
    expect(from_the_second);
    expect(repeated);
  }
}

TEST(FftTest, ResultsGoToTensorsThatAreGiven) {
  const Tensor x = Waves({4, 6}, DType::kComplex64), there = ToCuda(x);
  const Tensor expected = call("fft_fft2", x).take();
  const Tensor room =
      call("zeros", Dims{6, 9}, kw("dtype", DType::kComplex64), kw("device", Cuda())).take();
  const Tensor out = call("transpose.int", call("narrow", room, 1, 3, 4).take(), 0, 1).take();
  call("fft_fft2.out", there, kw("out", out));
  ExpectClose(out, expected, 1e-4);
  call("_fft_c2c.out", there, Dims{0, 1}, 0, true, kw("out", there));
  ExpectClose(there, expected, 1e-4);
}

TEST(FftTest, CompositesRunThroughTheLibrary) {
  const Tensor x = Waves({3, 8}, DType::kFloat32), x3 = Waves({2, 3, 4}, DType::kFloat32);
  for (const char* op : {"fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"})
    ExpectTransformAsOnHost(op, x, 6, 0, "ortho");
  for (const char* op : {"fft_fftn", "fft_rfftn", "fft_irfftn", "fft_hfftn", "fft_ihfftn"})
    ExpectTransformAsOnHost(op, x3);
  ExpectTransformAsOnHost("fft_rfft", Waves({0, 4}, DType::kFloat32));
}

TEST(FftTest, PlansOfOldShapesGiveWay) {
  for (int64_t n = 2; n < static_cast<int64_t>(2 * kPlans); ++n) {
    const Tensor x = call("ones", Dims{n}, kw("dtype", DType::kComplex64)).take();
    const Tensor y = call("_fft_c2c", ToCuda(x), Dims{0}, 0, true).take();
    if (n % 100 == 0) ExpectClose(y, call("_fft_c2c", x, Dims{0}, 0, true).take(), 1e-4);
  }
}

TEST(FftTest, GraphsReplayPlansThatWereMadeBefore) {
  const Tensor x = Waves({3, 7}, DType::kComplex64), there = ToCuda(x);
  const auto transform = [](const Tensor& t) {
    return call("_fft_c2c", t, Dims{1}, 0, true).take();
  };
  EXPECT_THROW(Graph(Cuda(), [&] { transform(ToCuda(Waves({3, 71}, DType::kComplex64))); }), Error);
  transform(there);
  Tensor y;
  const Graph graph(Cuda(), [&] { y = transform(there); });
  for (int64_t n = 2; n < static_cast<int64_t>(kPlans) + 4; ++n)  // the plan is not in the way
    transform(ToCuda(call("ones", Dims{1, n + 100}, kw("dtype", DType::kComplex64)).take()));
  call("mul_.Tensor", there, 2);
  graph.Replay();
  ExpectClose(y, transform(call("mul", x, 2).take()), 1e-4);
}

}  // namespace
}  // namespace sy::cuda
