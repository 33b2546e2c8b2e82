#include "backends/cuda/engine/measured.h"
#include "backends/cuda/products.h"
#include "backends/cuda/rtc/cub.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// Numbers from -range to range in no order, some of them more than once; NaN, and zeros of both
// signs, among floating ones.
Tensor Mixed(std::vector<int64_t> sizes, DType dtype, int64_t range = 50) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  const Tensor t = Tensor::Empty({n}, DType::kFloat64);
  for (int64_t i = 0; i < n; ++i)
    t.data<double>()[i] = static_cast<double>(i * 7919 % 10007 % (2 * range + 1) - range);
  if (IsFloating(dtype)) {
    for (int64_t i = 3; i < n; i += 17) t.data<double>()[i] = std::nan("");
    for (int64_t i = 5; i < n; i += 13) t.data<double>()[i] = i % 2 == 0 ? 0. : -0.;
    for (int64_t i = 1; i < n; i += 19) t.data<double>()[i] += 0.25;
  }
  return call("reshape", call("to.dtype", t, dtype).take(), sizes).take();
}

const DType kOrdered[] = {DType::kBool,   DType::kUInt8,   DType::kInt8,     DType::kInt16,
                          DType::kInt32,  DType::kInt64,   DType::kUInt16,   DType::kUInt32,
                          DType::kUInt64, DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                          DType::kFloat64};

template <class... A>
void ExpectBothAsOnHost(std::string_view op, const A&... args) {
  auto host = call(op, args...), there = call(op, ToCuda(args)...);
  ExpectClose(there[0].tensor(), host[0].tensor(), 0);
  ExpectClose(there[1].tensor(), host[1].tensor(), 0);
}

