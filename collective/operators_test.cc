// The collectives on ranks that are threads, against sums and places worked out here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy::collective {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// 1, 2 or 3 more than the rank: exact in every dtype that has more than one bit.
int Element(int rank, int64_t i) { return rank + 1 + static_cast<int>(i % 3); }
Tensor Mine(int rank, int64_t n, DType dtype) {
  std::vector<int64_t> all(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) all[static_cast<size_t>(i)] = Element(rank, i);
  return to(tensor(all), dtype);
}
int Expected(SyReduceOp op, int ranks, int64_t i) {
  int x = Element(0, i);
  for (int r = 1; r < ranks; ++r) {
    const int y = Element(r, i);
    switch (op) {
      case SY_SUM:
      case SY_AVG:
        x += y;
        break;
      case SY_PRODUCT:
        x *= y;
        break;
      case SY_MIN:
        x = std::min(x, y);
        break;
      case SY_MAX:
        x = std::max(x, y);
        break;
      case SY_BAND:
        x &= y;
        break;
      case SY_BOR:
        x |= y;
        break;
      case SY_BXOR:
        x ^= y;
        break;
    }
  }
  return x;
}
// Whatever the dtype, as doubles: the elements here are whole and real.
std::vector<double> Numbers(const Tensor& t) {
  const Tensor parts = IsComplex(t.dtype()) ? real(to(t, DType::kComplex128)) : t;
  const Tensor flat = contiguous(to(parts, DType::kFloat64));
  return {flat.data<double>(), flat.data<double>() + flat.numel()};
}

constexpr DType kNumeric[] = {
    DType::kUInt8,   DType::kInt8,    DType::kInt16,     DType::kInt32,      DType::kInt64,
    DType::kUInt16,  DType::kUInt32,  DType::kUInt64,    DType::kFloat16,    DType::kBFloat16,
    DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128, DType::kComplex32};

TEST(Registration, HasNoProblems) { EXPECT_THAT(Registry::Global().Problems(), IsEmpty()); }

