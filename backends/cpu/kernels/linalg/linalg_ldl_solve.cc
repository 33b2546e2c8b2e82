// LAPACK's ?sytrs (?hetrs), one matrix of unknowns a thread.
#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"

namespace sy::cpu {
namespace {

// LAPACK goes where pivots point, and looks at both of a pair.
Tensor CheckedPivots(Call call, const Tensor& pivots) {
  const Tensor checked = Tensor::Empty(pivots.sizes(), DType::kInt32);
  CopyElements(checked, pivots);
  RequireBlockPivots(call, {checked.data<int>(), static_cast<size_t>(checked.numel())},
                     pivots.size(-1));
  return checked;
}

void Solve(Call call, const Tensor& out, const Tensor& ld, const Tensor& pivots, const Tensor& b,
           bool hermitian) {
  if (out.numel() == 0) return;
  const Tensor factors = CopyByColumns(ld), rows = CheckedPivots(call, pivots), x = RoomFor(out);
  const std::vector<int64_t> which = ExpandedMatrices(ld, BatchOf(out));
  const int n = LapackSize(call, x.size(-2)), columns = LapackSize(call, x.size(-1));
  VisitLapack(call, b.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const auto solve = hermitian ? lapack.hetrs : lapack.sytrs;
    CopyElements(x, b);
    ForEachMatrix(x, [&](int64_t begin, int64_t end) {
      int info = 0;
      for (int64_t i = begin; i < end; ++i) {
        solve("L", &n, &columns, MatrixAt<T>(factors, which[i]), &n, VectorAt<int>(rows, which[i]),
              MatrixAt<T>(x, i), &n, &info, 1);
      }
    });
  });
  Store(out, x);
}
const Kernel kernel{"linalg_ldl_solve", "cpu", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cpu
