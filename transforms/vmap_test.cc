// vmap: dimensions, nesting, writes, random numbers, errors.
#include "switchyard/transforms/vmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"
#include "switchyard/transforms/batching.h"
#include "switchyard/transforms/func.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

constexpr auto kSameForAll = std::nullopt;

bool Same(const Tensor& a, const Tensor& b) { return a.dtype() == b.dtype() && equal(a, b); }

TEST(Vmap, CallsWithExamplesAndStacksResults) {
  const Tensor x = randn({4, 3}), y = randn({4, 3});
  const auto f = [&](const Tensor& a, const Tensor& b) {
    EXPECT_EQ(a.dim(), 1);
    EXPECT_EQ(a.size(0), 3);
    EXPECT_TRUE(is_batched(a));
    return dot(a, b);
  };
  const Tensor d = vmap(f)(x, y);
  EXPECT_FALSE(is_batched(d));
  EXPECT_TRUE(allclose(d, sum(mul(x, y), 1)));
}

TEST(Vmap, ResultsMayHaveNoBatch) {
  const auto f = vmap(
      [](TensorList x) {
        return std::vector<Tensor>{mul(x[0], 2), ones({3})};
      },
      {0}, {0, kSameForAll}, {.chunk_size = 2});
  const std::vector<Tensor> made = f(std::vector<Tensor>{ones({5, 2})});
  EXPECT_EQ(made[0].size(0), 5);
  EXPECT_TRUE(Same(made[1], ones({3})));
  EXPECT_THAT(MessageOf([] {
                vmap([](const Tensor& x) { return sin(x); }, {0}, {kSameForAll})(ones({2}));
              }),
              HasSubstr("result 0 differs between examples"));
}

TEST(Vmap, TakesDimensionsOfArgumentsAndResults) {
  const Tensor x = randn({3, 4}), y = randn({3});
  const auto f = [](const Tensor& a, const Tensor& b) { return mul(a, b); };
  const Tensor z = vmap(f, {1, kSameForAll}, {1})(x, y);
  EXPECT_TRUE(allclose(z, mul(x, unsqueeze(y, 1))));
  EXPECT_TRUE(allclose(vmap(f, {-1, kSameForAll}, {-1})(x, y), z));
  EXPECT_THAT(MessageOf([&] { vmap(f, {2, kSameForAll})(x, y); }), HasSubstr("in_dims[0] is 2"));
  EXPECT_THAT(MessageOf([&] {
                vmap(f, {0, 0})(x, randn({2}));
              }),
              HasSubstr("expected all batches to have one size"));
  EXPECT_THAT(MessageOf([&] {
                vmap(f, {kSameForAll, kSameForAll})(x, y);
              }),
              HasSubstr("at least one argument"));
  EXPECT_THAT(MessageOf([&] { vmap(f, {0, 0, 0})(x, y); }), HasSubstr("in_dims has 3 dimensions"));
  EXPECT_THAT(MessageOf([&] { vmap(f, {0, 0}, {2})(x, y); }), HasSubstr("out_dims[0] is 2"));
}

TEST(Vmap, RepeatsResultsThatDoNotDependOnTheBatch) {
  const Tensor x = randn({4, 3}), c = randn({2});
  const auto f = [&](const Tensor& a) { return std::vector<Tensor>{add(a, 1), c}; };
  const std::vector<Tensor> r = vmap(f, {0}, {0, 1})(x);
  EXPECT_TRUE(Same(r[0], add(x, 1)));
  EXPECT_TRUE(Same(r[1], expand(unsqueeze(c, 1), {2, 4})));
}

TEST(Vmap, Nests) {
  const Tensor x = randn({4, 5}), y = randn({3, 5});
  const auto outer =
      vmap([&](const Tensor& a) { return vmap([&](const Tensor& b) { return dot(a, b); })(y); });
  EXPECT_TRUE(allclose(outer(x), mm(x, t(y))));
  const auto both = vmap(vmap([](const Tensor& a, const Tensor& b) { return mul(a, b); }));
  EXPECT_TRUE(Same(both(x, x), mul(x, x)));
}