// Queued and at once, sizes that do not split evenly, one element, none.
class AllReduce : public ::testing::TestWithParam<int64_t> {};
TEST_P(AllReduce, OfEveryDTypeByEveryOperator) {
  for (const int ranks : {1, 2, 3}) {
    std::atomic<int> checked{0};
    RunRanks(ranks,
             [&](int rank) {
               for (const DType dtype : kNumeric) {
                 for (int k = SY_SUM; k <= SY_AVG; ++k) {
                   const auto op = static_cast<SyReduceOp>(k);
                   if (!Contains(ReducibleTypes(op), dtype)) continue;
                   for (const int64_t n : {0, 1, 5, 4099}) {
                     const Tensor x = Mine(rank, n, dtype);
                     const Tensor y =
                         call("_c10d_functional::all_reduce", x, Name(op), "world").take();
                     ASSERT_EQ(y.dtype(), dtype);
                     const std::vector<double> got = Numbers(y);
                     for (int64_t i = 0; i < n; ++i) {
                       double expected = Expected(op, ranks, i);
                       if (op == SY_AVG) expected /= ranks;
                       // 16 bits hold thirds to 3 digits.
                       ASSERT_NEAR(got[static_cast<size_t>(i)], expected, 0.01 * expected)
                           << sy::Name(dtype) << " " << Name(op) << " of " << n << " at " << i;
                       ++checked;
                     }
                     ASSERT_EQ(Numbers(x), Numbers(Mine(rank, n, dtype)));
                   }
                 }
               }
             },
             {.inline_bytes = GetParam()});
    EXPECT_GT(checked, 100'000 * ranks);
  }
}
INSTANTIATE_TEST_SUITE_P(QueuedOrAtOnce, AllReduce, ::testing::Values(0, 1 << 20));

TEST(AllReduce, OfBool) {
  RunRanks(2, [](int rank) {
    const Tensor x =
        rank == 0 ? tensor({true, true, false, false}) : tensor({true, false, true, false});
    const auto of = [&](const char* op) {
      return ToString(call("_c10d_functional::all_reduce", x, op, "world").tensor());
    };
    EXPECT_EQ(of("sum"), of("bor"));
    EXPECT_EQ(of("bor"), ToString(tensor({true, true, true, false})));
    EXPECT_EQ(of("product"), ToString(tensor({true, false, false, false})));
    EXPECT_EQ(of("band"), of("min"));
    EXPECT_EQ(of("max"), of("bor"));
    EXPECT_EQ(of("bxor"), ToString(tensor({false, true, true, false})));
  });
}

TEST(AllReduce, HandsNaNsOn) {
  RunRanks(2, [](int rank) {
    const Tensor x = rank == 0 ? tensor({NAN, 1., 2.}) : tensor({0., NAN, 1.});
    for (const char* op : {"min", "max", "sum"}) {
      const Tensor y = call("_c10d_functional::all_reduce", x, op, "world").take();
      EXPECT_EQ(ToString(isnan(y)), ToString(tensor({true, true, false}))) << op;
    }
  });
}

TEST(AllReduce, OfComplexNumbers) {
  RunRanks(2, [](int rank) {
    const Tensor x = complex(tensor({1. + rank}), tensor({2.}));
    const Tensor sum = call("_c10d_functional::all_reduce", x, "sum", "world").take();
    EXPECT_EQ(ToString(view_as_real(sum)), ToString(tensor({{3., 4.}})));
    const Tensor product = call("_c10d_functional::all_reduce", x, "product", "world").take();
    EXPECT_EQ(ToString(view_as_real(product)), ToString(tensor({{-2., 6.}})));
    const Tensor conjugate = call("_c10d_functional::all_reduce", conj(x), "sum", "world").take();
    EXPECT_EQ(ToString(view_as_real(conjugate)), ToString(tensor({{3., -4.}})));
  });
}

TEST(AllReduce, OfTensorsWithGaps) {
  RunRanks(2, [](int rank) {
    const Tensor base = add(reshape(arange(12), {3, 4}), rank);
    for (const Tensor& x : {t(base), narrow(base, 1, 1, 2), expand(select(base, 0, 0), {2, 4})}) {
      const Tensor y = call("_c10d_functional::all_reduce", x, "sum", "world").take();
      const Tensor other = add(x, 1 - 2 * rank);
      EXPECT_TRUE(equal(y, add(x, other)));
      EXPECT_TRUE(y.is_contiguous());
    }
    const Tensor columns = t(base);
    call("_c10d_functional::all_reduce_", columns, "sum", "world");
    EXPECT_TRUE(equal(base, add(mul(reshape(arange(12), {3, 4}), 2), 1)));
  });
}

TEST(AllReduce, InPlaceIsDoneForViewsToo) {
  RunRanks(3, [](int rank) {
    const Tensor x = full({20'000}, rank + 1.);
    const Tensor part = narrow(x, 0, 0, 2);
    const Tensor same = call("_c10d_functional::all_reduce_", x, "sum", "world").take();
    EXPECT_EQ(part.data<float>()[1], 6);  // without an operator
    EXPECT_TRUE(same.is_same(x));
  });
}

TEST(Gathering, PutsRanksInOrder) {
  for (const int64_t inline_bytes : {0, 1 << 20}) {
    RunRanks(
        3,
        [](int rank) {
          const Tensor x = full({2, 2}, rank);
          const Tensor all = call("_c10d_functional::all_gather_into_tensor", x, 3, "world").take();
          ASSERT_EQ(all.size(0), 6);
          for (int r = 0; r < 3; ++r) EXPECT_TRUE(equal(narrow(all, 0, 2 * r, 2), full({2, 2}, r)));
          const Tensor out = empty({6, 2}, x.dtype());
          call("_c10d_functional::all_gather_into_tensor_out", x, 3, "world", kw("out", out));
          EXPECT_TRUE(equal(out, all));
          const Tensor one = call("c10d::gather", x, 1, 3, "world").take();
          ASSERT_EQ(one.size(0), rank == 1 ? 6 : 0);
          if (rank == 1) {
            EXPECT_TRUE(equal(one, all));
          }
          const Tensor none =
              call("_c10d_functional::all_gather_into_tensor", empty({0, 2}), 3, "world").take();
          EXPECT_EQ(none.size(0), 0);
        },
        {.inline_bytes = inline_bytes});
  }
}

TEST(Scattering, GivesEachItsPart) {
  for (const int64_t inline_bytes : {0, 1 << 20}) {
    RunRanks(3,
             [](int rank) {
               const Tensor x = add(reshape(arange(12), {6, 2}), 100 * rank);
               const Tensor mine = narrow(reshape(arange(12), {6, 2}), 0, 2 * rank, 2);
               const Tensor sum =
                   call("_c10d_functional::reduce_scatter_tensor", x, "sum", 3, "world").take();
               EXPECT_TRUE(equal(sum, add(mul(mine, 3), 300)));
               const Tensor mean = call("_c10d_functional::reduce_scatter_tensor",
                                        to(x, DType::kFloat32), "avg", 3, "world")
                                       .take();
               EXPECT_TRUE(equal(mean, to(add(mine, 100), DType::kFloat32)));
               EXPECT_TRUE(equal(call("c10d::scatter", x, 2, 3, "world").tensor(), add(mine, 200)));
               const Tensor out = empty({2, 2}, x.dtype());
               call("_c10d_functional::reduce_scatter_tensor_out", x, "sum", 3, "world",
                    kw("out", out));
               EXPECT_TRUE(equal(out, sum));
             },
             {.inline_bytes = inline_bytes});
  }
}

TEST(AllToAll, ExchangesUnevenParts) {
  for (const int64_t inline_bytes : {0, 1 << 20}) {
    RunRanks(
        3,
        [](int rank) {
          // Rank r sends r + k rows of 10 r + k to rank k.
          std::vector<Tensor> parts, expected;
          std::vector<int64_t> sent, taken;
          for (std::vector<Tensor>* v : {&parts, &expected}) v->reserve(3);
          for (std::vector<int64_t>* v : {&sent, &taken}) v->reserve(3);
          for (int k = 0; k < 3; ++k) {
            parts.push_back(full({rank + k, 2}, 10 * rank + k));
            expected.push_back(full({rank + k, 2}, 10 * k + rank));
            sent.push_back(rank + k);
            taken.push_back(rank + k);
          }
          const Tensor y =
              call("_c10d_functional::all_to_all_single", cat(parts), taken, sent, "world").take();
          EXPECT_TRUE(equal(y, cat(expected)));
        },
        {.inline_bytes = inline_bytes});
  }
}

TEST(AllToAll, WritesATensorThatIsThere) {
  RunRanks(3, [](int rank) {
    const auto exchange = [](const Tensor& out, const Tensor& in, std::vector<int64_t> taken,
                             std::vector<int64_t> sent) {
      call("c10d::alltoall_base_", out, in, taken, sent, "world");
    };
    const Tensor x = add(reshape(arange(12), {6, 2}), 100 * rank), out = empty({6, 2}, x.dtype());
    exchange(out, x, {}, {});
    for (int r = 0; r < 3; ++r) {
      const Tensor sent = add(narrow(reshape(arange(12), {6, 2}), 0, 2 * rank, 2), 100 * r);
      EXPECT_TRUE(equal(narrow(out, 0, 2 * r, 2), sent));
    }
    // With gaps, and into what is sent.
    const Tensor wide = zeros({6, 4}, x.dtype()), gaps = narrow(wide, 1, 1, 2);
    exchange(gaps, x, {2, 2, 2}, {2, 2, 2});
    EXPECT_TRUE(equal(gaps, out));
    EXPECT_TRUE(equal(sum(wide), sum(out)));
    exchange(x, x, {}, {});
    EXPECT_TRUE(equal(x, out));
    // Rank 0 alone sends, one row to each.
    const Tensor rows = rank == 0 ? arange(3) : arange(0);
    const Tensor row = empty({1}, x.dtype());
    exchange(row, rows, {1, 0, 0},
             rank == 0 ? std::vector<int64_t>{1, 1, 1} : std::vector<int64_t>{0, 0, 0});
    EXPECT_TRUE(equal(row, full({1}, rank)));
    EXPECT_THAT(MessageOf([&] { exchange(out, x, {1, 1}, {}); }), HasSubstr("a number a rank"));
    EXPECT_THAT(MessageOf([&] {
                  exchange(out, x, {}, {5, 5, 5});
                }),
                HasSubstr("input_split_sizes"));
    EXPECT_THAT(MessageOf([&] { exchange(out, x, {7, -1, 0}, {}); }), HasSubstr("negative"));
    EXPECT_THAT(MessageOf([&] { exchange(row, x, {}, {}); }), HasSubstr("split over the ranks"));
    EXPECT_THAT(MessageOf([&] { exchange(to(out, DType::kFloat32), x, {}, {}); }),
                HasSubstr("output is float32, expected int64"));
    call("c10d::barrier", "world");  // the group is whole
  });
}

TEST(GivenResults, AreWrittenWhateverTheyLieBeside) {
  RunRanks(2, [](int rank) {
    const auto gather = [](const Tensor& x, const Tensor& out) {
      call("_c10d_functional::all_gather_into_tensor_out", x, 2, "world", kw("out", out));
    };
    const auto scatter = [](const Tensor& x, const Tensor& out) {
      call("_c10d_functional::reduce_scatter_tensor_out", x, "sum", 2, "world", kw("out", out));
    };
    const Tensor x = full({2, 3}, rank + 1), all = cat({full({2, 3}, 1), full({2, 3}, 2)});
    // The input is a part of the result, the rank's own or the other's.
    for (const int64_t at : {2 * rank, 2 - 2 * rank}) {
      const Tensor out = zeros({4, 3}, x.dtype()), part = narrow(out, 0, at, 2);
      copy_(part, x);
      gather(part, out);
      EXPECT_TRUE(equal(out, all));
    }
    const Tensor turned = t(zeros({3, 4}, x.dtype()));
    gather(x, turned);
    EXPECT_TRUE(equal(turned, all));
    gather(t(contiguous(t(x))), turned);
    EXPECT_TRUE(equal(turned, all));
    const Tensor four = cat({x, x}), sums = full({2, 3}, 3);
    scatter(four, narrow(four, 0, 1, 2));
    EXPECT_TRUE(equal(narrow(four, 0, 1, 2), sums));
    const Tensor out = t(zeros({3, 2}, x.dtype()));
    scatter(cat({x, x}), out);
    EXPECT_TRUE(equal(out, sums));
    EXPECT_THAT(MessageOf([&] {
                  gather(x, zeros({3, 3}, x.dtype()));
                }),
                HasSubstr("expected [4, 3]"));
    EXPECT_THAT(MessageOf([&] {
                  scatter(all, zeros({2, 3}, DType::kFloat64));
                }),
                HasSubstr("out is float64, expected int64"));
    call("c10d::barrier", "world");
  });
}

TEST(Broadcast, GivesTheSourcesElements) {
  for (const int64_t inline_bytes : {0, 1 << 20}) {
    RunRanks(3,
             [](int rank) {
               const Tensor x = full({5}, rank);
               EXPECT_TRUE(equal(call("_c10d_functional::broadcast", x, 2, "world").tensor(),
                                 full({5}, 2)));
               EXPECT_TRUE(equal(x, full({5}, rank)));
               call("_c10d_functional::broadcast_", x, 1, "world");
               EXPECT_TRUE(equal(x, full({5}, 1)));
             },
             {.inline_bytes = inline_bytes});
  }
}

TEST(Lists, AreReducedOneByOne) {
  RunRanks(2, [](int rank) {
    const std::vector<Tensor> x = {full({2}, rank + 1), full({3, 4}, rank + 2)};
    Results r = call("_c10d_functional::all_reduce_coalesced", TensorList(x), "sum", "world");
    const std::vector<Tensor> sums = r[0].TakeTensors();
    EXPECT_TRUE(equal(sums[0], full({2}, 3)));
    EXPECT_TRUE(equal(sums[1], full({3, 4}, 5)));
    r = call("_c10d_functional::all_gather_into_tensor_coalesced", TensorList(x), 2, "world");
    EXPECT_EQ(r[0].TakeTensors()[1].size(0), 6);
    call("_c10d_functional::all_reduce_coalesced_", TensorList(x), "max", "world");
    EXPECT_TRUE(equal(x[1], full({3, 4}, 3)));
  });
}

TEST(Messages, ArriveInOrderOfTheirTags) {
  RunRanks(2, [](int rank) {
    if (rank == 0) {
      call("c10d::send", t(reshape(arange(4), {2, 2})), 1, 7, "world");
      call("c10d::send", full({3}, 5), 1, 8, "world");
    } else {
      EXPECT_TRUE(equal(call("c10d::recv", empty({3}, DType::kInt64), 0, 8, "world").tensor(),
                        full({3}, 5)));
      const Tensor x = zeros({4, 2}, DType::kInt64);
      call("c10d::recv_", narrow(x, 1, 0, 1), 0, 7, "world");
      EXPECT_TRUE(equal(x, tensor({{0, 0}, {2, 0}, {1, 0}, {3, 0}})));
    }
    call("c10d::barrier", "world");
  });
}

TEST(Meta, KnowsSizesWithoutAGroup) {
  const Tensor x = empty({6, 3}, {.device = ParseDevice("meta")});
  const auto sizes = [&](const char* name, auto... a) {
    return Join({IntSpan(call(name, x, a..., "no such group").tensor().sizes())});
  };
  EXPECT_EQ(sizes("_c10d_functional::all_reduce", "sum"), "[6, 3]");
  EXPECT_EQ(sizes("_c10d_functional::all_reduce_", "sum"), "[6, 3]");
  EXPECT_EQ(sizes("_c10d_functional::all_gather_into_tensor", 8), "[48, 3]");
  EXPECT_EQ(sizes("_c10d_functional::reduce_scatter_tensor", "sum", 3), "[2, 3]");
  EXPECT_EQ(sizes("_c10d_functional::broadcast", 0), "[6, 3]");
  EXPECT_EQ(sizes("c10d::scatter", 0, 2), "[3, 3]");
  EXPECT_EQ(sizes("c10d::gather", 0, 2), "[12, 3]");
  EXPECT_EQ(sizes("c10d::recv", 0, 0), "[6, 3]");
  const Tensor y = call("_c10d_functional::all_to_all_single", x, {1, 4}, {2, 4}, "g").take();
  EXPECT_EQ(Join({IntSpan(y.sizes())}), "[5, 3]");
}

TEST(BadArguments, AreNamed) {
  RunRanks(2, [](int rank) {
    const Tensor x = ones({3, 2});
    const auto message = [](auto... a) { return MessageOf([&] { call(a...); }); };
    const std::string f = "_c10d_functional::";
    EXPECT_THAT(message(f + "all_reduce", x, "mean", "world"),
                HasSubstr("all_reduce(): reduce_op is 'mean', expected sum, product"));
    EXPECT_THAT(message(f + "all_reduce", x, "bxor", "world"),
                HasSubstr("reduce_op 'bxor' of float32"));
    EXPECT_THAT(message(f + "all_reduce_", arange(3), "avg", "world"), HasSubstr("int64"));
    EXPECT_THAT(
        message(f + "all_reduce", x, "sum", "tp"),
        HasSubstr("rank " + std::to_string(rank) + " is in no group 'tp'; it is in 'world'"));
    EXPECT_THAT(message(f + "reduce_scatter_tensor", x, "sum", 2, "world"),
                HasSubstr("[3, 2], does not split over 2 ranks"));
    EXPECT_THAT(message(f + "all_gather_into_tensor", x, 3, "world"),
                HasSubstr("group_size is 3, but group 'world' has 2 ranks"));
    EXPECT_THAT(message(f + "all_gather_into_tensor", tensor(1.), 2, "world"), HasSubstr("0-d"));
    EXPECT_THAT(message(f + "broadcast", x, 2, "world"),
                HasSubstr("src is 2, but group 'world' has ranks 0 to 1"));
    const std::vector<int64_t> some = {1, 1};
    EXPECT_THAT(
        message(f + "all_to_all_single", x, some, some, "world"),
        HasSubstr("input_split_sizes [1, 1] add up to 2, expected dimension 0 of input, 3"));
    EXPECT_THAT(message("c10d::send", x, rank, 0, "world"), HasSubstr("this rank itself"));
    EXPECT_THAT(message("c10d::send", x, 1 - rank, -1, "world"), HasSubstr("tag is -1"));
    EXPECT_THAT(message("c10d::gather", x, 5, 2, "world"),
                HasSubstr("rank 5 is not in a group of 2"));
    // Nothing was begun: the group still works.
    EXPECT_EQ(call(f + "all_reduce", x, "sum", "world").tensor().at<float>(0, 0), 2);
  });
  EXPECT_THAT(MessageOf([] { call("c10d::barrier", "world"); }), HasSubstr("InitWorld"));
}

TEST(Pending, ResultsWaitWhenTheyAreUsed) {
  RunRanks(2,
           [](int rank) {
             const auto reduced = [&](const Tensor& x) {
               return call("_c10d_functional::all_reduce", x, "sum", "world").take();
             };
             const Tensor x = full({1000}, rank + 1.);
             const Tensor a = reduced(x);
             fill_(x, 100);  // the input is done with
             const Tensor chained = reduced(a);
             EXPECT_EQ(add(chained, 1).data<float>()[999], 7);
             EXPECT_EQ(select(reduced(a), 0, 3).item<float>(), 6);
             EXPECT_EQ(reduced(ones({})).item<float>(), 2);
             EXPECT_EQ(ToString(reduced(tensor({1., 2.}))), "tensor([2., 4.])");
             const Tensor waited =
                 call("_c10d_functional::wait_tensor", reduced(tensor({3.}))).take();
             EXPECT_EQ(waited.data<float>()[0], 6);
             const Tensor seen = reduced(full({8}, rank + 1.));
             const Tensor other = seen.AsStrided({4}, {2});  // without an operator
             EXPECT_EQ(sum(other).item<float>(), 12);
             const Tensor unread = reduced(x);  // goes without being looked at
           },
           {.inline_bytes = 0});
}

}  // namespace
}  // namespace sy::collective
