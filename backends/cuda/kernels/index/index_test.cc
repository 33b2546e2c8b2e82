#include "backends/cuda/testing.h"
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
    EXPECT_EQ(e.code(), ErrorCode::kIndexOutOfRange);
    EXPECT_EQ(e.message(), "index_copy(): index is 7, out of range for dim 0, which has size 5");
  }
  ExpectClose(t, tensor({0.f, 0.f, 2.f, 3.f, 4.f}), 0);
}

// Every position of n twice or so, from the end as well.
Tensor Scattered(int64_t count, int64_t n, bool wraps = true) {
  const Tensor t = Tensor::Empty({count}, DType::kInt64);
  for (int64_t i = 0; i < count; ++i)
    t.data<int64_t>()[i] = i * 7919 % n - (wraps && i % 3 == 0 ? n : 0);
  return t;
}
Tensor Small(std::vector<int64_t> sizes, DType d) {
  const Tensor t =
      call("sub.Scalar", call("remainder", Count(sizes, DType::kInt64), Scalar(7)).take(),
           Scalar(d == DType::kUInt8 || d == DType::kBool ? 0 : 3))
          .take();
  return call("to.dtype", t, d).take();
}
const DType kEverySummed[] = {DType::kBool,    DType::kUInt8,     DType::kInt8,
                              DType::kInt16,   DType::kInt32,     DType::kInt64,
                              DType::kFloat16, DType::kBFloat16,  DType::kFloat32,
                              DType::kFloat64, DType::kComplex64, DType::kComplex128};
// One of each kind.
const DType kSummed[] = {DType::kBool,     DType::kUInt8,   DType::kInt64,    DType::kFloat16,
                         DType::kBFloat16, DType::kFloat32, DType::kComplex64};

