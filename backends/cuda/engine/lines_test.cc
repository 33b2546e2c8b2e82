// Lines in every form that their kernels have: in a warp's registers, in a block's, read anew by
// each pass, tile by tile, in chunks; with neighbours moved side by side and without.

#include <limits>

#include "backends/cuda/engine/measured.h"
#include "backends/cuda/products.h"
#include "backends/cuda/rtc/cub.h"
#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

// Numbers between -3 and 3, all different on short lines.
Tensor Numbers(std::vector<int64_t> sizes, DType dtype = DType::kFloat32) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  const Tensor mixed =
      call("remainder", call("mul", call("arange", n).take(), Scalar(7919)).take(), Scalar(10007))
          .take();
  const Tensor scaled = call("sub", call("div", mixed, Scalar(1668.0)).take(), Scalar(3)).take();
  return call("reshape", call("to.dtype", scaled, dtype).take(), sizes).take();
}
// The same numbers, a column further on: rows do not begin where 16 bytes do.
Tensor OffTheGrid(const Tensor& t) {
  const int64_t rows = t.size(0), n = t.size(1);
  const Tensor wide = call("zeros", std::vector<int64_t>{rows, n + 1}, t.dtype()).take();
  const Tensor inside = call("slice", wide, 1, 1, n + 1).take();
  call("copy_", inside, t);
  return inside;
}

// 0, 1, 2, …
Tensor Numbered(std::vector<int64_t> sizes, DType dtype = DType::kFloat32) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return call("reshape", call("to.dtype", call("arange", n).take(), dtype).take(), sizes).take();
}

// Of a warp with one pack a thread and with four, of a block with two and with eight, longer; and
// lengths of which rows fall between.
constexpr int64_t kLengths[] = {12, 500, 1001, 1536, 8192, 9000};

TEST(LinesTest, SoftmaxAlongEveryDim) {
  const Tensor t = call("div", Numbered({5, 40, 3}), Scalar(37.0)).take();
  for (int64_t dim = 0; dim < 3; ++dim) {
    ExpectAsOnHostWithin(1e-5, "softmax", t, dim);
    ExpectAsOnHostWithin(1e-5, "log_softmax", t, dim);
  }
  ExpectAsOnHostWithin(1e-2, "softmax", call("to.dtype", t, DType::kBFloat16).take(), 1);
}
TEST(LinesTest, ScansAlongEveryDim) {
  const Tensor t = call("remainder", Numbered({3, 700, 2}, DType::kInt64), Scalar(17)).take();
  for (int64_t dim = 0; dim < 3; ++dim) {
    ExpectAsOnHost("cumsum", t, dim);
    ExpectAsOnHost("cumprod", t, dim);
  }
  const Tensor x = call("to.dtype", t, DType::kFloat32).take();
  ExpectAsOnHostWithin(1e-6, "cumsum", x, 1);
  for (const char* op : {"cummax", "cummin"}) {
    auto host = call(op, x, 1), there = call(op, ToCuda(x), 1);
    ExpectClose(there[1].tensor(), host[1].tensor(), 0);
    ExpectClose(there[0].tensor(), host[0].tensor(), 0);
  }
}
TEST(LinesTest, NormsOfWaves) {
  const Tensor t = call("sin", Numbered({7, 300})).take(), w = call("cos", Numbered({300})).take();
  ExpectAsOnHostWithin(1e-5, "layer_norm", t, std::vector<int64_t>{300}, w, w);
  ExpectAsOnHostWithin(1e-5, "rms_norm", t, std::vector<int64_t>{300}, w);
}

TEST(LinesTest, SoftmaxOfEveryLength) {
  for (int64_t n : kLengths) {
    SCOPED_TRACE(n);
    const Tensor t = Numbers({3, n});
    ExpectAsOnHostWithin(1e-5, "softmax", t, 1);
    ExpectAsOnHostWithin(1e-5, "log_softmax", t, 1);
  }
  ExpectAsOnHostWithin(1e-5, "softmax", OffTheGrid(Numbers({3, 600})), 1);
}
TEST(LinesTest, SoftmaxOfOtherDTypes) {
  ExpectAsOnHostWithin(1e-12, "softmax", Numbers({2, 700}, DType::kFloat64), 1);
  ExpectAsOnHostWithin(2e-2, "softmax", Numbers({2, 4096}, DType::kBFloat16), 1);
  ExpectAsOnHostWithin(2e-3, "log_softmax", Numbers({2, 40}, DType::kFloat16), 1);
  ExpectAsOnHostWithin(1e-5, "softmax", Numbers({2, 64}, DType::kFloat16), 1, DType::kFloat32);
}
TEST(LinesTest, LinesOfNothingButInfinities) {
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor t = call("full", std::vector<int64_t>{2, 100}, Scalar(-inf), DType::kFloat32).take();
  ExpectAsOnHost("softmax", t, 1);
  call("fill_.Scalar", call("select.int", t, 1, 40).take(), Scalar(2.0));
  ExpectAsOnHost("softmax", t, 1);
}

