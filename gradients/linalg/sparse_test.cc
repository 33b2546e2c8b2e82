// Gradients of sparse tensors: of the strided factor of a product, and of what a sparse tensor is
// made of, for which only the elements that it holds count.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Dense() { return tensor({{0., 0., 3.}, {4., 0., 5.}}, DType::kFloat64); }
Tensor Factor() { return tensor({{0.5, 1.5}, {-0.7, 2.}, {0.3, 0.9}}, DType::kFloat64); }

TEST(SparseProducts, HaveTheGradientOfTheirStridedFactor) {
  for (const Tensor& s : {to_sparse(Dense()), to_sparse_csr(Dense()), to_sparse_csc(Dense())}) {
    EXPECT_NO_THROW(GradCheck(
        [&](TensorList x) { return std::vector<Tensor>{square(mm(s, x[0]))}; }, {Factor()}));
    EXPECT_NO_THROW(
        GradCheck([&](TensorList x) { return std::vector<Tensor>{square(mv(s, x[0]))}; },
                  {select(Factor(), 1, 0)}));
    EXPECT_NO_THROW(GradCheck(
        [&](TensorList x) { return std::vector<Tensor>{square(addmm(x[0], s, x[1], 2, 3))}; },
        {ones({2, 2}, DType::kFloat64), Factor()}));
  }
  EXPECT_EQ(LiveNodes(), 0);
}

// What a sparse tensor is made of, its positions fixed.
Tensor Indices() { return tensor({{0, 1, 1}, {2, 0, 2}}); }
Tensor Values() { return tensor({3., 4., 5.}, DType::kFloat64); }
Tensor CooOf(const Tensor& values) { return sparse_coo_tensor(Indices(), values, {2, 3}); }
using F = Tensor (*)(const Tensor& sparse);
void ExpectGradients(F f) {
  EXPECT_NO_THROW(GradCheck(
      [&](TensorList x) { return std::vector<Tensor>{square(f(CooOf(x[0])))}; }, {Values()}));
}