TEST(Vmap, WorksInChunks) {
  const Tensor x = randn({7, 3});
  int64_t most = 0;
  const auto f = [&](const Tensor& a) {
    most = std::max<int64_t>(most, a.size(0));
    return mul(a, 2);
  };
  EXPECT_TRUE(Same(vmap(f, {0}, {1}, {.chunk_size = 3})(x), t(mul(x, 2))));
  EXPECT_THAT(MessageOf([&] { vmap(f, {0}, {0}, {.chunk_size = 0})(x); }),
              HasSubstr("chunk_size above 0"));
}

TEST(Vmap, KeepsTheWeightOfNumbersAmongDTypes) {
  const Tensor number = tensor({1., 2.}), ints = tensor({1, 2, 3});
  const Tensor wide = to(number, DType::kFloat64);
  const auto f = [](const Tensor& a, const Tensor& b) { return add(a, b); };
  const Tensor floats = randn({3});
  EXPECT_EQ(vmap(f, {0, kSameForAll})(wide, floats).dtype(), DType::kFloat32);
  EXPECT_EQ(vmap(f, {0, kSameForAll})(number, ints).dtype(), DType::kFloat32);
  EXPECT_EQ(vmap(f, {0, kSameForAll})(number, to(tensor(1.), DType::kFloat64)).dtype(),
            DType::kFloat64);
}

TEST(Vmap, WritesTensorsWithABatch) {
  const Tensor x = randn({4, 3}), kept = clone(x);
  const auto f = [](const Tensor& a) {
    const Tensor sum = zeros_like(a);
    add_(sum, a);
    mul_(sum, 2);
    copy_(select(sum, 0, 1), select(a, 0, 0));
    return sum;
  };
  const Tensor expected = mul(x, 2);
  copy_(select(expected, 1, 1), select(x, 1, 0));
  EXPECT_TRUE(Same(vmap(f)(x), expected));
  EXPECT_TRUE(Same(x, kept));
  // The argument itself.
  vmap([](const Tensor& a) { return add_(a, 1); })(x);
  EXPECT_TRUE(Same(x, add(kept, 1)));
  // Its geometry.
  const Tensor y = randn({4, 2, 3});
  const Tensor turned = vmap([](const Tensor& a) {
    const Tensor v = alias(a);
    transpose_(v, 0, 1);
    EXPECT_EQ(v.size(0), 3);
    return v;
  })(y);
  EXPECT_TRUE(Same(turned, transpose(y, 1, 2)));
}

TEST(Vmap, RefusesWhatWouldMeanSomethingElseInEachExample) {
  const Tensor x = randn({4, 3}), one = zeros({3});
  const auto in = [&](const auto& f) {
    return [&x, f] { vmap([&](const Tensor& a) { return f(a); })(x); };
  };
  EXPECT_THAT(MessageOf(in([&](const Tensor& a) { return add_(one, a); })),
              HasSubstr("self is written"));
  EXPECT_TRUE(Same(one, zeros({3})));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return mul(a, sum(a).item<double>()); })),
              HasSubstr("reads a value out of a tensor"));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return nonzero(a); })),
              HasSubstr("depend on values"));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return masked_select(a, gt(a, 0)); })),
              HasSubstr("depend on values"));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return index(a, {gt(a, 0)}); })),
              HasSubstr("use where"));
  EXPECT_THAT(MessageOf(in([&](const Tensor& a) { return call("add.out", a, a, kw("out", one)); })),
              HasSubstr("out= cannot have a batch"));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return resize_(a, {2}); })),
              HasSubstr("other memory or sizes"));
  EXPECT_THAT(MessageOf(in([](const Tensor& a) { return sum(a, 1); })), HasSubstr("dimension"));
}

