#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// Numbers from -range to range in no order, some more than once; NaN among floating ones.
Tensor Mixed(std::vector<int64_t> sizes, DType dtype, int64_t range = 50, bool nan = true) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  const Tensor t = Tensor::Empty({n}, DType::kFloat64);
  for (int64_t i = 0; i < n; ++i)
    t.data<double>()[i] = static_cast<double>(i * 7919 % 10007 % (2 * range + 1) - range);
  if (IsFloating(dtype) && nan) {
    for (int64_t i = 3; i < n; i += 17) t.data<double>()[i] = std::nan("");
  }
  return call("reshape", call("to.dtype", t, dtype).take(), sizes).take();
}
const DType kSelected[] = {DType::kUInt8,    DType::kInt8,    DType::kInt16,
                           DType::kInt32,    DType::kInt64,   DType::kFloat16,
                           DType::kBFloat16, DType::kFloat32, DType::kFloat64};

template <class... A>
void ExpectAllAsOnHost(std::string_view op, const A&... args) {
  auto host = call(op, args...), there = call(op, ToCuda(args)...);
  ASSERT_EQ(host.size(), there.size());
  for (int i = 0; i < static_cast<int>(host.size()); ++i) {
    SCOPED_TRACE(i);
    ExpectClose(there[i].tensor(), host[i].tensor(), 0);
  }
}

