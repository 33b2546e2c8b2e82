#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

const float kNan = std::nanf("");

TEST(SearchTest, SearchesEveryDType) {
  for (DType d : {DType::kUInt8, DType::kInt16, DType::kInt32, DType::kInt64, DType::kFloat16,
                  DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    const Tensor sequence = call("to.dtype", tensor({1, 3, 3, 5, 8}), d).take();
    const Tensor what = call("to.dtype", tensor({0, 1, 2, 3, 4, 5, 8, 9}), d).take();
    for (bool right : {false, true}) {
      ExpectAsOnHost("searchsorted", sequence, what, false, right);
      ExpectAsOnHost("bucketize", what, sequence, true, right);
    }
  }
}
TEST(SearchTest, RowsSortersNumbersAndNaN) {
  const Tensor rows = tensor({{1.f, 2.f, kNan}, {4.f, 5.f, 6.f}});
  const Tensor what = tensor({{0.f, 2.f, kNan, 9.f}, {4.5f, kNan, 6.f, 7.f}});
  ExpectAsOnHost("searchsorted", rows, what);
  ExpectAsOnHost("searchsorted", rows, what, kw("side", "right"));
  const Tensor mixed = tensor({3.f, 1.f, 2.f}), order = call("argsort", mixed, 0, false).take();
  ExpectAsOnHost("searchsorted", mixed, what, kw("sorter", order));
  ExpectAsOnHost("searchsorted", mixed, Scalar(2.5));
  ExpectAsOnHost("searchsorted", tensor({1, 2, 3}), tensor({1.5f, 2.f}));
  ExpectAsOnHost("bucketize", tensor(2.f), tensor({1.f, 2.f}));
  ExpectAsOnHost("bucketize", call("t", what).take(), tensor({1.f, 2.f, 5.f}));
  ExpectAsOnHost("bucketize", what, call("zeros", std::vector<int64_t>{0}).take());
}
TEST(SearchTest, AWrongSorterIsReported) {
  call("searchsorted", ToCuda(tensor({1.f, 2.f})), ToCuda(tensor({2.f})),
       kw("sorter", ToCuda(tensor({int64_t{7}, int64_t{7}}))));
  try {
    CurrentStream(Cuda()).Synchronize();
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.message(), "searchsorted.Tensor(): sorter has 7, expected 0 to 1");
  }
}
TEST(IsinTest, EveryDType) {
  for (DType d : {DType::kUInt8, DType::kInt64, DType::kUInt16, DType::kFloat16, DType::kFloat32,
                  DType::kFloat64}) {
    SCOPED_TRACE(Name(d));
    const Tensor x = call("to.dtype", tensor({0, 1, 2, 3, 4, 5}), d).take();
    const Tensor among = call("to.dtype", tensor({4, 1, 9, 1}), d).take();
    for (bool invert : {false, true}) ExpectAsOnHost("isin", x, among, kw("invert", invert));
  }
  ExpectAsOnHost("isin", tensor({0.f, -0.f, kNan, 1.f}), tensor({kNan, 0.f}));
  ExpectAsOnHost("isin", tensor({1.f, 2.f}), call("zeros", std::vector<int64_t>{0}).take());
}
TEST(RepeatInterleaveTest, AsOftenAsCountsSay) {
  for (DType d : {DType::kInt64, DType::kInt32})
    ExpectAsOnHost("repeat_interleave", call("to.dtype", tensor({2, 0, 3, 0, 1}), d).take());
  ExpectAsOnHost("repeat_interleave",
                 call("zeros", std::vector<int64_t>{0}, kw("dtype", DType::kInt64)).take());
  const Tensor t = tensor({{1.f, 2.f}, {3.f, 4.f}});
  ExpectAsOnHost("repeat_interleave", t, tensor({int64_t{3}, int64_t{1}}), 1);
  EXPECT_THROW(call("repeat_interleave", ToCuda(tensor({int64_t{1}, int64_t{-1}}))), Error);
}

}  // namespace
}  // namespace sy::cuda