TEST(IndexTest, FarApartPlacesAreSortedFor) {
  const Tensor t = Count({200000}), at = Scattered(300, 200000, false);
  ExpectAsOnHost("index_copy", t, 0, at, Count({300}));
  ExpectAsOnHost("scatter", t, 0, at, Count({300}));
  ExpectAsOnHost("put", t, Scattered(300, 200000), Count({300}));
}
TEST(IndexTest, AnIndexSmallerThanWhatIsWrittenLeavesTheRest) {
  const Tensor along = tensor({int64_t{2}, int64_t{0}, int64_t{3}});
  const Tensor column = call("reshape", along, std::vector<int64_t>{3, 1, 1}).take(),
               row = call("reshape", along, std::vector<int64_t>{1, 3}).take();
  ExpectAsOnHost("scatter", Count({4, 1, 3}), 0, column, Count({4, 1, 1}));
  ExpectAsOnHost("scatter", Count({3, 4}), 1, row, Count({1, 3}));
  ExpectAsOnHost("scatter", Count({3, 4}), 1, row, Scalar(7));
}
TEST(IndexTest, MillionsAreGatheredByLargeBlocks) {
  const Tensor t = call("to.dtype", Count({5, 840000}), DType::kUInt8).take();
  const Tensor at =
      call("remainder", call("mul", Count({5, 840000}, DType::kInt64), Scalar(7919)).take(),
           Scalar(840000))
          .take();
  ExpectAsOnHost("gather", t, 1, at);
}
TEST(IndexTest, ManyLinesSideBySide) {
  const Tensor t = Count({3, 70000}),
               at = call("remainder", Count({2, 70000}, DType::kInt64), Scalar(3)).take();
  ExpectAsOnHost("scatter_add", t, 0, at, Count({2, 70000}));
  ExpectAsOnHost("gather", t, 0, at);
}
TEST(IndexTest, AddsSlicesOfEveryDType) {
  for (DType d : kEverySummed) {
    SCOPED_TRACE(Name(d));
    ExpectAsOnHost("index_add", Small({9, 8}, d), 0, Scattered(60, 9, false), Small({60, 8}, d));
  }
}
TEST(IndexTest, CombinesEveryKindOfDType) {
  const Tensor at = Scattered(60, 9, false),
               places =
                   call("reshape", Scattered(60, 5, false), std::vector<int64_t>{12, 5}).take();
  for (DType d : kSummed) {
    SCOPED_TRACE(Name(d));
    const double tolerance = Contains(kComplexTypes, d) ? 1e-6 : 0;
    const Tensor t = Small({9, 8}, d), slices = Small({60, 8}, d), line = Small({9}, d);
    ExpectAsOnHost("index_add", t, 0, at, slices);
    ExpectAsOnHost("index_add", line, 0, at, Small({60}, d), kw("alpha", 2));
    ExpectAsOnHost("index_add", Small({8, 9}, d), 1, at, call("t", slices).take(), kw("alpha", 3));
    ExpectAsOnHost("scatter_add", Small({12, 5}, d), 1, places, Small({12, 5}, d));
    ExpectAsOnHostWithin(tolerance, "scatter", Small({12, 5}, d), 0, places, Small({12, 6}, d),
                         kw("reduce", "multiply"));
    ExpectAsOnHost("scatter", Small({12, 5}, d), 0, places, Scalar(2), kw("reduce", "add"));
    ExpectAsOnHost("put", t, Scattered(90, 72), Small({90}, d), true);
    ExpectAsOnHost("index_put", t, std::vector<Tensor>{Scattered(60, 9)}, slices, true);
    ExpectAsOnHost("index_put", t, std::vector<Tensor>{Scattered(60, 9), Scattered(60, 8)},
                   Small({60}, d), true);
  }
}
TEST(IndexTest, ReducesEveryKindOfDType) {
  const Tensor at = Scattered(40, 9, false),
               places =
                   call("reshape", Scattered(60, 5, false), std::vector<int64_t>{12, 5}).take();
  for (DType d : kSummed) {
    SCOPED_TRACE(Name(d));
    for (const char* reduce : {"sum", "prod", "mean", "amax", "amin"}) {
      SCOPED_TRACE(reduce);
      const bool mean = std::string_view(reduce) == "mean";
      const double tolerance = Contains(kComplexTypes, d) ? 1e-6 : 0;
      if (mean && d == DType::kBool) continue;
      if (reduce[0] == 'a' && Contains(kComplexTypes, d)) continue;
      for (bool with_self : {true, false}) {
        ExpectAsOnHostWithin(tolerance, "scatter_reduce", Small({12, 5}, d), 1, places,
                             Small({12, 5}, d), reduce, kw("include_self", with_self));
        if (reduce[0] == 's') continue;
        ExpectAsOnHostWithin(tolerance, "index_reduce", Small({9, 4}, d), 0, at, Small({40, 4}, d),
                             reduce, kw("include_self", with_self));
      }
    }
  }
  const float nan = std::nanf("");
  ExpectAsOnHost("scatter_reduce", tensor({1.f, 2.f, nan}), 0, Positions({0, 1, 1, 2}),
                 tensor({nan, 3.f, nan, 1.f}), "amax");
}
TEST(IndexTest, IndexesByTensorsAndMasks) {
  const Tensor t = Count({5, 6, 7}), i = Scattered(8, 5), j = Scattered(8, 6), k = Scattered(8, 7);
  const Tensor none, mask = call("gt", Count({5, 6}), Scalar(12)).take();
  using L = std::vector<Tensor>;
  const Tensor column = call("reshape", Scattered(3, 5), std::vector<int64_t>{3, 1}).take();
  for (const L& indices :
       {L{i}, L{none, j}, L{none, none, k}, L{i, j}, L{i, none, k}, L{none, j, k}, L{i, j, k},
        L{mask}, L{column, j}, L{none, none, call("gt", Count({7}), Scalar(2)).take()},
        L{call("to.dtype", i, DType::kInt32).take()}, L{tensor(int64_t{2})}}) {
    const Tensor got = call("index", t, indices).take();
    ExpectAsOnHost("index", t, indices);
    ExpectAsOnHost("index_put", t, indices, tensor(-1.f));
    ExpectAsOnHost("index_put", t, indices, call("neg", got).take());
    ExpectAsOnHost("index_put", t, indices, call("neg", got).take(), true);
    ExpectAsOnHost("index_put", call("transpose.int", t, 0, 2).take(), L{k, j}, tensor(4.f));
  }
  ExpectAsOnHost("index", call("transpose.int", t, 0, 2).take(), L{k, none, i});
  ExpectAsOnHost("index", Count({4, 5}, DType::kBool),
                 L{call("gt", Count({4, 5}), Scalar(3)).take()});
  ExpectAsOnHost("index_put", Count({4, 5}, DType::kInt16),
                 L{call("gt", Count({4, 5}), Scalar(3)).take()},
                 call("to.dtype", tensor(7), DType::kInt16).take());
  ExpectAsOnHost("index", t, L{Positions({})});
  ExpectAsOnHost("_unsafe_index", t, L{i, j});
  ExpectAsOnHost("_unsafe_index_put", t, L{i, j}, Count({8, 7}), true);
}
TEST(IndexTest, TheLastOfSeveralWinsWhateverTheWay) {
  using L = std::vector<Tensor>;
  const Tensor t = Count({30, 40}, DType::kInt32);
  const Tensor i = call("remainder", Count({5000}, DType::kInt64), Scalar(30)).take(),
               j = call("remainder", Count({5000}, DType::kInt64), Scalar(7)).take();
  ExpectAsOnHost("index_put", t, L{i, j}, Count({5000}, DType::kInt32));
  ExpectAsOnHost("index_put", t, L{i}, Count({5000, 40}, DType::kInt32));
  ExpectAsOnHost("scatter", t, 1,
                 call("expand", call("reshape", j, std::vector<int64_t>{1, 5000}).take(),
                      std::vector<int64_t>{30, 5000})
                     .take(),
                 Count({30, 5000}, DType::kInt32));
}
TEST(IndexTest, TakesAndPuts) {
  for (DType d : {DType::kBool, DType::kInt16, DType::kFloat32, DType::kComplex128}) {
    SCOPED_TRACE(Name(d));
    const Tensor t = Count({6, 7}, d);
    ExpectAsOnHost("take", t,
                   call("reshape", Scattered(20, 42), std::vector<int64_t>{4, 5}).take());
    ExpectAsOnHost("take", call("t", t).take(), Scattered(20, 42));
    ExpectAsOnHost("put", t, Scattered(60, 42), Count({60}, d));
    ExpectAsOnHost("put", call("t", t).take(), Scattered(20, 42), Count({20}, d));
  }
  ExpectAsOnHost("take", tensor(4.f), Positions({0, -1}));
}
TEST(IndexTest, LateReportsOfEachKind) {
  const Tensor t = ToCuda(Count({5, 4}));
  const auto expect = [&](std::string_view text) {
    try {
      CurrentStream(Cuda()).Synchronize();
      ADD_FAILURE() << "nothing was reported";
    } catch (const Error& e) {
      EXPECT_EQ(e.message(), text);
    }
  };
  using L = std::vector<Tensor>;
  call("index", t, L{ToCuda(Positions({1, 5}))});
  expect("index.Tensor(): index is 5, out of range for dim 0, which has size 5");
  call("index", t, L{ToCuda(Positions({1, 4})), ToCuda(Positions({0, -5}))});
  expect("index.Tensor(): index is -5, out of range for dim 1, which has size 4");
  call("index_put_", t, L{ToCuda(Positions({-6, 1}))}, ToCuda(Count({2, 4})), true);
  expect("index_put(): index is -6, out of range for dim 0, which has size 5");
  call("put_", t, ToCuda(Positions({20, 3})), ToCuda(Count({2})));
  expect("put(): index is 20, out of range for dim 0, which has size 20");
  call("scatter_reduce_", t, 0,
       ToCuda(call("reshape", Positions({5, 0}), std::vector<int64_t>{2, 1}).take()),
       ToCuda(Count({2, 1})), "amax");
  expect("scatter_reduce.two(): index is 5, out of range for dim 0, which has size 5");
}

