// LAPACK's ?getrf, one matrix a thread, or large ones in blocks; small ones of real numbers by
// blas/small_lu.h.
#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/cpu/blas/small_lu.h"
#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {
namespace {

const SmallLu& ActiveSmallLu() {
  static constexpr const SmallLu* kIsas[kNumIsas] = SY_OF_EACH_ISA(small_lu);
  return *kIsas[ActiveIsa()];
}
int SmallLuOf(int m, int n, float* lu, int* pivots) {
  return ActiveSmallLu().of_float(lu, m, n, m, pivots);
}
int SmallLuOf(int m, int n, double* lu, int* pivots) {
  return ActiveSmallLu().of_double(lu, m, n, m, pivots);
}

template <class T>
int FactorOne(const Lapack<T>& lapack, int m, int n, T* lu, int* pivots) {
  if constexpr (!Lapack<T>::kComplex) {
    if (std::max(m, n) <= kSmallLu) return SmallLuOf(m, n, lu, pivots);
  }
  int info = 0;
  lapack.getrf(&m, &n, lu, &m, pivots, &info);
  return info;
}

// pivot: true, says the shape function.
void Factor(Call call, const Tensor& out_lu, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& a, bool /*pivot*/, bool check_errors) {
  const Tensor lu = check_errors ? ByColumns(a.sizes(), a.dtype()) : RoomFor(out_lu);
  const Tensor pivots = Tensor::Empty(out_pivots.sizes(), DType::kInt32),
               info = Tensor::Empty(out_info.sizes(), DType::kInt32);
  FillElements(info, Scalar(0));
  const int m = LapackSize(call, a.size(-2)), n = LapackSize(call, a.size(-1));
  if (m > 0 && n > 0) {
    VisitLapack(call, a.dtype(), [&]<class T>(const Lapack<T>& lapack) {
      CopyElements(lu, a);
      if (std::min(m, n) >= kFactorsFrom) {
        const Factors<T> factors(call.op());
        return ForEachSharedMatrix(lu, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            info.data<int>()[i] = factors.Lu(m, n, MatrixAt<T>(lu, i), m, VectorAt<int>(pivots, i));
          }
        });
      }
      ForEachMatrix(lu, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          info.data<int>()[i] =
              FactorOne(lapack, m, n, MatrixAt<T>(lu, i), VectorAt<int>(pivots, i));
        }
      });
    });
  }
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  Store(out_lu, lu);
  CopyElements(out_pivots, pivots);
  CopyElements(out_info, info);
}

const Kernel kernel{"linalg_lu_factor_ex", "cpu", kMatrixTypes, Factor};

}  // namespace
}  // namespace sy::cpu
