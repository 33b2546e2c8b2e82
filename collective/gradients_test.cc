// Gradients of collectives against those of the whole computed in one place, and parameters that
// several ranks train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/collective/data_parallel.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::collective {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kRanks = 3;
const DType k64 = DType::kFloat64;

// Input and weight of a rank: numbers that differ everywhere.
Tensor X(int rank) { return add(div(to(reshape(arange(12), {6, 2}), k64), 7), 0.3 * rank); }
Tensor Weight(int rank, IntSpan sizes) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return cos(add(reshape(to(arange(n), k64), sizes), rank));
}

// on_rank: the collective; in_one: all ranks' inputs to all ranks' results, by other operators. The
// loss is the sum of each result squared by a weight of the rank.
void Compare(const std::function<Tensor(const Tensor&, int)>& on_rank,
             const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& in_one) {
  std::vector<Tensor> x;
  x.reserve(kRanks);
  for (int r = 0; r < kRanks; ++r) x.push_back(requires_grad_(X(r)));
  const std::vector<Tensor> y = in_one(x);
  Tensor loss = zeros({}, k64);
  for (int r = 0; r < kRanks; ++r) {
    const Tensor& z = y[static_cast<size_t>(r)];
    loss = add(loss, sum(mul(mul(z, z), Weight(r, z.sizes()))));
  }
  backward(loss);
  for (const int64_t inline_bytes : {0, 1 << 20}) {
    RunRanks(kRanks,
             [&](int rank) {
               const Tensor mine = requires_grad_(X(rank));
               const Tensor z = on_rank(mine, rank);
               EXPECT_TRUE(requires_grad(z));
               backward(sum(mul(mul(z, z), Weight(rank, z.sizes()))));
               // Of an input that does not count there is none.
               const Tensor whole = grad_of(x[static_cast<size_t>(rank)]);
               const Tensor expected = whole.defined() ? whole : zeros_like(mine);
               EXPECT_TRUE(allclose(grad_of(mine), expected))
                   << ToString(grad_of(mine)) << ToString(expected);
             },
             {.inline_bytes = inline_bytes});
  }
}
Tensor Sum(const std::vector<Tensor>& x) { return add(add(x[0], x[1]), x[2]); }

TEST(Registration, HasNoProblems) { EXPECT_THAT(GradientProblems(), IsEmpty()); }

TEST(Gradients, OfSumsAndMeans) {
  for (const char* op : {"sum", "avg"}) {
    const double by = op == std::string("sum") ? 1 : kRanks;
    Compare(
        [&](const Tensor& x, int) {
          return call("_c10d_functional::all_reduce", x, op, "world").take();
        },
        [&](const std::vector<Tensor>& x) { return std::vector<Tensor>(kRanks, div(Sum(x), by)); });
    Compare(
        [&](const Tensor& x, int) {
          return call("_c10d_functional::reduce_scatter_tensor", x, op, kRanks, "world").take();
        },
        [&](const std::vector<Tensor>& x) {
          std::vector<Tensor> parts;
          parts.reserve(kRanks);
          for (int r = 0; r < kRanks; ++r) parts.push_back(narrow(div(Sum(x), by), 0, 2 * r, 2));
          return parts;
        });
  }
}

TEST(Gradients, OfWhatIsWrittenInPlace) {
  Compare(
      [&](const Tensor& x, int) {
        const Tensor y = mul(x, 2);
        call("_c10d_functional::all_reduce_", y, "sum", "world");
        return y;
      },
      [&](const std::vector<Tensor>& x) { return std::vector<Tensor>(kRanks, mul(Sum(x), 2)); });
}