TEST(IndexTest, AValueThatDoesNotFitIsRefusedAsOnTheHost) {
  const Tensor t = call("to.dtype", Count({5}), DType::kUInt8).take(), big = tensor(300.f);
  for (const bool there : {false, true}) {
    const Tensor value = there ? ToCuda(big) : big;
    try {
      call("index_fill", ToCuda(t), 0, ToCuda(Positions({1})), value);
      FAIL() << "was stored";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
      EXPECT_NE(e.message().find("does not fit self's uint8"), std::string::npos) << e.message();
    }
  }
}

TEST(IndexTest, DimensionsFromTheEndAreThoseFromTheFront) {
  const Tensor t = Count({4, 3, 2});
  ExpectAsOnHost("index_select", t, -2, Positions({2, 0}));
  ExpectAsOnHost("index_fill", t, -1, Positions({-1}), Scalar(9));
  ExpectAsOnHost("cumsum", t, -2);
  ExpectAsOnHostWithin(1e-6, "softmax.int", t, -1);
  ExpectAsOnHost("sum.dim_IntList", t, std::vector<int64_t>{-1, 0});
  ExpectAsOnHost("argmax", t, -3);
  ExpectAsOnHost("roll", t, std::vector<int64_t>{5, -1}, std::vector<int64_t>{-1, 1});
  ExpectAsOnHost("cat", std::vector<Tensor>{t, t}, -1);
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

TEST(IndexTest, AHundredThousandWrongIndicesAreSaidOnceAndLaterOnesAgain) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const Tensor wrong = ToCuda(
      call("full", std::vector<int64_t>{100000}, Scalar(9), kw("dtype", DType::kInt64)).take());
  for (int round = 0; round < 2; ++round) {
    call("index_select", x, 0, wrong);
    try {
      CurrentStream(Cuda()).Synchronize();
      FAIL() << "nothing was reported";
    } catch (const Error& e) {
      EXPECT_EQ(e.message(),
                "index_select(): index is 9, out of range for dim 0, which has size 2");
    }
    CurrentStream(Cuda()).Synchronize();  // once
  }
}

