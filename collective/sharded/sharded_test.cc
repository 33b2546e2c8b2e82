#include "switchyard/collective/sharded/sharded.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

using collective::RunRanks;

bool Same(const Tensor& a, const Tensor& b) { return allclose(FullTensor(a), b, 1e-5, 1e-6, true); }

Tensor Numbers(IntSpan sizes) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return view(cos(arange(n, DType::kFloat32)), sizes);
}
Tensor Numbers(std::initializer_list<int64_t> sizes) {
  return Numbers(IntSpan(sizes.begin(), sizes.size()));
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

MeshRef Line() { return MakeMesh("line", {{"model", 4}}); }

TEST(ShardedTensor, LiesInPartsAndIsPutTogether) {
  RunRanks(4, [](int rank) {
    const MeshRef mesh = Line();
    const Tensor x = Numbers({5, 6});
    const Tensor s = Distribute(x, mesh, {Shard(0)});
    EXPECT_TRUE(IsSharded(s));
    EXPECT_FALSE(IsSharded(x));
    EXPECT_EQ(s.sizes(), x.sizes());
    EXPECT_EQ(LocalOf(s).size(0), rank < 2 ? 2 : rank == 2 ? 1 : 0);
    EXPECT_TRUE(equal(FullTensor(s), x));
    EXPECT_TRUE(equal(FullTensor(Redistribute(s, {Shard(-1)})), x));
    EXPECT_TRUE(equal(FullTensor(Redistribute(s, {Replicate()})), x));
    EXPECT_TRUE(equal(FullTensor(Redistribute(s, {Partial()})), x));
    EXPECT_TRUE(equal(FullTensor(Redistribute(Redistribute(s, {Partial()}), {Shard(1)})), x));
    const Tensor part = full({2, 3}, double(rank));
    const Tensor whole = FromLocal(part, mesh, {Shard(0)});
    EXPECT_EQ(whole.sizes(), (std::vector<int64_t>{8, 3}));
    EXPECT_EQ(FullTensor(whole).at<float>(6, 0), 3);
    EXPECT_EQ(FullTensor(FromLocal(part, mesh, {Partial()})).at<float>(1, 1), 6);
  });
}

TEST(ShardedTensor, LiesOnMeshesOfSeveralDimensionsInAnyOrder) {
  RunRanks(4, [](int) {
    const MeshRef mesh = MakeMesh("grid", {{"x", 2}, {"y", 2}});
    const Tensor x = Numbers({5, 7, 2});
    const std::vector<Placement> ways = {Replicate(), Shard(0), Shard(1), Shard(2), Partial()};
    for (const Placement& a : ways) {
      for (const Placement& b : ways) {
        const Tensor s = Distribute(x, mesh, {a, b});
        EXPECT_TRUE(Same(s, x)) << DescribePlacement(s);
        for (const Placement& c : ways) {
          for (const Placement& d : ways) {
            EXPECT_TRUE(Same(Redistribute(s, {c, d}), x))
                << DescribePlacement(s) << " to " << ToString(c) << ToString(d);
          }
        }
      }
    }
  });
}

TEST(ShardedTensor, IsComputedWith) {
  RunRanks(4, [](int) {
    const MeshRef mesh = MakeMesh("grid", {{"data", 2}, {"model", 2}});
    const Tensor x = Numbers({4, 6}), w = Numbers({6, 5});
    const Tensor sx = Distribute(x, mesh, {Shard(0), Shard(1)});
    const Tensor sw = Distribute(w, mesh, {Replicate(), Shard(0)});
    const Tensor y = mm(sx, sw);
    EXPECT_EQ(DescribePlacement(y), "[Shard(0), Partial(sum)] on grid(data=2, model=2)");
    EXPECT_TRUE(Same(y, mm(x, w)));
    EXPECT_TRUE(Same(mul(y, 2), mul(mm(x, w), 2)));
    EXPECT_TRUE(Same(relu(y), relu(mm(x, w))));
    EXPECT_TRUE(Same(sum(sx), sum(x)));
    EXPECT_TRUE(Same(mean(sx, 1), mean(x, 1)));
    EXPECT_TRUE(Same(softmax(sx, 1), softmax(x, 1)));
    const auto turned = [](const Tensor& t) { return transpose(view(t, {2, 2, 6}), 0, 2); };
    EXPECT_TRUE(Same(turned(sx), turned(x)));
    EXPECT_EQ(item(sum(sx)).To<double>(), item(sum(sx)).To<double>());
  });
}

TEST(ShardedTensor, IsWrittenInPlaceThroughViewsAndByOut) {
  RunRanks(4, [](int) {
    const MeshRef mesh = Line();
    const Tensor x = Numbers({5, 6}), y = Numbers({6});
    Tensor expected = clone(x);
    const Tensor s = Distribute(x, mesh, {Shard(1)});
    add_(s, y);
    add_(expected, y);
    mul_(select(s, 0, 2), 3);
    mul_(select(expected, 0, 2), 3);
    copy_(transpose(s, 0, 1), Distribute(transpose(expected, 0, 1), mesh, {Shard(1)}));
    EXPECT_TRUE(Same(s, expected));
    EXPECT_EQ(DescribePlacement(s), "[Shard(1)] on line(model=4)");
    call("exp.out", s, kw("out", s));
    EXPECT_TRUE(Same(s, exp(expected)));
    const Tensor usual = zeros({5, 6});
    call("add.out", s, 1, kw("out", usual));
    EXPECT_FALSE(IsSharded(usual));
    EXPECT_TRUE(Same(usual, add(exp(expected), 1)));
    t_(s);
    EXPECT_EQ(DescribePlacement(s), "[Shard(0)] on line(model=4)");
    EXPECT_TRUE(Same(s, t(exp(expected))));
  });
}

TEST(ShardedTensor, MayHaveNoDimensionsOrNoElements) {
  RunRanks(4, [](int) {
    const MeshRef mesh = Line();
    const Tensor number = full({}, 3.0);
    EXPECT_TRUE(Same(add(Distribute(number, mesh, {Partial()}), 1), full({}, 4.0)));
    const Tensor none = zeros({0, 3});
    const Tensor s = Distribute(none, mesh, {Shard(0)});
    EXPECT_TRUE(Same(sum(s, 0), sum(none, 0)));
    EXPECT_TRUE(Same(mean(s, 0), mean(none, 0)));
    const Tensor few = Numbers({2, 3});
    EXPECT_TRUE(Same(amax(Distribute(few, mesh, {Shard(0)}), 0), amax(few, 0)));
    EXPECT_TRUE(Same(mean(Distribute(few, mesh, {Shard(0)})), mean(few)));
    EXPECT_TRUE(Same(squeeze(Distribute(Numbers({4, 1}), mesh, {Shard(0)})), Numbers({4})));
  });
}

TEST(ShardedTensor, OfListsAndOfSizesByValues) {
  RunRanks(4, [](int) {
    const MeshRef mesh = Line();
    const Tensor x = Numbers({5, 6}), y = Numbers({2, 6});
    const Tensor sx = Distribute(x, mesh, {Shard(1)}), sy = Distribute(y, mesh, {Shard(0)});
    EXPECT_TRUE(Same(cat({{sx, sy}}), cat({{x, y}})));
    EXPECT_TRUE(Same(split(sx, 2)[1], split(x, 2)[1]));
    EXPECT_TRUE(equal(FullTensor(nonzero(gt(sx, 0))), nonzero(gt(x, 0))));
    EXPECT_TRUE(Same(masked_select(sx, gt(x, 0)), masked_select(x, gt(x, 0))));
  });
}

TEST(ShardedTensor, DrawsWhatOneProcessDraws) {
  Tensor expected;
  manual_seed(3);
  expected = rand({5, 6});
  manual_seed(3);
  RunRanks(4, [&](int) {
    const MeshRef mesh = Line();
    const Tensor s = Distribute(zeros({5, 6}), mesh, {Shard(0)});
    uniform_(s);
    EXPECT_TRUE(Same(s, expected));
  });
}

TEST(ShardedTensor, DrawsInTheOrderOfTheWholesStrides) {
  const auto turned = [] { return transpose(zeros({3, 4, 2}), 0, 2); };
  const auto with_gaps = [] { return slice(transpose(zeros({4, 6}), 0, 1), 0, 0, 6, 2); };
  for (int k = 0; k < 2; ++k) {
    const auto of = [&] { return k == 0 ? turned() : with_gaps(); };
    manual_seed(3);
    const Tensor expected = call("cauchy", of(), 0., 1.), drawn = uniform_(of());
    for (const Placement& p : {Replicate(), Shard(0), Shard(1)}) {
      manual_seed(3);
      RunRanks(4, [&](int) {
        const Tensor s = Distribute(of(), Line(), {p});
        EXPECT_TRUE(Same(call("cauchy", s, 0., 1.), expected)) << k << ToString(p);
        uniform_(s);
        EXPECT_TRUE(Same(s, drawn)) << k << ToString(p);
      });
    }
  }
}

TEST(ShardedTensor, IsPartedNoFurtherThanEachRankHasSome) {
  RunRanks(4, [](int) {
    const MeshRef mesh = MakeMesh("grid", {{"x", 2}, {"y", 2}});
    const Tensor bias = Numbers({1}), m = Numbers({2, 3}), v = Numbers({3});
    EXPECT_TRUE(Same(addmv(bias, Distribute(m, mesh, {Shard(0), Shard(0)}), v), addmv(bias, m, v)));
    const Tensor x = Numbers({2, 3, 8}), w = Numbers({3, 3, 2});
    EXPECT_TRUE(
        Same(call("conv1d", x, Distribute(w, mesh, {Shard(0), Shard(0)})), call("conv1d", x, w)));
    const Tensor few = Numbers({3, 5});
    EXPECT_TRUE(Same(amax(Distribute(few, mesh, {Shard(0), Shard(0)}), 0), amax(few, 0)));
  });
}

TEST(ShardedTensor, HasAPlaceForEveryElementThatIsWritten) {
  RunRanks(2, [](int) {
    const MeshRef mesh = MakeMesh("pair", {{"model", 2}});
    const Tensor x = Numbers({4, 4}), index = zeros({4, 4}, DType::kInt64);
    const Tensor out = expand(zeros({1, 4}), {4, 4}), so = Distribute(out, mesh, {Shard(0)});
    const Tensor sx = Distribute(x, mesh, {Shard(0)});
    const Tensor some = expand(zeros({1}), {9}), sharded_some = Distribute(some, mesh, {Shard(0)});
    const auto each = [&](const Tensor& of, const Tensor& to, const Tensor& nine) {
      return std::vector<std::string>{
          MessageOf([&] { call("matmul.out", of, x, kw("out", to)); }),
          MessageOf([&] { call("take.out", of, index, kw("out", to)); }),
          MessageOf([&] { call("bernoulli.out", abs(of), kw("out", to)); }),
          MessageOf([&] { call("masked_select.out", of, gt(x, 0), kw("out", nine)); }),
          // It is given other sizes, and places with them.
          MessageOf([&] { call("masked_select.out", of, gt(x, 1), kw("out", nine)); })};
    };
    const std::vector<std::string> usual = each(x, out, some), sharded = each(sx, so, sharded_some);
    for (size_t i = 0; i < usual.size(); ++i) EXPECT_EQ(sharded[i], usual[i]);
    EXPECT_TRUE(Has(sharded[0], "share one place in memory")) << sharded[0];
  });
}

TEST(ShardedTensor, WeightsAreLookedAt) {
  RunRanks(2, [](int) {
    const MeshRef mesh = MakeMesh("pair", {{"model", 2}});
    const Tensor x = Numbers({2, 3}), w = sub(arange(3), 1);
    const std::string negative = MessageOf([&] {
      call("cov", Distribute(x, mesh, {Shard(0)}), kw("fweights", Distribute(w, mesh, {Shard(0)})));
    });
    EXPECT_TRUE(Has(negative, "fweights must not be negative")) << negative;
    EXPECT_TRUE(Same(call("cov", Distribute(x, mesh, {Shard(1)})), call("cov", x)));
  });
}

TEST(ShardedTensor, IsRefusedWithNames) {
  RunRanks(4, [](int rank) {
    const MeshRef mesh = Line(), grid = MakeMesh("grid", {{"x", 2}, {"y", 2}});
    const Tensor s = Distribute(Numbers({4, 6}), mesh, {Shard(0)});
    const Tensor other = Distribute(Numbers({4, 6}), grid, {Shard(0), Shard(1)});
    const std::string meshes = MessageOf([&] { add(s, other); });
    EXPECT_TRUE(Has(meshes, "add.Tensor")) << meshes;
    EXPECT_TRUE(Has(meshes, "grid(x=2, y=2)") && Has(meshes, "line(model=4)")) << meshes;
    const std::string memory = MessageOf([&] { call("as_strided_", s, {2}, {1}); });
    EXPECT_TRUE(Has(memory, "as_strided_") && Has(memory, "[Shard(0)] on line(model=4)")) << memory;
    const Tensor seen = narrow(s, 1, 0, 3);
    for (const char* copies : {"as_strided_copy", "_reshape_alias_copy"}) {
      const std::string strides = MessageOf([&] { call(copies, seen, {2}, {1}); });
      EXPECT_TRUE(Has(strides, copies) && Has(strides, "a view with gaps")) << strides;
    }
    EXPECT_TRUE(Same(call("as_strided_copy", s, {2}, {6}), as_strided(Numbers({4, 6}), {2}, {6})));
    EXPECT_TRUE(Same(call("as_strided_copy", transpose(s, 0, 1), {2}, {6}),
                     as_strided(Numbers({4, 6}), {2}, {6})));
    const std::string sizes = MessageOf([&] { resize_(s, {3}); });
    EXPECT_TRUE(Has(sizes, "resize_") && Has(sizes, "views")) << sizes;
    const Tensor row = select(s, 0, 1);  // of a dimension in parts: moved
    EXPECT_TRUE(Same(row, select(Numbers({4, 6}), 0, 1)));
    const std::string write = MessageOf([&] { mul_(row, 2); });
    EXPECT_TRUE(Has(write, "mul_") && Has(write, "gathered")) << write;
    mul_(s, 2);
    const std::string stale = MessageOf([&] { add(row, 1); });
    EXPECT_TRUE(Has(stale, "written since")) << stale;
    const std::string dims = MessageOf([&] { Distribute(Numbers({4}), mesh, {Shard(1)}); });
    EXPECT_TRUE(Has(dims, "Shard(1)") && Has(dims, "line(model=4)")) << dims;
    EXPECT_TRUE(Has(MessageOf([&] { mm(s, s); }), "mm"));
    const std::string send = MessageOf([&] { call("c10d::send", s, (rank + 1) % 4, 0, "world"); });
    EXPECT_TRUE(Has(send, "held elsewhere")) << send;
  });
}

// What each rank's calls have said, the last failure first; a rank goes on after one.
std::vector<std::string> Failures(int n, const std::function<void(int)>& once,
                                  const std::function<void(int)>& then) {
  std::vector<std::string> said(static_cast<size_t>(n));
  RunRanks(n,
           [&](int rank) {
             const std::string first = MessageOf([&] { once(rank); });
             said[static_cast<size_t>(rank)] = MessageOf([&] { then(rank); }) + "\n" + first;
           },
           {.timeout = std::chrono::seconds(60)});
  return said;
}

TEST(ShardedTensor, ThatFailsOnOneRankAloneFailsOnAllAtTheNextCall) {
  const auto start = std::chrono::steady_clock::now();
  const auto mesh = [] { return MakeMesh("grid", {{"x", 2}, {"y", 2}}); };
  const auto index = [&](int rank) {
    const Tensor s = Distribute(Numbers({4, 6}), mesh(), {Shard(1), Shard(1)});
    call("c10d::barrier",
         "world");  // the groups are there: of a rank that has ended they know less
    index_select(s, 0, full({1}, rank == 1 ? 9 : 1, DType::kInt64));
  };
  const auto whole = [&](int) {
    FullTensor(Distribute(Numbers({4, 6}), mesh(), {Shard(0), Shard(1)}));
  };
  const std::vector<std::string> said = Failures(4, index, whole);
  for (const std::string& s : said) {
    EXPECT_TRUE(Has(s, "rank 1 has failed after call ")) << s;
    EXPECT_TRUE(Has(s, "index_select(): ")) << s;
  }
  EXPECT_TRUE(Has(said[0], "rank 0, group 'grid.")) << said[0];
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(ShardedTensor, ThatOneRankHasNoMemoryForIsAnErrorOnAll) {
  const auto huge = [](int) {
    const MeshRef mesh = MakeMesh("pair", {{"model", 2}});
    const Tensor row = Distribute(ones({1, 1}), mesh, {Shard(0)});  // rank 0 has it
    clone(expand(row, {1, int64_t{1} << 45}), MemoryFormat::kContiguous);
  };
  const auto next = [](int) {
    FullTensor(Distribute(Numbers({4}), MakeMesh("pair", {{"model", 2}}), {Shard(0)}));
  };
  const std::vector<std::string> said = Failures(2, huge, next);
  EXPECT_TRUE(Has(said[0], "memory")) << said[0];
  EXPECT_TRUE(Has(said[1], "rank 1, group 'world', call ")) << said[1];
  EXPECT_TRUE(Has(said[1], "rank 0 has failed after call 0: clone(): ")) << said[1];
}

TEST(ShardedTensor, ThatFailsOnAllRanksAlikeFailsOnce) {
  const auto all = [](int) {
    const Tensor s = Distribute(Numbers({4, 6}), MakeMesh("pair", {{"model", 2}}), {Shard(0)});
    for (int i = 0; i < 3; ++i) EXPECT_THROW(mm(s, s), Error);
    index_select(s, 1, full({1}, 9, DType::kInt64));
  };
  const auto next = [](int rank) {
    const Tensor s = Distribute(Numbers({4}), MakeMesh("pair", {{"model", 2}}), {Shard(0)});
    EXPECT_TRUE(Same(s, Numbers({4})));
    // Parts that only one of them refuses.
    FromLocal(ones({rank + 1}), MeshOf(s), {Shard(0)}, {2});
  };
  for (const std::string& s : Failures(2, all, next)) EXPECT_TRUE(Has(s, "index_select")) << s;
}

TEST(ShardedTensor, TakesOtherSizesWhereItHasNoViews) {
  RunRanks(4, [](int) {
    const Tensor s = Distribute(Numbers({4, 6}), Line(), {Shard(0)});
    resize_(s, {3, 2});
    EXPECT_EQ(DescribePlacement(s), "[Shard(0)] on line(model=4)");
    EXPECT_TRUE(Same(s, Numbers({3, 2})));
  });
}

TEST(ShardedTensor, TellsHowItLiesAndWhatIsGathered) {
  RunRanks(2, [](int rank) {
    const MeshRef mesh = MakeMesh("pair", {{"model", 2}});
    const Tensor s = Distribute(Numbers({4, 6}), mesh, {Shard(0)});
    EXPECT_EQ(ToString(s), "tensor(..., size=(4, 6), placements=[Shard(0)] on pair(model=2))");
    EXPECT_EQ(ExplainSharding("mm", {s, Numbers({6, 2})}),
              "mm on mesh pair(model=2)\n  self float32[4, 6] on cpu [Shard(0)]\n"
              "  mat2 float32[6, 2] on cpu usual\n  result [Shard(0)]\n");
    const std::string sort = ExplainSharding("sort", {s, 0, false});
    EXPECT_TRUE(Has(sort, "[Shard(0)] -> [Replicate]") && Has(sort, "gathers 96 bytes")) << sort;
    if (rank == 0) ResetGatheredCalls();
    call("c10d::barrier", "world");
    sy::sort(s, 0);
    call("c10d::barrier", "world");
    const std::vector<Gathered> all = GatheredCalls();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].op, "sort");
    EXPECT_EQ(all[0].calls, 2);
    EXPECT_EQ(all[0].bytes, 192);
  });
}

