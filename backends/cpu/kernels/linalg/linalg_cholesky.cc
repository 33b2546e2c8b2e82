// LAPACK's ?potrf, one matrix a thread, or large ones in blocks.
#include <complex>

#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

// LAPACK's own ?potrf takes a pivot that is no number for one that is not positive; faster ones
// go on with it.
template <class T>
void SayWhatIsNoNumber(const Tensor& l, const Tensor& info, int n) {
  int* const infos = info.data<int>();
  for (int64_t i = 0; i < info.numel(); ++i) {
    if (infos[i] != 0) continue;
    const T* const m = MatrixAt<T>(l, i);
    for (int64_t j = 0; j < n && infos[i] == 0; ++j) {
      if (!(std::real(m[j * n + j]) > 0)) infos[i] = static_cast<int>(j + 1);
    }
  }
}

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
        ForEachSharedMatrix(l, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i)
            info.data<int>()[i] = factors.Cholesky(n, MatrixAt<T>(l, i), n);
        });
      } else {
        ForEachMatrix(l, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            lapack.potrf(upper ? "U" : "L", &n, MatrixAt<T>(l, i), &n, info.data<int>() + i, 1);
          }
        });
      }
      SayWhatIsNoNumber<T>(l, info, n);
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