TEST(SortTest, EveryDTypeBothWays) {
  for (DType d : kOrdered) {
    SCOPED_TRACE(Name(d));
    for (bool descending : {false, true}) {
      ExpectBothAsOnHost("sort", Mixed({3, 40}, d), 1, descending);
      ExpectBothAsOnHost("sort", Mixed({2, 300}, d), 1, descending);
    }
  }
}
TEST(SortTest, RowsOfEveryLength) {
  for (int64_t n : {1, 2, 64, 65, 256, 257, 1024, 1025, 4096}) {
    SCOPED_TRACE(n);
    ExpectBothAsOnHost("sort", Mixed({2, n}, DType::kFloat32, 3000), 1, false);
    ExpectBothAsOnHost("sort", Mixed({1, n}, DType::kInt64, 3000), 1, true);
  }
}
TEST(SortTest, RowsThatFitABlockByCub) {
  if (!CompilesCub()) GTEST_SKIP() << "needs CUB's headers, and a device: NVRTC alone takes them";
  SetMeasureAlgorithms(true);
  TakeAsFastest("CUB");
  for (DType d : kOrdered) {
    SCOPED_TRACE(Name(d));
    for (bool descending : {false, true}) {
      for (int64_t n : {65, 300, 2048}) ExpectBothAsOnHost("sort", Mixed({3, n}, d), 1, descending);
    }
  }
  TakeAsFastest("");
  SetMeasureAlgorithms(false);
}
TEST(SortTest, RowsOfSeveralTiles) {
  for (DType d : {DType::kBool, DType::kInt16, DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    ExpectBothAsOnHost("sort", Mixed({2, 5000}, d, 4000), 1, false);
    ExpectBothAsOnHost("sort", Mixed({9000}, d, 4000), 0, true);
  }
}
TEST(SortTest, AnyDimAnyStrides) {
  const Tensor t = Mixed({4, 5, 6}, DType::kFloat32);
  for (int64_t dim : {-3, 1, 2}) ExpectBothAsOnHost("sort", t, dim, false);
  ExpectBothAsOnHost("sort", call("transpose.int", t, 0, 2).take(), 0, true);
  ExpectBothAsOnHost("sort", tensor(3.f), 0, false);
  ExpectBothAsOnHost("sort", Mixed({0, 3}, DType::kFloat32), 1, false);
  ExpectBothAsOnHost("sort", Mixed({3, 0}, DType::kFloat32), 1, false);
  ExpectAsOnHost("argsort", t, 1, true);
  ExpectAsOnHost("msort", t);
}
TEST(SortTest, IntoGivenTensors) {
  const Tensor t = ToCuda(Mixed({3, 4}, DType::kFloat32));
  const Tensor values = ToCuda(Mixed({4, 3}, DType::kFloat32));
  const Tensor places = ToCuda(Mixed({4, 3}, DType::kInt64));
  call("sort.values", t, 1, false, kw("values", call("t", values).take()),
       kw("indices", call("t", places).take()));
  const auto host = call("sort", ToHost(t), 1, false);
  ExpectClose(call("t", values).take(), host[0].tensor(), 0);
  ExpectClose(call("t", places).take(), host[1].tensor(), 0);
}

TEST(NonzeroTest, EveryDTypeAndShape) {
  for (DType d : {DType::kBool, DType::kUInt8, DType::kInt64, DType::kFloat16, DType::kFloat32,
                  DType::kComplex64}) {
    SCOPED_TRACE(Name(d));
    ExpectAsOnHost("nonzero", Mixed({3, 4, 5}, d, 1));
  }
  ExpectAsOnHost("nonzero", Mixed({70, 130}, DType::kInt32, 1));
  ExpectAsOnHost("nonzero", call("t", Mixed({7, 13}, DType::kInt32, 1)).take());
  ExpectAsOnHost("nonzero", tensor(3.f));
  ExpectAsOnHost("nonzero", tensor(0.f));
  ExpectAsOnHost("nonzero", Mixed({0, 4}, DType::kInt32));
  ExpectAsOnHost("nonzero", call("zeros", std::vector<int64_t>{5, 2}).take());
}
TEST(NonzeroTest, OfAGivenSize) {
  const Tensor t = Mixed({6, 5}, DType::kInt32, 1);
  ExpectAsOnHost("nonzero_static", t, kw("size", 4));
  ExpectAsOnHost("nonzero_static", t, kw("size", 40), kw("fill_value", -7));
  ExpectAsOnHost("nonzero_static", Mixed({0}, DType::kInt32), kw("size", 2));
}
TEST(MaskTest, SelectsAndScatters) {
  const Tensor t = Mixed({40, 130}, DType::kFloat32), mask = Mixed({40, 130}, DType::kBool, 1);
  ExpectAsOnHost("masked_select", t, mask);
  ExpectAsOnHost("masked_select", t, Mixed({130}, DType::kBool, 1));
  ExpectAsOnHost("masked_select", Mixed({130}, DType::kComplex128), mask);
  ExpectAsOnHost("masked_select", Mixed({0, 130}, DType::kInt8), Mixed({130}, DType::kBool));
  ExpectAsOnHost("masked_scatter", t, mask, Mixed({5200}, DType::kFloat32, 500));
  ExpectAsOnHost("masked_scatter", call("t", t).take(), Mixed({40}, DType::kBool, 1),
                 Mixed({130, 40}, DType::kFloat32, 500));
}
TEST(MaskTest, AShortSourceIsReportedAndWhatThereIsIsTaken) {
  const Tensor t = ToCuda(tensor({1.f, 2.f, 3.f}));
  call("masked_scatter_", t, ToCuda(tensor({true, true, true})), ToCuda(tensor({7.f, 8.f})));
  try {
    CurrentStream(Cuda()).Synchronize();
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
    EXPECT_EQ(e.message(), "masked_scatter(): source has 2 elements, but mask has more true ones");
  }
  ExpectClose(t, tensor({7.f, 8.f, 3.f}), 0);
}

TEST(ArrangeTest, Flips) {
  const Tensor t = Mixed({3, 4, 6}, DType::kInt32, 5000);
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{0}, {1}, {-1}, {0, 2}, {0, 1, 2}, {}})
    ExpectAsOnHost("flip", t, dims);
  for (DType d : {DType::kBool, DType::kInt16, DType::kFloat64, DType::kComplex128})
    ExpectAsOnHost("flip", Mixed({5, 7}, d), std::vector<int64_t>{1});
  ExpectAsOnHost("flip", call("t", Mixed({5, 7}, DType::kInt8)).take(), std::vector<int64_t>{0});
  ExpectAsOnHost("flip", tensor(2.f), std::vector<int64_t>{});
  ExpectAsOnHost("flip", Mixed({0, 3}, DType::kInt32), std::vector<int64_t>{1});
}
TEST(ArrangeTest, Rolls) {
  const Tensor t = Mixed({3, 4, 5}, DType::kInt32, 5000);
  using V = std::vector<int64_t>;
  ExpectAsOnHost("roll", t, V{7}, V{});
  ExpectAsOnHost("roll", t, V{-1, 2}, V{0, -1});
  ExpectAsOnHost("roll", t, V{1, 2}, V{1, 1});
  ExpectAsOnHost("roll", t, V{4}, V{1});
  ExpectAsOnHost("roll", call("transpose.int", t, 0, 2).take(), V{3}, V{});
  ExpectAsOnHost("roll", Mixed({0, 3}, DType::kInt32), V{1}, V{1});
}
TEST(ArrangeTest, Repeats) {
  using V = std::vector<int64_t>;
  ExpectAsOnHost("repeat", Mixed({3, 4}, DType::kInt16), V{2, 3});
  ExpectAsOnHost("repeat", call("t", Mixed({3, 4}, DType::kFloat64)).take(), V{2, 1, 1, 3});
  ExpectAsOnHost("repeat", tensor(2.f), V{4});
  ExpectAsOnHost("repeat", Mixed({3}, DType::kBool), V{0, 2});
}
TEST(ArrangeTest, Triangles) {
  for (const char* op : {"tril", "triu"}) {
    for (int64_t diagonal : {-100, -2, 0, 1, 3, 100}) {
      SCOPED_TRACE(diagonal);
      ExpectAsOnHost(op, Mixed({2, 5, 7}, DType::kInt32, 5000), diagonal);
      ExpectAsOnHost(op, Mixed({6, 8}, DType::kFloat32), diagonal);
    }
    ExpectAsOnHost(op, call("t", Mixed({4, 8}, DType::kInt8)).take());
    ExpectAsOnHost(op, Mixed({4, 32}, DType::kBool));
    ExpectAsOnHost(op, Mixed({4, 3}, DType::kComplex128));
    ExpectAsOnHost(op, Mixed({0, 3}, DType::kFloat32));
  }
  const Tensor t = ToCuda(Mixed({4, 4}, DType::kFloat32));
  const Tensor host = ToHost(t);
  call("tril_", t);
  ExpectClose(t, call("tril", host).take(), 0);
}
TEST(ArrangeTest, PositionsOfTriangles) {
  for (const char* op : {"tril_indices", "triu_indices"}) {
    for (int64_t offset : {-9, -2, 0, 1, 4, 9}) {
      SCOPED_TRACE(offset);
      for (auto [row, col] : {std::pair<int64_t, int64_t>{4, 6}, {6, 4}, {1, 5}, {5, 1}, {0, 3}}) {
        const Tensor expected = call(op, row, col, offset).take();
        ExpectClose(call(op, row, col, offset, kw("device", Cuda())).take(), expected, 0);
      }
    }
    const Tensor expected = call(op, 70, 90, 3, kw("dtype", DType::kInt32)).take();
    ExpectClose(call(op, 70, 90, 3, kw("dtype", DType::kInt32), kw("device", Cuda())).take(),
                expected, 0);
  }
}

}  // namespace
}  // namespace sy::cuda
