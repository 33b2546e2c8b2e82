#include "backends/cuda/kernels/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

Tensor Count(std::vector<int64_t> sizes, DType dtype = DType::kFloat32) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return call("reshape", call("to.dtype", call("arange", n).take(), dtype).take(), sizes).take();
}
Tensor Positions(std::initializer_list<int64_t> list) {
  const Tensor t = Tensor::Empty({static_cast<int64_t>(list.size())}, DType::kInt64);
  std::ranges::copy(list, t.data<int64_t>());
  return t;
}

TEST(IndexTest, SelectsAlongEveryDim) {
  const Tensor t = Count({4, 5, 6});
  for (int64_t dim = 0; dim < 3; ++dim)
    ExpectAsOnHost("index_select", t, dim, Positions({3, 0, 0, 2}));
  ExpectAsOnHost("index_select", Count({5}, DType::kBool), 0, Positions({4, 1}));
  ExpectAsOnHost("index_select", call("transpose.int", t, 0, 2).take(), 1, Positions({3, 0}));
}
TEST(IndexTest, Gathers) {
  const Tensor t = Count({4, 5}, DType::kInt64);
  const Tensor index = call("remainder", Count({3, 5}, DType::kInt64), Scalar(4)).take();
  ExpectAsOnHost("gather", t, 0, index);
  ExpectAsOnHost("gather", t, 1, index);
}
TEST(IndexTest, CopiesSlicesTheLastOneWins) {
  const Tensor t = Count({5, 6});
  ExpectAsOnHost("index_copy", t, 0, Positions({4, 1, 4, 1}), Count({4, 6}));
  ExpectAsOnHost("index_copy", t, 1, Positions({5, 5, 0}), Count({5, 3}));
  ExpectAsOnHost("index_copy", Count({5}), 0, Positions({2}), Count({1}));
}
TEST(IndexTest, FillsAndAdds) {
  const Tensor t = Count({5, 6});
  ExpectAsOnHost("index_fill", t, 1, Positions({-1, 0}), Scalar(9));
  ExpectAsOnHost("index_add", t, 0, Positions({4, 1, 4}), Count({3, 6}));
  ExpectAsOnHost("index_add", t, 0, Positions({4, 1, 4}), Count({3, 6}), kw("alpha", 2));
  ExpectAsOnHost("index_add", Count({5}, DType::kBool), 0, Positions({0, 1}),
                 Count({2}, DType::kBool));
}
TEST(IndexTest, Scatters) {
  const Tensor t = Count({4, 5}), src = Count({3, 5});
  const Tensor index = call("remainder", Count({3, 5}, DType::kInt64), Scalar(2)).take();
  ExpectAsOnHost("scatter", t, 0, index, src);
  ExpectAsOnHost("scatter", t, 1, index, Scalar(3));
  ExpectAsOnHost("scatter_add", t, 0, index, src);
  ExpectAsOnHost("scatter", t, 0, index, src, kw("reduce", "multiply"));
}
TEST(IndexTest, JoinsTensors) {
  const Tensor a = Count({2, 3}), b = Count({2, 4}, DType::kInt32);
  ExpectAsOnHost("cat", std::vector<Tensor>{a, b}, 1);
  ExpectAsOnHost("stack", std::vector<Tensor>{a, a}, 1);
}
TEST(IndexTest, OutOfRangeIsReportedAndNothingIsWrittenThere) {
  const Tensor t = ToCuda(Count({5}));
  call("index_copy_", t, 0, ToCuda(Positions({1, 7})), ToCuda(Count({2})));
  try {
    CurrentStream(Cuda()).Synchronize();
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
    EXPECT_EQ(e.message(), "index_copy(): index is 7, out of range for dim 0, which has size 5");
  }
  ExpectClose(t, tensor({0.f, 0.f, 2.f, 3.f, 4.f}), 0);
}

TEST(LinesTest, Softmax) {
  const Tensor t = call("div", Count({5, 40, 3}), Scalar(37.0)).take();
  for (int64_t dim = 0; dim < 3; ++dim) {
    ExpectAsOnHostWithin(1e-5, "softmax", t, dim);
    ExpectAsOnHostWithin(1e-5, "log_softmax", t, dim);
  }
  ExpectAsOnHostWithin(1e-2, "softmax", call("to.dtype", t, DType::kBFloat16).take(), 1);
}
TEST(LinesTest, Scans) {
  const Tensor t = call("remainder", Count({3, 700, 2}, DType::kInt64), Scalar(17)).take();
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
TEST(LinesTest, LayerNorm) {
  const Tensor t = call("sin", Count({7, 300})).take(), w = call("cos", Count({300})).take();
  ExpectAsOnHostWithin(1e-5, "layer_norm", t, std::vector<int64_t>{300}, w, w);
  ExpectAsOnHostWithin(1e-5, "rms_norm", t, std::vector<int64_t>{300}, w);
}

TEST(ProductTest, OfEveryShapeAndDType) {
  const auto small = [](std::vector<int64_t> sizes, DType d) {
    return call("to.dtype", call("remainder", Count(sizes, DType::kInt64), Scalar(5)).take(), d)
        .take();
  };
  for (DType d : {DType::kInt64, DType::kUInt8, DType::kFloat32, DType::kBFloat16,
                  DType::kComplex64, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    ExpectAsOnHost("mm", small({17, 33}, d), small({33, 20}, d));
    ExpectAsOnHost("mm", call("t", small({33, 17}, d)).take(), small({33, 20}, d));
    ExpectAsOnHost("mv", small({17, 33}, d), small({33}, d));
  }
  ExpectAsOnHost("bmm", small({3, 5, 6}, DType::kFloat32), small({3, 6, 4}, DType::kFloat32));
  ExpectAsOnHost("dot", small({50}, DType::kFloat32), small({50}, DType::kFloat32));
  ExpectAsOnHost("addmm", small({4}, DType::kFloat32), small({3, 6}, DType::kFloat32),
                 small({6, 4}, DType::kFloat32), kw("beta", 2), kw("alpha", 3));
  ExpectAsOnHost("mm", small({3, 0}, DType::kFloat32), small({0, 4}, DType::kFloat32));
}

}  // namespace
}  // namespace sy::cuda
