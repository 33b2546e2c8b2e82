#include "backends/cuda/plan/gemm_plan.h"

#include <gtest/gtest.h>

#include <vector>

namespace sy::cuda {
namespace {

// What the library does, as its reference says: column-major, element (i, j) at i + j ld.
void Gemm(const GemmPlan& p, const double* left, const double* right, double* result) {
  const auto element = [](const GemmFactor& f, const double* x, int64_t i, int64_t j) {
    return f.transposed ? x[j + i * f.ld] : x[i + j * f.ld];
  };
  for (int64_t i = 0; i < p.result.rows; ++i) {
    for (int64_t j = 0; j < p.result.columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += element(p.left, left, i, k) * element(p.right, right, k, j);
      result[i + j * p.result.ld] = sum;
    }
  }
}

struct Matrix {
  MatrixShape shape;
  std::vector<double> data;
  Matrix(int64_t rows, int64_t columns, bool by_rows, int64_t gap)
      : shape{rows, columns, by_rows ? columns + gap : 1, by_rows ? 1 : rows + gap},
        data(static_cast<size_t>((rows + gap) * (columns + gap)), 0) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) at(i, j) = static_cast<double>((7 * i + 3 * j) % 11);
    }
  }
  double& at(int64_t i, int64_t j) {
    return data[static_cast<size_t>(i * shape.row_stride + j * shape.column_stride)];
  }
};

TEST(GemmPlanTest, EveryLayoutGivesTheProduct) {
  for (int layout = 0; layout < 8; ++layout) {
    for (const auto& [m, n, k] :
         {std::array<int64_t, 3>{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 1, 5}, {1, 1, 1}}) {
      for (int64_t gap : {0, 2}) {
        Matrix out(m, n, (layout & 1) != 0, gap), a(m, k, (layout & 2) != 0, gap),
            b(k, n, (layout & 4) != 0, gap);
        GemmPlan plan;
        ASSERT_TRUE(PlanGemm(out.shape, a.shape, b.shape, &plan)) << layout;
        EXPECT_GE(plan.left.ld, plan.left.rows);
        EXPECT_GE(plan.right.ld, plan.right.rows);
        EXPECT_GE(plan.result.ld, plan.result.rows);
        Gemm(plan, (plan.swapped ? b : a).data.data(), (plan.swapped ? a : b).data.data(),
             out.data.data());
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t x = 0; x < k; ++x) sum += a.at(i, x) * b.at(x, j);
            ASSERT_EQ(out.at(i, j), sum) << layout << ": " << m << " " << n << " " << k;
          }
        }
      }
    }
  }
}

TEST(GemmPlanTest, NoDenseDimensionIsRefused) {
  const MatrixShape dense{3, 4, 4, 1}, sparse{3, 4, 8, 2}, repeated{3, 4, 0, 1};
  GemmPlan plan;
  EXPECT_FALSE(PlanGemm(sparse, {3, 5, 5, 1}, {5, 4, 4, 1}, &plan));
  EXPECT_FALSE(PlanGemm({4, 4, 4, 1}, {4, 3, 3, 1}, sparse, &plan));
  EXPECT_FALSE(PlanGemm({4, 4, 4, 1}, {4, 3, 3, 1}, repeated, &plan));
  EXPECT_TRUE(PlanGemm({4, 4, 4, 1}, {4, 3, 3, 1}, dense, &plan));
}

}  // namespace
}  // namespace sy::cuda