TEST(SelectTest, EveryDType) {
  for (DType d : kSelected) {
    SCOPED_TRACE(Name(d));
    ExpectAllAsOnHost("topk", Mixed({2, 100}, d), 7, 1, true, true);
    ExpectAllAsOnHost("topk", Mixed({2, 100}, d), 60, 1, false, true);
    ExpectAllAsOnHost("kthvalue", Mixed({2, 100}, d), 31, 1);
    ExpectAllAsOnHost("median", Mixed({2, 101}, d), 1);
    ExpectAllAsOnHost("nanmedian", Mixed({2, 100}, d), 1, true);
    ExpectAllAsOnHost("mode", Mixed({3, 90}, d, 9), 1);
  }
}
TEST(SelectTest, LongRowsByDigits) {
  for (DType d : {DType::kInt16, DType::kFloat32, DType::kInt64}) {
    SCOPED_TRACE(Name(d));
    for (int64_t k : {1, 64, 2000}) {
      ExpectAllAsOnHost("topk", Mixed({2, 6001}, d, 4000), k, 1, true, true);
      ExpectAllAsOnHost("kthvalue", Mixed({2, 6001}, d, 4000), k, 1);
    }
    ExpectAllAsOnHost("topk", Mixed({2, 6000}, d, 1, false), 500, 1, false, true);
    ExpectAllAsOnHost("kthvalue", Mixed({2, 6000}, d, 1, false), 4500, 1);
    ExpectAllAsOnHost("median", Mixed({6001}, d, 4000, false), 0);
    ExpectAllAsOnHost("nanmedian", Mixed({6001}, d, 4000), 0);
  }
}
TEST(SelectTest, FewOfRowsInEveryOrder) {
  for (DType d : {DType::kInt8, DType::kBFloat16, DType::kInt32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    const int64_t n = 9001;
    const auto up = call("div", call("arange", n).take(), Scalar(97), kw("rounding_mode", "floor"));
    const Tensor ascending = call("to.dtype", up.tensor(), d).take();
    const Tensor rows[] = {ascending, call("flip", ascending, std::vector<int64_t>{0}).take(),
                           call("zeros_like", ascending).take(),
                           call("clamp", ascending, Scalar(5), Scalar(6)).take()};
    for (const Tensor& row : rows) {
      for (bool largest : {true, false}) {
        for (int64_t k : {1, 100, 256}) ExpectAllAsOnHost("topk", row, k, 0, largest, true);
        // From an element on that does not begin 16 bytes, to one that does not end them.
        ExpectAllAsOnHost("topk", call("slice", row, 0, 1, n - 3).take(), 33, 0, largest, true);
      }
    }
  }
}
TEST(SelectTest, MoreThanTheListHoldsAndRowsInParts) {
  ExpectAllAsOnHost("topk", Mixed({1, 5000}, DType::kFloat32, 4000), 2500, 1, true, true);
  ExpectAllAsOnHost("topk", Mixed({50000}, DType::kInt32, 4000), 10, 0, true, true);
}
TEST(SelectTest, AnyDimAnyStrides) {
  const Tensor t = Mixed({4, 90, 3}, DType::kFloat32);
  ExpectAllAsOnHost("topk", t, 5, -2, true, true);
  ExpectAllAsOnHost("topk", call("transpose.int", t, 0, 1).take(), 5, 0, false, true);
  ExpectAllAsOnHost("kthvalue", t, 2, 0, true);
  ExpectAllAsOnHost("median", t, 0);
  ExpectAllAsOnHost("mode", t, 1, true);
  ExpectAllAsOnHost("topk", tensor(2.f), 1, 0, true, true);
  ExpectAllAsOnHost("topk", Mixed({3, 0}, DType::kFloat32), 0, 1, true, true);
  ExpectAllAsOnHost("kthvalue", tensor(2.f), 1, 0);
  ExpectAllAsOnHost("mode", Mixed({0, 3}, DType::kFloat32), 1);
  ExpectAllAsOnHost("topk", Mixed({3, 70}, DType::kFloat32), 0, 1, true, true);
}
TEST(SelectTest, MediansOfAll) {
  for (const char* op : {"median", "nanmedian"}) {
    ExpectAsOnHost(op, Mixed({7, 11}, DType::kFloat32, 50, false));
    ExpectAsOnHost(op, Mixed({7, 11}, DType::kFloat32));
    ExpectAsOnHost(op, Mixed({7, 11}, DType::kUInt8, 1));
    ExpectAsOnHost(op, Mixed({0}, DType::kFloat64));
    ExpectAsOnHost(op, tensor({std::nanf(""), std::nanf("")}));
  }
}

TEST(UniqueTest, EveryDType) {
  for (DType d :
       {DType::kBool, DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64,
        DType::kUInt16, DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    ExpectAllAsOnHost("_unique2", Mixed({5, 40}, d), true, true, true);
    ExpectAllAsOnHost("unique_consecutive", Mixed({5, 40}, d, 1), true, true);
    ExpectAllAsOnHost("unique_dim", Mixed({30, 3}, d, 1), 0, true, true, true);
  }
}
TEST(UniqueTest, OfEveryForm) {
  const Tensor t = Mixed({9, 600}, DType::kInt32, 300);
  ExpectAllAsOnHost("_unique2", t, true, false, false);
  ExpectAllAsOnHost("_unique2", t, false, false, true);
  ExpectAllAsOnHost("_unique", t, true, true);
  ExpectAllAsOnHost("unique_dim", Mixed({3, 17, 2}, DType::kInt32, 1), 1, true, true, true);
  ExpectAllAsOnHost("unique_consecutive", Mixed({3, 17, 2}, DType::kInt32, 1), true, true, -1);
  ExpectAllAsOnHost("_unique2", Mixed({0, 3}, DType::kFloat32), true, true, true);
  ExpectAllAsOnHost("_unique2", tensor(3.f), true, true, true);
  ExpectAllAsOnHost("unique_dim", Mixed({0, 3}, DType::kFloat32), 0, true, true, true);
  ExpectAllAsOnHost("unique_consecutive", Mixed({0}, DType::kFloat32), true, true);
  EXPECT_THROW(call("unique_dim", ToCuda(tensor(1.f)), 0), Error);
}

TEST(HistogramTest, CountsNumbers) {
  for (DType d : {DType::kUInt8, DType::kInt16, DType::kInt64}) {
    const Tensor t = call("abs", Mixed({5000}, d, 20)).take();
    ExpectAsOnHost("bincount", t);
    ExpectAsOnHost("bincount", t, Mixed({5000}, DType::kFloat32, 20, false), 60);
    ExpectAsOnHost("bincount", t, Mixed({5000}, DType::kInt32, 20));
  }
  ExpectAsOnHost("bincount", call("abs", Mixed({9000}, DType::kInt64, 4000)).take());
  ExpectAsOnHost("bincount", Mixed({0}, DType::kInt64), Tensor(), 3);
  EXPECT_THROW(call("bincount", ToCuda(tensor({1, -1}))), Error);
  EXPECT_THROW(call("bincount", ToCuda(tensor({1, INT64_MAX}))), Error);
}
TEST(HistogramTest, CountsBetweenEdges) {
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    ExpectAsOnHost("histc", Mixed({5000}, d, 70, false), 13);
    ExpectAsOnHost("histc", Mixed({40, 5}, d, 70), 7, Scalar(-20), Scalar(33));
  }
  const Tensor w = call("div", Mixed({500}, DType::kFloat32, 9, false), Scalar(7)).take();
  const Tensor x = Mixed({500}, DType::kFloat32, 70, false);
  using Doubles = std::vector<double>;
  ExpectAsOnHost("histc", tensor({0., 2.9e38, 3e38}, DType::kFloat32), 100);
  ExpectAllAsOnHost("histogram", x, 10);
  for (const Tensor& bins : {tensor({-60.f, -1.f, 0.5f, 44.f}), tensor({0.f, 1.f})}) {
    ExpectAllAsOnHost("histogram", x, bins);
    const auto host = call("histogram", x, bins, kw("weight", w)),
               there = call("histogram", ToCuda(x), ToCuda(bins), kw("weight", ToCuda(w)));
    ExpectClose(there[0].tensor(), host[0].tensor(), 0);
  }
  ExpectAllAsOnHost("histogram", x, 10, kw("range", Doubles{-30, 50}));
  ExpectAllAsOnHost("histogram", Mixed({0}, DType::kFloat64), 4);
  const bool density = true;
  auto host = call("histogram", x, 10, kw("density", density)),
       there = call("histogram", ToCuda(x), 10, kw("density", density));
  ExpectClose(there[0].tensor(), host[0].tensor(), 1e-6);
  EXPECT_THROW(call("histc", ToCuda(Mixed({500}, DType::kFloat32)), 10), Error);
}

void ExpectSameHistogram(Results there, Results host, double tolerance) {
  ASSERT_EQ(there.size(), host.size());
  EXPECT_EQ(there[0].tensor().device(), Cuda());
  ExpectClose(there[0].tensor(), host[0].tensor(), tolerance);
  const std::vector<Tensor> edges = there[1].TakeTensors(), expected = host[1].TakeTensors();
  ASSERT_EQ(edges.size(), expected.size());
  for (size_t d = 0; d < edges.size(); ++d) ExpectClose(edges[d], expected[d], 0);
}
TEST(HistogramTest, CountsPointsOfSeveralCoordinates) {
  using Doubles = std::vector<double>;
  using Ints = std::vector<int64_t>;
  for (DType d : {DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    const Tensor x = Mixed({3, 100, 2}, d, 70, false), w = Mixed({3, 100}, d, 9, false);
    const Tensor there = ToCuda(x);
    const Ints bins = {4, 7};
    ExpectSameHistogram(call("histogramdd", there, bins), call("histogramdd", x, bins), 0);
    ExpectSameHistogram(call("histogramdd", there, 5), call("histogramdd", x, 5), 0);
    const Doubles range = {-30, 50, -3, 3};
    ExpectSameHistogram(
        call("histogramdd", there, bins, kw("range", range), kw("weight", ToCuda(w))),
        call("histogramdd", x, bins, kw("range", range), kw("weight", w)), 0);
    ExpectSameHistogram(call("histogramdd", there, bins, kw("density", true)),
                        call("histogramdd", x, bins, kw("density", true)), 1e-6);
    std::vector<Tensor> edges;
    for (const Tensor& t : {tensor({-60.f, -1.f, 0.5f, 44.f}), tensor({0.f, 1.f})})
      edges.push_back(call("to.dtype", t, d).take());
    ExpectSameHistogram(call("histogramdd", there, ToCuda(edges)), call("histogramdd", x, edges),
                        0);
  }
  EXPECT_THROW(call("histogramdd", ToCuda(Mixed({9, 2}, DType::kFloat32)), Ints{3, 4, 5}), Error);
  EXPECT_THROW(
      call("histogramdd", ToCuda(Mixed({9, 2}, DType::kFloat32, 9, false)), Ints{1 << 16, 1 << 16}),
      Error);
}

}  // namespace
}  // namespace sy::cuda
