// Steps of optimisers against the same steps, written with operators.

#include <gtest/gtest.h>

#include <cmath>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

constexpr double kLr = 0.1, kEps = 1e-8;

// Of lengths that fill vectors and that do not, one, none, and one that several threads share.
List Random(DType d, int seed, bool positive = false) {
  manual_seed(seed);
  List list;
  for (const auto& sizes :
       std::vector<std::vector<int64_t>>{{64}, {3, 7}, {}, {0, 4}, {1}, {40000}, {2, 3, 5}}) {
    const Tensor t = randn(sizes, DType::kFloat64);
    list.push_back(to(positive ? abs(t) : t, d));
  }
  return list;
}
List Clones(const List& list) {
  List copies;
  for (const Tensor& t : list) copies.push_back(clone(t));
  return copies;
}
List Steps(size_t n, double step) { return List(n, full(Ints({}), step, DType::kFloat32)); }
void ExpectNear(const List& got, const List& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].numel() == 0) continue;
    EXPECT_EQ(got[i].dtype(), expected[i].dtype());
    const Tensor a = to(got[i], DType::kFloat64), b = to(expected[i], DType::kFloat64);
    const Tensor off = div(abs(sub(a, b)), add(abs(b), 1));
    EXPECT_LE(item(max(off)).To<double>(), tolerance) << "tensor " << i;
  }
}

// A combination of options for each bit.
struct Options {
  explicit Options(int bits)
      : decay((bits & 1) != 0 ? 0.1 : 0),
        maximize((bits & 2) != 0),
        scaled((bits & 4) != 0),
        first((bits & 8) != 0),
        second((bits & 16) != 0) {}
  double decay;
  bool maximize, scaled, first, second;
  Tensor scale() const { return scaled ? full(Ints({}), 2., DType::kFloat32) : Tensor(); }
  // The gradient of p, as the step goes along it, and as it is left.
  Tensor Gradient(Tensor& g, const Tensor& p, bool decays) const {
    if (scaled) g = div(g, 2.);
    const Tensor along = maximize ? neg(g) : g;
    return decays && decay != 0 ? add(along, p, decay) : along;
  }
};

TEST(FusedTest, SgdIsAsOperatorsHaveIt) {
  const List p = Random(DType::kFloat32, 1), g = Random(DType::kFloat32, 2),
             b = Random(DType::kFloat32, 3);
  for (int bits = 0; bits < 64; ++bits) {
    SCOPED_TRACE(bits);
    const Options o(bits);
    const double momentum = (bits & 32) != 0 ? 0.9 : 0, dampening = 0.25;
    const bool nesterov = o.first, is_first = o.second;
    List ep, eg, eb;
    for (size_t i = 0; i < p.size(); ++i) {
      Tensor grad = g[i];
      Tensor d = o.Gradient(grad, p[i], true);
      if (momentum != 0) {
        eb.push_back(is_first ? d : add(mul(b[i], momentum), d, 1 - dampening));
        d = nesterov ? add(d, eb.back(), momentum) : eb.back();
      }
      ep.push_back(sub(p[i], d, kLr));
      eg.push_back(grad);
    }
    const List kept = momentum != 0 ? b : List{};
    const auto [np, ng, nb] = _fused_sgd(p, g, kept, o.decay, momentum, kLr, dampening, nesterov,
                                         o.maximize, is_first, o.scale());
    ExpectNear(np, ep, 1e-6);
    ExpectNear(ng, eg, 0);
    ExpectNear(nb, eb, 1e-6);
    const auto [tp, tg, tb] =
        _fused_sgd(p, g, kept, o.decay, momentum, full(Ints({}), kLr, DType::kFloat64), dampening,
                   nesterov, o.maximize, is_first, o.scale());
    for (size_t i = 0; i < tp.size(); ++i) EXPECT_TRUE(SameBytes(tp[i], np[i]));
  }
}

struct AdamLists {
  explicit AdamLists(DType d)
      : p(Random(d, 1)),
        g(Random(d, 2)),
        m(Random(d, 3)),
        v(Random(d, 4, true)),
        x(Random(d, 5, true)),
        steps(Steps(p.size(), 3)) {}
  List p, g, m, v, x, steps;
};

