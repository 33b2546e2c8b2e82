// BLAS's ?trsm, one matrix of unknowns a thread.
#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

void Solve(Call call, const Tensor& out, const Tensor& self, const Tensor& b, bool upper, bool left,
           bool unitriangular) {
  if (out.numel() == 0) return;
  const Tensor a = CopyByColumns(self), x = RoomFor(out);
  const std::vector<int64_t> which = ExpandedMatrices(self, BatchOf(out));
  const int m = LapackSize(call, x.size(-2)), n = LapackSize(call, x.size(-1)), k = left ? m : n;
  VisitLapack(call, b.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const T one(1);
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
