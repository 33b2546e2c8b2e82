// Gradients of linear algebra against differences.
#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using F = std::function<Tensor(TensorList)>;
void Check(const F& f, const std::vector<Tensor>& in) { EXPECT_NO_THROW(GradCheckTwice(f, in)); }

Tensor Square() { return tensor({{3.0, 0.4, -0.7}, {0.5, 2.1, 0.9}, {0.2, -0.3, 1.4}}); }
Tensor Tall() { return tensor({{1.5, 0.4}, {0.6, 1.1}, {0.2, -0.8}}); }
Tensor Wide() { return mT(Tall()); }

TEST(LinalgGradients, Products) {
  Check([](TensorList x) { return mm(x[0], x[1]); }, {Wide(), Tall()});
  Check([](TensorList x) { return addmm(x[0], x[1], x[2], 0.5, 2); }, {Square(), Tall(), Wide()});
  for (const bool use_gelu : {false, true}) {
    Check([=](TensorList x) { return _addmm_activation(x[0], x[1], x[2], 0.5, 2, use_gelu); },
          {Square(), Tall(), Wide()});
  }
  Check([](TensorList x) { return matmul(x[0], select(x[1], 1, 0)); }, {Wide(), Tall()});
  Check([](TensorList x) { return linalg_cross(x[0], x[1]); }, {Square(), mT(Square())});
  Check([](TensorList x) { return outer(select(x[0], 0, 0), select(x[0], 0, 1)); }, {Tall()});
}

// Also recorded, so that it can be differentiated again; in a batch with others that are not.
TEST(LinalgGradients, DeterminantsOfSingularMatrices) {
  const F det = [](TensorList x) { return linalg_det(x[0]); };
  const Tensor singular = tensor({{1., 2., 3.}, {2., 4., 6.}, {1., 0., 1.}}),
               narrow_one = tensor({{1., 2.}, {2., 4.}});
  for (const Tensor& a : {singular, narrow_one, stack({Square(), singular})}) Check(det, {a});
  Check(det, {complex(narrow_one, mul(narrow_one, 3))});
  const Tensor zero = requires_grad_(zeros({1, 1}, DType::kFloat64)), d = linalg_det(zero);
  EXPECT_EQ(item(grad({&d, 1}, {&zero, 1}, {}, {.create_graph = true})[0]).To<double>(), 1);
}

// One matrix or vector with a batch.
TEST(LinalgGradients, BroadcastProducts) {
  const Tensor batch = stack({Square(), mT(Square())}), row = select(Square(), 0, 1);
  const auto product = [](TensorList x) { return matmul(x[0], x[1]); };
  Check(product, {Wide(), batch});
  Check(product, {batch, Tall()});
  Check(product, {row, batch});
  Check(product, {batch, row});
  Check(product, {unsqueeze(batch, 1), batch});
  Check([](TensorList x) { return linalg_matmul(x[0], x[1]); }, {Wide(), batch});
}

// Operators that are made of others are given the views, and not copies of what they show.
TEST(LinalgGradients, ProductsOfConjugates) {
  const Tensor batch = complex(stack({Square(), mT(Square())}), stack({mT(Square()), Square()}));
  Check([](TensorList x) { return matmul(x[0], mH(x[1])); }, {batch, batch});
  Check([](TensorList x) { return matmul(conj(x[0]), select(x[1], 0, 0)); }, {batch, batch});
  Check([](TensorList x) { return inner(x[0], conj(x[1])); }, {select(batch, 0, 0), batch});
  Check([](TensorList x) { return linear(imag(conj(x[0])), real(x[0])); }, {select(batch, 0, 0)});
  Check(
      [](TensorList x) {
        const std::vector<Tensor> both = {conj(x[0]), x[1]};
        return einsum("bij,bjk->bik", both);
      },
      {batch, batch});
}

TEST(LinalgGradients, Solves) {
  Check([](TensorList x) { return linalg_solve(x[0], x[1]); }, {Square(), Tall()});
  Check([](TensorList x) { return linalg_inv(x[0]); }, {Square()});
  Check([](TensorList x) { return linalg_solve_triangular(tril(x[0]), x[1], false); },
        {Square(), Tall()});
  Check([](TensorList x) { return linalg_det(x[0]); }, {Square()});
  Check([](TensorList x) { return std::get<1>(linalg_slogdet(x[0])); }, {Square()});
  Check([](TensorList x) { return linalg_pinv(x[0], 1e-15); }, {Tall()});
}

TEST(LinalgGradients, Factors) {
  for (const Tensor& a : {Square(), Tall(), Wide()}) {
    Check([](TensorList x) { return std::get<0>(linalg_qr(x[0])); }, {a});
    Check([](TensorList x) { return std::get<1>(linalg_qr(x[0])); }, {a});
    Check([](TensorList x) { return std::get<1>(linalg_lu(x[0])); }, {a});
    Check([](TensorList x) { return std::get<2>(linalg_lu(x[0])); }, {a});
    Check([](TensorList x) { return linalg_svdvals(x[0]); }, {a});
    Check([](TensorList x) { return abs(std::get<0>(linalg_svd(x[0], false))); }, {a});
  }
  Check([](TensorList x) { return linalg_cholesky(matmul(x[0], mT(x[0]))); }, {Square()});
  Check([](TensorList x) { return linalg_eigvalsh(matmul(x[0], mT(x[0]))); }, {Square()});
  Check([](TensorList x) { return linalg_matrix_exp(x[0]); }, {Square()});
}

// Formulas of complex factors conjugate and transpose; they can be differentiated again.
TEST(LinalgGradients, ComplexFactors) {
  const auto complex_of = [](const Tensor& t) {
    const Tensor wide = to(t, DType::kFloat64);
    return complex(wide, mul(sin(wide), 0.5));
  };
  const Tensor square = complex_of(Square()), tall = complex_of(Tall()), wide = complex_of(Wide());
  Check([](TensorList x) { return linalg_cholesky(matmul(x[0], mH(x[0]))); }, {square});
  Check([](TensorList x) { return linalg_pinv(x[0]); }, {tall});
  Check([](TensorList x) { return linalg_pinv(x[0]); }, {wide});
  Check([](TensorList x) { return std::get<0>(linalg_qr(x[0])); }, {wide});
  Check([](TensorList x) { return std::get<1>(linalg_qr(x[0])); }, {wide});
  const Tensor tau = complex_of(tensor({0.7, 1.1}));
  Check([](TensorList x) { return linalg_householder_product(x[0], x[1]); }, {tall, tau});
  Check([](TensorList x) { return ormqr(x[0], x[1], x[2]); }, {tall, tau, square});
}

// Permutations and what operators keep for their own gradients are constants.
TEST(LinalgGradients, ConstantResults) {
  const Tensor a = requires_grad_(Square());
  const auto [p, l, u] = linalg_lu(a);
  EXPECT_FALSE(requires_grad(p));
  EXPECT_TRUE(requires_grad(l));
  EXPECT_TRUE(requires_grad(u));
  const auto [det, factors, pivots] = _linalg_det(a);
  EXPECT_TRUE(requires_grad(det));
  EXPECT_FALSE(requires_grad(factors));
}

}  // namespace
}  // namespace sy