TEST(Gradients, OfWhatIsMoved) {
  for (const char* space : {"_c10d_functional", "_c10d_functional_autograd"}) {
    const std::string name = space;
    Compare([&](const Tensor& x,
                int) { return call(name + "::all_gather_into_tensor", x, kRanks, "world").take(); },
            [&](const std::vector<Tensor>& x) { return std::vector<Tensor>(kRanks, cat(x)); });
    Compare(
        [&](const Tensor& x, int rank) {
          // Rows to ranks 0, 1, 2: 1, 2, 3 from each.
          const std::vector<int64_t> sent = {1, 2, 3}, taken(kRanks, rank + 1);
          return call(name + "::all_to_all_single", x, taken, sent, "world").take();
        },
        [&](const std::vector<Tensor>& x) {
          std::vector<Tensor> all;
          all.reserve(kRanks);
          for (int r = 0, at = 0; r < kRanks; at += ++r) {
            std::vector<Tensor> parts;
            parts.reserve(x.size());
            for (const Tensor& t : x) parts.push_back(narrow(t, 0, at, r + 1));
            all.push_back(cat(parts));
          }
          return all;
        });
  }
  Compare([&](const Tensor& x,
              int) { return call("_c10d_functional::broadcast", x, 1, "world").take(); },
          [&](const std::vector<Tensor>& x) { return std::vector<Tensor>(kRanks, mul(x[1], 1)); });
}

TEST(Gradients, OfMaximaAreRefused) {
  RunRanks(2, [](int rank) {
    const Tensor x = requires_grad_(X(rank));
    const Tensor y = call("_c10d_functional::all_reduce", x, "max", "world").take();
    try {
      backward(sum(y));
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("reduce_op 'max' has no gradient"));
    }
  });
}

// Two layers and a parameter that is not used.
struct Net {
  Tensor w1, w2, unused;
  Tensor Loss(const Tensor& x) const {
    const Tensor y = matmul(tanh(matmul(x, w1)), w2);
    return mean(mul(y, y));
  }
};
Net MakeNet(double shift) {
  return {requires_grad_(add(Weight(1, std::vector<int64_t>{2, 5}), shift)),
          requires_grad_(add(Weight(2, std::vector<int64_t>{5, 3}), shift)),
          requires_grad_(full({4}, 1 + shift, {.dtype = k64}))};
}

TEST(DataParallel, GivesTheGradientsOfTheWholeBatch) {
  const Net whole = MakeNet(0);
  const Tensor x = cat(std::vector<Tensor>{X(0), X(1), X(2)});
  backward(whole.Loss(x));
  for (const int64_t bucket_bytes : {1, 200, 1 << 20}) {
    for (const int64_t inline_bytes : {0, 1 << 20}) {
      RunRanks(
          kRanks,
          [&](int rank) {
            const Net net = MakeNet(rank);  // rank 0's values count
            DataParallel parallel({net.w1, net.w2, net.unused}, {.bucket_bytes = bucket_bytes});
            EXPECT_EQ(parallel.buckets(), bucket_bytes == 1 ? 3U : bucket_bytes == 200 ? 2U : 1U);
            for (int round = 0; round < 2; ++round) {
              for (const Tensor& p : {net.w1, net.w2, net.unused}) zero_grad(p);
              backward(net.Loss(X(rank)));
              parallel.Finish();
              EXPECT_TRUE(allclose(grad_of(net.w1), grad_of(whole.w1)));
              EXPECT_TRUE(allclose(grad_of(net.w2), grad_of(whole.w2)));
              EXPECT_TRUE(equal(grad_of(net.unused), zeros({4}, k64)));
            }
          },
          {.inline_bytes = inline_bytes});
    }
  }
}

TEST(DataParallel, BeginsBeforeBackwardEnds) {
  RunRanks(2, [](int rank) {
    const Net net = MakeNet(0);
    DataParallel parallel({net.w1, net.w2}, {.bucket_bytes = 1});
    backward(net.Loss(X(rank)));
    parallel.Finish();
    EXPECT_EQ(parallel.overlapped(), 2U);
  });
}

TEST(DataParallel, RefusesWhatItCannotAverage) {
  RunRanks(1, [](int) {
    EXPECT_THROW(DataParallel({ones({2})}), Error);
    const Net net = MakeNet(0);
    DataParallel parallel({net.w1, net.w2});
    backward(net.Loss(X(0)));
    EXPECT_THROW(backward(net.Loss(X(0))), Error);
  });
}

}  // namespace
}  // namespace sy::collective
