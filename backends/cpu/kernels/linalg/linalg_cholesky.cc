// LAPACK's ?potrf, one matrix a thread, or large ones in blocks.
#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

void Cholesky(Call call, const Tensor& out_l, const Tensor& out_info, const Tensor& self,
              bool upper, bool check_errors) {
  const Tensor info = Tensor::Empty(out_info.sizes(), DType::kInt32);
  FillElements(info, Scalar(0));
  const int n = LapackSize(call, self.size(-1));
  // The upper factor of a matrix is the lower one of its transpose, transposed.
  const bool large = n >= kFactorsFrom, transposes = large && upper;
  const Tensor l =
      check_errors || transposes ? ByColumns(self.sizes(), self.dtype()) : RoomFor(out_l);
  if (n > 0) {
    VisitLapack(call, self.dtype(), [&]<class T>(const Lapack<T>& lapack) {
      CopyElements(transposes ? Transposed(l) : l, self);
      if (large) {
        const Factors<T> factors(call.op());
        return ForEachSharedMatrix(l, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i)
            info.data<int>()[i] = factors.Cholesky(n, MatrixAt<T>(l, i), n);
        });
      }
      ForEachMatrix(l, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          lapack.potrf(upper ? "U" : "L", &n, MatrixAt<T>(l, i), &n, info.data<int>() + i, 1);
        }
      });
    });
  }
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kNotPositiveDefinite, info);
  KeepTriangle(l, upper && !transposes);
  Store(out_l, transposes ? Transposed(l) : l);
  CopyElements(out_info, info);
}

const Kernel kernel{"linalg_cholesky_ex", "cpu", kMatrixTypes, Cholesky};

}  // namespace
}  // namespace sy::cpu
