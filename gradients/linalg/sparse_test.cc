// Products with sparse matrices: the gradient is the strided factor's.
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

TEST(SparseProducts, ValuesWithAGradientAreRefusedAndNotLost) {
  const Tensor values = tensor({1., 2.});
  requires_grad_(values);
  EXPECT_THROW(sparse_coo_tensor(tensor({{0, 1}, {1, 0}}), values, {2, 2}), Error);
  EXPECT_THROW(requires_grad_(to_sparse(Dense())), Error);
  EXPECT_THROW(mul(to_sparse(ones({2})), values), Error);
  EXPECT_THROW(to_sparse(values), Error);
  const NoGrad off;
  EXPECT_FALSE(requires_grad(sparse_coo_tensor(tensor({{0, 1}, {1, 0}}), values, {2, 2})));
}

}  // namespace
}  // namespace sy