// By its full name: all take input, weight, bias, statistics, training, momentum, eps.
Tensor Normed(const char* op, const Tensor& x, const Tensor& w, const Tensor& mean,
              const Tensor& var, bool training) {
  const std::string_view name = op;
  if (name == "batch_norm") return batch_norm(x, w, {}, mean, var, training, 0.5, 1e-5, false);
  if (name == "instance_norm")
    return instance_norm(x, w, {}, mean, var, training, 0.5, 1e-5, false);
  if (name == "native_batch_norm")
    return std::get<0>(native_batch_norm(x, w, {}, mean, var, training, 0.5, 1e-5));
  return std::get<0>(_native_batch_norm_legit(x, w, {}, mean, var, training, 0.5, 1e-5));
}
constexpr const char* kNorms[] = {"batch_norm", "instance_norm", "native_batch_norm",
                                  "_native_batch_norm_legit"};

TEST(Vmap, RefusesToTrainStatisticsThatExamplesShare) {
  const Tensor x = randn({3, 4, 2, 5}), w = ones({2});
  for (const char* op : kNorms) {
    const Tensor mean = zeros({2}), var = ones({2});
    const auto train = [&](const Tensor& a) { return Normed(op, a, w, mean, var, true); };
    const std::string text = std::string(op) + "(): vmap: input has a batch, and running_mean";
    EXPECT_THAT(MessageOf([&] { vmap(train)(x); }), HasSubstr(text));
    EXPECT_THAT(MessageOf([&] { vmap(vmap(train))(unsqueeze(x, 0)); }), HasSubstr(text));
    const auto own = [&](const Tensor& a, const Tensor& m) {
      return Normed(op, a, w, m, var, true);
    };
    EXPECT_THAT(MessageOf([&] { vmap(own)(x, zeros({3, 2})); }), HasSubstr("running_var, which "));
    const auto loss = [&](const Tensor& a) { return sum(train(a)); };
    EXPECT_THAT(MessageOf([&] { vmap(func::grad(loss))(x); }), HasSubstr(text));
    EXPECT_TRUE(Same(mean, zeros({2}))) << op;
    EXPECT_TRUE(Same(var, ones({2}))) << op;
  }
}

TEST(Vmap, NormsByStatisticsThatExamplesShareOrOwn) {
  const Tensor x = randn({3, 4, 2, 5}), w = randn({3, 2});
  ResetVmapFallbacks();
  for (const char* op : kNorms) {
    const Tensor mean = randn({2}), var = add(rand({2}), 1);
    const Tensor kept = clone(mean);
    const auto shared = [&](const Tensor& a) { return Normed(op, a, w[0], mean, var, false); };
    const Tensor y = vmap(shared)(x);
    const auto own = [&](const Tensor& a, const Tensor& m, const Tensor& v) {
      return Normed(op, a, w[0], m, v, true);
    };
    const Tensor means = randn({3, 2}), vars = add(rand({3, 2}), 1);
    const Tensor loop_means = clone(means), loop_vars = clone(vars);
    const Tensor z = vmap(own)(x, means, vars);
    for (int64_t b = 0; b < 3; ++b) {
      EXPECT_TRUE(allclose(y[b], shared(x[b]), 1e-4, 1e-5)) << op;
      EXPECT_TRUE(allclose(z[b], own(x[b], loop_means[b], loop_vars[b]), 1e-4, 1e-5)) << op;
    }
    EXPECT_TRUE(allclose(means, loop_means, 1e-4, 1e-5)) << op;
    EXPECT_TRUE(allclose(vars, loop_vars, 1e-4, 1e-5)) << op;
    EXPECT_TRUE(Same(mean, kept)) << op;
    // Of weights alone there is one step of the statistics, that of the input.
    const Tensor m = clone(mean), v = clone(var);
    const auto weighted = [&](const Tensor& a) { return Normed(op, x[0], a, m, v, true); };
    const Tensor u = vmap(weighted)(w);
    for (int64_t b = 0; b < 3; ++b) {
      const Tensor mb = clone(mean), vb = clone(var);
      EXPECT_TRUE(allclose(u[b], Normed(op, x[0], w[b], mb, vb, true), 1e-4, 1e-5)) << op;
      EXPECT_TRUE(allclose(m, mb, 1e-4, 1e-5)) << op;
      EXPECT_TRUE(allclose(v, vb, 1e-4, 1e-5)) << op;
    }
  }
  EXPECT_TRUE(VmapFallbacks().empty()) << VmapFallbacks().begin()->first;
}

