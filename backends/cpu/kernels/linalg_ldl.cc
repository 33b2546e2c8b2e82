// LAPACK's ?sytrf and ?sytrs (?hetrf, ?hetrs), one matrix a thread.
#include "backends/cpu/kernels/matrices.h"

namespace sy::cpu {
namespace {

void Factor(Call call, const Tensor& out_ld, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& self, bool hermitian, bool check_errors) {
  const Tensor ld = ByColumns(self.sizes(), self.dtype()),
               pivots = Tensor::Empty(out_pivots.sizes(), DType::kInt32),
               info = Tensor::Empty(out_info.sizes(), DType::kInt32);
  CopyElements(ld, self);
  FillElements(info, Scalar(0));
  const int n = LapackSize(call, self.size(-1));
  if (n > 0) {
    VisitLapack(call, self.dtype(), [&]<class T>(const Lapack<T>& lapack) {
      const auto factor = hermitian ? lapack.hetrf : lapack.sytrf;
      ForEachMatrix(ld, [&](int64_t begin, int64_t end) {
        WorkSpace<T> space(call.op());
        for (int64_t i = begin; i < end; ++i) {
          space.Run([&](T* work, const int* length) {
            factor("L", &n, MatrixAt<T>(ld, i), &n, VectorAt<int>(pivots, i), work, length,
                   info.data<int>() + i, 1);
          });
        }
      });
    });
  }
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kSingular, info);
  KeepTriangle(ld, /*upper=*/false);
  CopyElements(out_ld, ld);
  CopyElements(out_pivots, pivots);
  CopyElements(out_info, info);
}
const Kernel factor_kernel{"linalg_ldl_factor_ex", "cpu", kMatrixTypes, Factor};

// LAPACK goes where pivots point, and looks at both of a pair.
Tensor CheckedPivots(Call call, const Tensor& pivots) {
  const Tensor checked = Tensor::Empty(pivots.sizes(), DType::kInt32);
  CopyElements(checked, pivots);
  const int64_t n = pivots.size(-1);
  for (int64_t i = 0; n > 0 && i < checked.numel() / n; ++i) {
    const int* const p = VectorAt<int>(checked, i);
    const auto names_row = [&](int pivot) { return pivot >= 1 && pivot <= n; };
    for (int64_t j = 0; j < n; ++j) {
      if (names_row(p[j])) continue;
      const bool pair = j + 1 < n && names_row(-p[j]) && names_row(-p[j + 1]);
      if (!pair) {
        Fail(ErrorCode::kInvalidValue,
             {call.op(), "(): pivots must be 1 to ", n, ", or a pair of negative ones, got ", p[j],
              " for matrix ", i});
      }
      ++j;
    }
  }
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
const Kernel solve_kernel{"linalg_ldl_solve", "cpu", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cpu
