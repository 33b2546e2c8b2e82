// LAPACK's ?sytrf (?hetrf), one matrix a thread.
#include "backends/cpu/kernels/linalg/matrices.h"

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
const Kernel kernel{"linalg_ldl_factor_ex", "cpu", kMatrixTypes, Factor};

}  // namespace
}  // namespace sy::cpu