TEST(SparseTensors, HaveTheHistoryOfTheirValues) {
  ExpectGradients([](const Tensor& s) { return to_dense(s); });
  ExpectGradients([](const Tensor& s) { return values(coalesce(s)); });
  ExpectGradients([](const Tensor& s) { return to_dense(mul(sin(s), 2)); });
  ExpectGradients([](const Tensor& s) { return to_dense(add(s, s)); });
  ExpectGradients([](const Tensor& s) { return to_dense(mul(s, s)); });
  ExpectGradients([](const Tensor& s) { return sum(s); });
  ExpectGradients(
      [](const Tensor& s) { return to_dense(_sparse_sum(s, std::vector<int64_t>{0})); });
  ExpectGradients([](const Tensor& s) { return to_dense(transpose(s, 0, 1)); });
  ExpectGradients([](const Tensor& s) { return mm(s, Factor()); });
  ExpectGradients([](const Tensor& s) { return mv(to_sparse_csr(s), select(Factor(), 1, 0)); });
  ExpectGradients([](const Tensor& s) { return _sparse_mm(s, Factor()); });
  ExpectGradients([](const Tensor& s) {
    return addmm(ones({2, 2}, s.dtype()), s, Factor(), 2, 3);
  });
  ExpectGradients([](const Tensor& s) { return to_dense(mm(s, transpose(s, 0, 1))); });
  ExpectGradients([](const Tensor& s) { return add(Dense(), s); });
  ExpectGradients([](const Tensor& s) { return values(sparse_mask(s, to_sparse(Dense()))); });
  ExpectGradients([](const Tensor& s) { return to_dense(select(s, 0, 1)); });
  ExpectGradients([](const Tensor& s) { return to_dense(to(s, DType::kFloat64)); });
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(SparseTensors, OfStridedOnesHaveTheirHistory) {
  const auto all = {+[](const Tensor& x) { return to_sparse(x); },
                    +[](const Tensor& x) { return to_sparse_csr(x, std::nullopt); },
                    +[](const Tensor& x) { return to_sparse_csc(x, std::nullopt); },
                    +[](const Tensor& x) { return sparse_mask(x, CooOf(Values())); },
                    +[](const Tensor& x) { return mul(CooOf(Values()), x); }};
  for (const auto& make : all) {
    const Tensor x = Dense();
    requires_grad_(x);
    const Tensor s = make(x);
    EXPECT_TRUE(requires_grad(s) && !is_leaf(s));
    backward(sum(square(to_dense(s))));
    ASSERT_TRUE(grad_of(x).defined());
    const Tensor factor = make == *(all.end() - 1) ? square(Dense()) : ne(Dense(), 0);
    EXPECT_TRUE(equal(grad_of(x), mul(mul(Dense(), 2), factor)));
  }
  EXPECT_EQ(LiveNodes(), 0);
}

// One that is held twice gets the gradient of its position each time.
TEST(SparseTensors, GiveWhatIsHeldTwiceItsGradientTwice) {
  const Tensor v = tensor({1., 2., 3.}, DType::kFloat64);
  requires_grad_(v);
  const Tensor s = sparse_coo_tensor(tensor({{0, 0, 1}, {1, 1, 0}}), v, {2, 2});
  backward(sum(square(to_dense(s))));
  EXPECT_TRUE(equal(grad_of(v), tensor({6., 6., 6.}, DType::kFloat64)));
}

TEST(SparseTensors, AreLeavesWithSparseGradients) {
  const Tensor given = Values();
  const Tensor s = CooOf(given);
  requires_grad_(s);
  EXPECT_TRUE(requires_grad(s) && is_leaf(s));
  EXPECT_FALSE(requires_grad(given));
  backward(sum(mm(s, Factor())));
  const Tensor g = grad_of(s);
  ASSERT_TRUE(g.defined() && g.is_sparse());
  const Tensor rows = sum(Factor(), {1});
  EXPECT_TRUE(allclose(to_dense(g), mul(expand(rows, {2, 3}), ne(Dense(), 0))));
  set_grad(s, Tensor());
  EXPECT_FALSE(grad_of(s).defined());
  const Tensor twice = to_dense(mul(s, 2)), of_all = ones({2, 3}, DType::kFloat64);
  const std::vector<Tensor> of = grad({&twice, 1}, {&s, 1}, {&of_all, 1});
  EXPECT_TRUE(of[0].is_sparse());
  EXPECT_TRUE(equal(to_dense(of[0]), to(mul(ne(Dense(), 0), 2), DType::kFloat64)));
  EXPECT_THROW(mul_(s, 2), Error);
  requires_grad_(s, false);
  EXPECT_FALSE(requires_grad(s));
}

TEST(SparseTensors, AreOutputsOfBackward) {
  const Tensor x = Dense();
  requires_grad_(x);
  const Tensor s = mul(to_sparse(x), 3);
  backward(s, mul(s, 0.5));
  EXPECT_TRUE(equal(grad_of(x), mul(Dense(), 4.5)));
  const Tensor again = mul(to_sparse(x), 3);
  set_grad(x, Tensor());
  backward(again, ones({2, 3}, DType::kFloat64));
  EXPECT_TRUE(equal(grad_of(x), to(mul(ne(Dense(), 0), 3), DType::kFloat64)));
}

TEST(SparseTensors, AreMadeAndWrittenAfterSomethingRequiredAGradient) {
  const Tensor w = ones({2});
  requires_grad_(w);
  EXPECT_TRUE(equal(to_dense(to_sparse_csr(eye(2))), eye(2)));
  EXPECT_FALSE(requires_grad(to_sparse_csr(eye(2))));
  const Tensor v = Values();
  requires_grad_(v);
  EXPECT_FALSE(requires_grad(detach(CooOf(v))));
  const Tensor s = mul(CooOf(v), 1);
  mul_(s, 3);
  backward(sum(s));
  EXPECT_TRUE(equal(grad_of(v), full({3}, 3, DType::kFloat64)));
  {
    const NoGrad off;
    EXPECT_FALSE(requires_grad(CooOf(v)));
    EXPECT_FALSE(requires_grad(mm(CooOf(v), Factor())));
  }
  EXPECT_TRUE(requires_grad(mm(CooOf(v), Factor())));
  const Tensor out = zeros({2, 2}, DType::kFloat64);
  EXPECT_THROW(mm_out(out, CooOf(v), Factor()), Error);
}

}  // namespace
}  // namespace sy