TEST(Vmap, RefusesTensorsThatHaveLeft) {
  Tensor kept;
  vmap([&](const Tensor& a) { return kept = mul(a, 2); })(randn({4, 3}));
  EXPECT_TRUE(is_batched(kept));
  EXPECT_THAT(MessageOf([&] { add(kept, 1); }), HasSubstr("after that has ended"));
}

TEST(Vmap, DrawsAsItWasTold) {
  const Tensor x = randn({4, 3});
  const auto f = [](const Tensor& a) {
    return std::vector<Tensor>{add(a, randn({3})), rand_like(a), dropout(ones_like(a), 0.5, true),
                               randperm(8), to(bernoulli(full_like(a, 0.5)), DType::kFloat32)};
  };
  EXPECT_THAT(MessageOf([&] { vmap(f)(x); }), HasSubstr("draws random numbers"));
  manual_seed(0);
  std::vector<Tensor> r = vmap(f, {0}, {0}, {.randomness = VmapRandomness::kDifferent})(x);
  EXPECT_FALSE(allclose(sub(r[0][0], x[0]), sub(r[0][1], x[1])));
  EXPECT_FALSE(Same(r[1][0], r[1][1]));
  EXPECT_FALSE(Same(r[3][0], r[3][1]));
  r = vmap(f, {0}, {0}, {.randomness = VmapRandomness::kSame})(x);
  EXPECT_TRUE(allclose(sub(r[0][0], x[0]), sub(r[0][1], x[1]), 1e-4, 1e-5));
  for (size_t k = 1; k < r.size(); ++k) {
    EXPECT_TRUE(Same(r[k][0], r[k][3])) << k;
    EXPECT_EQ(r[k].size(0), 4);
  }
  const Tensor one = zeros({3});
  EXPECT_THAT(MessageOf([&] {
                vmap([&](const Tensor& a) { return add(a, uniform_(one)); }, {0}, {0},
                     {.randomness = VmapRandomness::kDifferent})(x);
              }),
              HasSubstr("different random numbers"));
}

TEST(Vmap, CountsCallsForEachExample) {
  ResetVmapFallbacks();
  const Tensor x = rand({4, 6});
  const Tensor h = vmap([](const Tensor& a) { return histc(a, 3, 0, 1); })(x);
  EXPECT_TRUE(Same(h[2], histc(x[2], 3, 0, 1)));
  EXPECT_EQ(VmapFallbacks().at("histc"), 1);
  vmap([](const Tensor& a) { return add(a, 1); })(x);
  EXPECT_EQ(VmapFallbacks().size(), 1U);
  EXPECT_THAT(MessageOf([] {
                vmap([](const Tensor& a) { return histc(a, 3, 0, 1); })(rand({0, 6}));
              }),
              HasSubstr("no batching rule"));
}

// A result whose size is that of a value which is the same for all, or happens to be.
TEST(Vmap, SizesByValuesThatExamplesShare) {
  const Tensor x = tensor({{1., 2., 3.}, {4., 5., 6.}}), mask = tensor({true, false, true});
  EXPECT_TRUE(Same(vmap([&](const Tensor& a) { return masked_select(a, mask); })(x),
                   tensor({{1., 3.}, {4., 6.}})));
  const Tensor column = tensor({{true}, {false}});
  EXPECT_TRUE(Same(vmap([&](const Tensor& a) { return masked_select(a, column); })(x), x));
  const Tensor n = tensor({{0, 1, 1}, {2, 2, 2}}), more = tensor({{0, 1, 1}, {2, 2, 3}});
  const auto counts = vmap([](const Tensor& a) { return bincount(a, Tensor(), 3); });
  EXPECT_TRUE(Same(counts(n), tensor({{1, 2, 0}, {0, 0, 3}})));
  EXPECT_THAT(MessageOf([&] { counts(more); }), HasSubstr("differ between examples: [3] and [4]"));
  const auto repeat =
      vmap([](const Tensor& a, const Tensor& k) { return repeat_interleave(a, k); }, {0, 0});
  EXPECT_TRUE(
      Same(repeat(x, tensor({{0, 1, 2}, {1, 1, 1}})), tensor({{2., 3., 3.}, {4., 5., 6.}})));
}