// Runs of equal positions that are longer than the parts that they are cut into: ends within a
// part, at its end, a whole part alone, all elements.
TEST(IndexTest, LongRunsOfOnePositionAreCombinedAsShortOnesAre) {
  std::vector<int64_t> positions;
  for (const auto& [place, count] : {std::pair{3, 500}, {0, 2600}, {5, 1020}, {1, 1024}, {2, 3000}})
    positions.insert(positions.end(), static_cast<size_t>(count), place);
  for (size_t i = 0; i < positions.size(); ++i)  // not in the order of places
    std::swap(positions[i], positions[i * 7919 % positions.size()]);
  const auto n = static_cast<int64_t>(positions.size());
  const Tensor index = call("add", Tensor::FromBlob(positions.data(), {n}), Scalar(0)).take();
  for (DType d : {DType::kInt64, DType::kFloat64, DType::kFloat32}) {
    const double tolerance = d == DType::kInt64 ? 0 : d == DType::kFloat64 ? 1e-12 : 1e-3;
    const Tensor self = Spread({6}, d), source = Spread({n}, d, 1);
    ExpectAsOnHostWithin(tolerance, "index_add", self, 0, index, source);
    ExpectAsOnHostWithin(tolerance, "index_add", self, 0, index, source, kw("alpha", Scalar(3)));
    for (const char* reduce : {"amax", "amin", "mean"}) {
      for (bool with_self : {false, true}) {
        ExpectAsOnHostWithin(tolerance, "index_reduce", self, 0, index, source, std::string(reduce),
                             kw("include_self", with_self));
      }
    }
    const Tensor rows = Spread({6, 3}, d), lines = Spread({n, 3}, d, 2);
    ExpectAsOnHostWithin(tolerance, "index_add", rows, 0, index, lines);
  }
}

}  // namespace
}  // namespace sy::cuda