// Of AdamW, or of Adam.
void CheckAdam(DType d, const Options& o, bool decoupled, double beta1, double tolerance) {
  constexpr double kBeta2 = 0.99;
  const AdamLists l(d);
  const bool amsgrad = o.first;
  List ep, eg, em, ev, ex;
  for (size_t i = 0; i < l.p.size(); ++i) {
    const auto wide = [](const Tensor& t) { return to(t, DType::kFloat64); };
    Tensor p = wide(l.p[i]), g = wide(l.g[i]);
    const Tensor a = o.Gradient(g, p, !decoupled);
    if (decoupled) p = mul(p, 1 - kLr * o.decay);
    const Tensor m = add(mul(wide(l.m[i]), beta1), a, 1 - beta1);
    const Tensor v = add(mul(wide(l.v[i]), kBeta2), mul(a, a), 1 - kBeta2);
    const Tensor x = amsgrad ? maximum(wide(l.x[i]), v) : v;
    const Tensor root = add(div(sqrt(x), std::sqrt(1 - std::pow(kBeta2, 3))), kEps);
    p = sub(p, div(m, root), kLr / (1 - std::pow(beta1, 3)));
    ep.push_back(to(p, d));
    eg.push_back(to(g, d));
    em.push_back(to(m, d));
    ev.push_back(to(v, d));
    if (amsgrad) ex.push_back(to(x, d));
  }
  const auto step = [&](const auto&... a) {
    return decoupled ? _fused_adamw(a...) : _fused_adam(a...);
  };
  const List largest = amsgrad ? l.x : List{};
  const auto [p, g, m, v, x] = step(l.p, l.g, l.m, l.v, largest, l.steps, kLr, beta1, kBeta2,
                                    o.decay, kEps, amsgrad, o.maximize, o.scale());
  ExpectNear(p, ep, tolerance);
  ExpectNear(g, eg, tolerance);
  ExpectNear(m, em, tolerance);
  ExpectNear(v, ev, tolerance);
  ExpectNear(x, ex, tolerance);
}

TEST(FusedTest, AdamIsAsOperatorsHaveIt) {
  const ThreadsScope threads(3);
  for (int bits = 0; bits < 16; ++bits) {
    SCOPED_TRACE(bits);
    for (bool decoupled : {false, true}) {
      CheckAdam(DType::kFloat32, Options(bits), decoupled, 0.9, 2e-6);
      CheckAdam(DType::kFloat64, Options(bits), decoupled, 0.25, 1e-13);
      CheckAdam(DType::kFloat16, Options(bits), decoupled, 0.9, 2e-3);
      CheckAdam(DType::kBFloat16, Options(bits), decoupled, 0.9, 2e-2);
    }
  }
}

TEST(FusedTest, AdagradIsAsOperatorsHaveIt) {
  const List p = Random(DType::kFloat32, 1), g = Random(DType::kFloat32, 2),
             s = Random(DType::kFloat32, 3, true), steps = Steps(p.size(), 4);
  for (int bits = 0; bits < 8; ++bits) {
    SCOPED_TRACE(bits);
    const Options o(bits);
    List ep, eg, es;
    for (size_t i = 0; i < p.size(); ++i) {
      Tensor grad = g[i];
      const Tensor d = o.Gradient(grad, p[i], true);
      es.push_back(add(s[i], mul(d, d)));
      ep.push_back(sub(p[i], div(d, add(sqrt(es.back()), kEps)), kLr / (1 + 3 * 0.01)));
      eg.push_back(grad);
    }
    const auto [np, ng, ns, nt] =
        _fused_adagrad(p, g, s, steps, kLr, 0.01, o.decay, kEps, o.maximize, o.scale());
    ExpectNear(np, ep, 1e-6);
    ExpectNear(ng, eg, 0);
    ExpectNear(ns, es, 1e-6);
    ExpectNear(nt, steps, 0);
  }
}

TEST(FusedTest, NothingIsWrittenWhereInfinityWasFound) {
  const AdamLists l(DType::kFloat32);
  const Tensor one = ones(Ints({})), two = full(Ints({}), 2., DType::kFloat32);
  const List p = Clones(l.p), g = Clones(l.g), m = Clones(l.m), v = Clones(l.v);
  _fused_adam_(p, g, m, v, {}, l.steps, kLr, 0.9, 0.99, 0.1, kEps, false, false, two, one);
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_TRUE(SameBytes(p[i], l.p[i]) && SameBytes(g[i], l.g[i]) && SameBytes(m[i], l.m[i]) &&
                SameBytes(v[i], l.v[i]));
  }
}

TEST(FusedTest, TensorsMayLieInAnyWay) {
  const Tensor p = transpose(randn({5, 6}), 0, 1), g = randn({6, 5}),
               b = slice(randn({6, 10}), 1, 0, 10, 2);
  const auto [dp, dg, db] =
      _fused_sgd({contiguous(p)}, {g}, {contiguous(b)}, 0.1, 0.9, kLr, 0., false, false, false);
  _fused_sgd_({p}, {g}, {b}, 0.1, 0.9, kLr, 0., false, false, false);
  EXPECT_TRUE(SameBytes(p, dp[0]));
  EXPECT_TRUE(SameBytes(b, db[0]));
}

TEST(FusedTest, RefusesListsThatDoNotFit) {
  const Tensor t = ones({3}), other = ones({2}), wide = ones({3}, DType::kFloat64);
  const auto sgd = [](const List& p, const List& g, const List& b, double momentum) {
    return CodeOf([&] { _fused_sgd_(p, g, b, 0., momentum, kLr, 0., false, false, false); });
  };
  EXPECT_EQ(sgd({}, {}, {}, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({t}, {t, t}, {}, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({t}, {clone(t)}, {clone(t)}, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({t}, {clone(t)}, {}, 0.9), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({t}, {other}, {}, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({t}, {wide}, {}, 0), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sgd({expand(ones({1}), {3})}, {t}, {}, 0), ErrorCode::kInvalidArgument);
  const Tensor i = ones({3}, DType::kInt64);
  EXPECT_EQ(sgd({i}, {i}, {}, 0), ErrorCode::kNotImplemented);
}

}  // namespace
}  // namespace sy
