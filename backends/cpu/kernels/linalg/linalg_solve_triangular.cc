// BLAS's ?trsm, one matrix of unknowns a thread, or large ones in blocks.
#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

void Solve(Call call, const Tensor& out, const Tensor& self, const Tensor& b, bool upper, bool left,
           bool unitriangular) {
  if (out.numel() == 0) return;
  const Tensor x = RoomFor(out);
  const std::vector<int64_t> which = ExpandedMatrices(self, BatchOf(out));
  const int m = LapackSize(call, x.size(-2)), n = LapackSize(call, x.size(-1)), k = left ? m : n;
  VisitLapack(call, b.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const T one(1);
    if (k >= kFactorsFrom) {
      // By rows it is the transpose of one by columns.
      const bool by_rows = self.is_contiguous();
      const Tensor a = InColumns(by_rows ? Transposed(self) : self, out);
      CopyElements(x, b);
      const Factors<T> factors(call.op());
      const Triangle triangle{
          .upper = upper != by_rows, .trans = by_rows ? 'T' : 'N', .unit = unitriangular};
      return ForEachSharedMatrix(x, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const T* const at = MatrixAt<T>(a, which[i]);
          left ? factors.SolveLeft(triangle, m, n, at, k, MatrixAt<T>(x, i), m)
               : factors.SolveRight(triangle, m, n, at, k, MatrixAt<T>(x, i), m);
        }
      });
    }
    const Tensor a = CopyByColumns(self);
    CopyElements(x, b);
    ForEachMatrix(x, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        lapack.trsm(left ? "L" : "R", upper ? "U" : "L", "N", unitriangular ? "U" : "N", &m, &n,
                    &one, MatrixAt<T>(a, which[i]), &k, MatrixAt<T>(x, i), &m, 1, 1, 1, 1);
      }
    });
  });
  Store(out, x);
}

const Kernel kernel{"linalg_solve_triangular", "cpu", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cpu
