// LAPACK's ?getrs, one matrix of them a thread, or large ones in blocks: X A = B is A^H X^H = B^H.
#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

// LAPACK exchanges the rows that pivots name, wherever that is.
Tensor CheckedPivots(Call call, const Tensor& pivots) {
  const Tensor checked = Tensor::Empty(pivots.sizes(), DType::kInt32);
  CopyElements(checked, pivots);
  RequirePivots(call.op(), "pivots", {checked.data<int>(), static_cast<size_t>(checked.numel())},
                pivots.size(-1));
  return checked;
}

void Solve(Call call, const Tensor& out, const Tensor& lu, const Tensor& pivots, const Tensor& b,
           bool left, bool adjoint) {
  if (out.numel() == 0) return;
  const Tensor factors = InColumns(lu, out), rows = CheckedPivots(call, pivots);
  const Tensor unknown = left ? out : Transposed(out), x = RoomFor(unknown);
  const Tensor given = left ? b : Transposed(b);
  const std::vector<int64_t> which = ExpandedMatrices(lu, BatchOf(out));
  const int n = LapackSize(call, x.size(-2)), columns = LapackSize(call, x.size(-1));
  VisitLapack(call, b.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const char* const trans = adjoint == left ? (lapack.kComplex ? "C" : "T") : "N";
    const bool conjugates = !left && lapack.kComplex;
    const bool large = n >= kFactorsFrom;
    CopyElements(x, given);
    const auto solve = [&](int64_t begin, int64_t end) {
      int info = 0;
      for (int64_t i = begin; i < end; ++i) {
        T* const unknowns = MatrixAt<T>(x, i);
        const auto conjugate = [&] {
          if constexpr (Lapack<T>::kComplex) {
            for (int64_t k = 0; k < int64_t{n} * columns; ++k) unknowns[k] = std::conj(unknowns[k]);
          }
        };
        if (conjugates) conjugate();
        const T* const a = MatrixAt<T>(factors, which[i]);
        const int* const pivots = VectorAt<int>(rows, which[i]);
        if (large) {
          Factors<T>(call.op()).LuSolve(*trans, n, columns, a, n, pivots, unknowns, n);
        } else {
          lapack.getrs(trans, &n, &columns, a, &n, pivots, unknowns, &n, &info, 1);
        }
        if (conjugates) conjugate();
      }
    };
    large ? ForEachSharedMatrix(x, solve) : ForEachMatrix(x, solve);
  });
  Store(unknown, x);
}

const Kernel kernel{"linalg_lu_solve", "cpu", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cpu