// Numbers that a composite reads are those of each example.
TEST(Vmap, LossesOfSequencesOfTheirOwnLengths) {
  requires_grad_(ones({1}));  // from now on views are followed, needed or not
  const Tensor x = log_softmax(randn({2, 5, 4}), -1), target = tensor({{1, 2}, {3, 1}});
  const Tensor lengths = tensor({5, 3}), of_target = tensor({2, 1});
  const auto loss = [](const Tensor& p, const Tensor& t, const Tensor& n, const Tensor& k) {
    return ctc_loss(unsqueeze(p, 1), unsqueeze(t, 0), unsqueeze(n, 0), unsqueeze(k, 0));
  };
  const Tensor got = vmap(loss, {0, 0, 0, 0})(x, target, lengths, of_target);
  for (int64_t b = 0; b < 2; ++b)
    EXPECT_TRUE(allclose(got[b], loss(x[b], target[b], lengths[b], of_target[b])));
}

TEST(Vmap, FindsTheMatrixThatFailed) {
  const Tensor info = tensor({{0, 0}, {0, 2}}, DType::kInt32);
  const auto check = [](const Tensor& a) {
    _linalg_check_errors(a, "linalg.inv", false);
    return a;
  };
  EXPECT_THAT(MessageOf([&] { vmap(check)(info); }), HasSubstr("matrix 3 is singular"));
}

TEST(Vmap, OfNoExamples) {
  const Tensor x = randn({0, 3});
  const Tensor y = vmap([](const Tensor& a) { return sum(mul(view(a, {3, 1}), 2)); })(x);
  EXPECT_EQ(y.dim(), 1);
  EXPECT_EQ(y.size(0), 0);
}

TEST(Vmap, RecordsWhatIsOutside) {
  const Tensor w = requires_grad_(randn({3})), x = randn({4, 3});
  const Tensor y = vmap([&](const Tensor& a) { return sum(mul(a, w)); })(x);
  EXPECT_TRUE(requires_grad(y));
  backward(sum(y));
  EXPECT_TRUE(allclose(grad_of(w), sum(x, 0)));
  {
    const NoGrad off;
    EXPECT_FALSE(requires_grad(vmap([&](const Tensor& a) { return mul(a, w); })(x)));
  }
  const Tensor part = vmap([&](const Tensor& a) {
    const NoGrad off;
    return mul(a, w);
  })(x);
  EXPECT_FALSE(requires_grad(part));
}

TEST(Vmap, LeavesNoNodes) {
  {
    const Tensor x = requires_grad_(randn({4, 3}));
    const Tensor y = vmap([](const Tensor& a) { return sum(sin(a)); })(x);
    backward(sum(y));
    EXPECT_TRUE(allclose(grad_of(x), cos(x)));
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Batching, RegistrationsAreRight) { EXPECT_EQ(BatchingProblems(), std::vector<std::string>()); }

// An operator of a program's own, with a rule of its own.
Tensor Twice(const Tensor& x) { return mul(x, 2); }
TEST(Batching, TakesRulesOfOthers) {
  const Tensor x = rand({4, 6});
  ResetVmapFallbacks();
  {
    const Batching rule{"histc", +[](BatchCall& c) { c.Set(0, mul(c.value(0), 3)); }};
    EXPECT_TRUE(Same(vmap([](const Tensor& a) { return histc(a); })(x), mul(x, 3)));
  }
  {
    const Batching rule{"histc", Decomposed(Twice)};  // of other types
    EXPECT_EQ(BatchingProblems().size(), 1U);
    EXPECT_EQ(vmap([](const Tensor& a) { return histc(a, 3); })(x).size(1), 3);
  }
  EXPECT_EQ(VmapFallbacks().at("histc"), 1);
}

}  // namespace
}  // namespace sy