TEST(LinesTest, LayerNormOfEveryLength) {
  for (int64_t n : kLengths) {
    SCOPED_TRACE(n);
    const Tensor t = Numbers({3, n}), w = Numbers({n}), b = call("neg", w).take();
    ExpectAsOnHostWithin(2e-5, "layer_norm", t, std::vector<int64_t>{n}, w, b);
  }
  const Tensor apart = OffTheGrid(Numbers({3, 600}));
  ExpectAsOnHostWithin(2e-5, "layer_norm", apart, std::vector<int64_t>{600});
  const Tensor half = Numbers({2, 4096}, DType::kBFloat16);
  ExpectAsOnHostWithin(2e-2, "layer_norm", half, std::vector<int64_t>{4096});
}
TEST(LinesTest, RmsNormOfComplexNumbers) {
  const Tensor re = Numbers({3, 50}), im = call("cos", re).take();
  const Tensor z = call("complex", re, im).take(), w = call("select.int", z, 0, 0).take();
  ExpectAsOnHostWithin(1e-5, "rms_norm", z, std::vector<int64_t>{50}, w);
}

TEST(LinesTest, SumsAlongLinesOfEveryLength) {
  for (int64_t n : kLengths) {
    SCOPED_TRACE(n);
    const Tensor t = Numbers({2, n}, DType::kFloat64);
    ExpectAsOnHostWithin(1e-9, "cumsum", t, 1);
    ExpectAsOnHost("cumsum", call("to.dtype", t, DType::kInt16).take(), 1);
  }
  ExpectAsOnHostWithin(1e-6, "cumsum", OffTheGrid(Numbers({3, 600})), 1);
  ExpectAsOnHostWithin(1e-6, "cumsum", Numbers({1, 4096}), 1);
  ExpectAsOnHostWithin(2e-2, "cumsum", Numbers({3, 264}, DType::kBFloat16), 1);
}
TEST(LinesTest, AFewLongLinesAreScannedInChunks) {
  const Tensor t = Numbers({2, 50000}, DType::kInt64);
  ExpectAsOnHost("cumsum", t, 1);
  ExpectAsOnHost("cumsum", call("transpose.int", t, 0, 1).take(), 0);
  const Tensor logs = call("mul", Numbers({30004}), Scalar(0.5)).take();
  ExpectAsOnHostWithin(1e-4, "logcumsumexp", logs, 0);
}
TEST(LinesTest, RunningExtremesTellTheLastPlace) {
  for (const char* op : {"cummax", "cummin"}) {
    for (int64_t n : {40, 4100, 40000}) {
      const Tensor t = call("to.dtype", Numbers({2, n}), DType::kInt8).take();  // many are equal
      auto host = call(op, t, 1), there = call(op, ToCuda(t), 1);
      ExpectClose(there[0].tensor(), host[0].tensor(), 0);
      ExpectClose(there[1].tensor(), host[1].tensor(), 0);
    }
  }
}
TEST(ScanTest, LinesByCub) {
  if (!CompilesCub()) GTEST_SKIP() << "needs CUB's headers, and a device: NVRTC alone takes them";
  SetMeasureAlgorithms(true);
  TakeAsFastest("CUB");
  for (const std::vector<int64_t>& sizes :
       std::vector<std::vector<int64_t>>{{3, 600}, {1, 40000}}) {
    const Tensor x = Numbers(sizes);
    ExpectAsOnHostWithin(1e-6, "cumsum", x, 1);
    auto host = call("cummax", x, 1), there = call("cummax", ToCuda(x), 1);
    ExpectClose(there[0].tensor(), host[0].tensor(), 0);
    ExpectClose(there[1].tensor(), host[1].tensor(), 0);
  }
  TakeAsFastest("");
  SetMeasureAlgorithms(false);
}

}  // namespace
}  // namespace sy::cuda