TEST(ShardedTensor, HasGradients) {
  RunRanks(4, [](int) {
    const MeshRef mesh = MakeMesh("grid", {{"data", 2}, {"model", 2}});
    const auto loss = [](const Tensor& x, const Tensor& w, const Tensor& b) {
      return sum(mul(tanh(addmm(b, x, w)), Numbers({5})));
    };
    const Tensor x = requires_grad_(Numbers({4, 6})), w = requires_grad_(Numbers({6, 5})),
                 b = requires_grad_(Numbers({5}));
    backward(loss(x, w, b));
    const std::vector<std::pair<Placements, Placements>> ways = {
        {{Shard(0), Replicate()}, {Replicate(), Shard(1)}},
        {{Shard(0), Shard(1)}, {Replicate(), Shard(0)}},
        {{Replicate(), Replicate()}, {Shard(0), Shard(1)}}};
    for (const auto& [of_x, of_w] : ways) {
      const Tensor sx = requires_grad_(Distribute(detach(x), mesh, of_x));
      const Tensor sw = requires_grad_(Distribute(detach(w), mesh, of_w));
      const Tensor ub = requires_grad_(clone(detach(b)));
      const Tensor l = loss(sx, sw, ub);
      EXPECT_TRUE(Same(detach(l), detach(loss(x, w, b))));
      backward(l);
      EXPECT_TRUE(Same(grad_of(sx), grad_of(x)));
      EXPECT_TRUE(Same(grad_of(sw), grad_of(w)));
      EXPECT_TRUE(Same(grad_of(ub), grad_of(b)));
    }
    const Tensor leaf = requires_grad_(clone(detach(x)));
    backward(sum(FullTensor(mul(Distribute(leaf, mesh, {Shard(0), Shard(1)}), 3))));
    EXPECT_TRUE(Same(grad_of(leaf), full({4, 6}, 3.0)));
  });
}

}  // namespace
}  // namespace sy::sharded
