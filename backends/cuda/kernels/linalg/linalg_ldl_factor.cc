// Factors L D L^T by cuSOLVER's sytrf; those of Hermitian matrices of complex numbers, L D L^H,
// which it has not, by device/ldl.h.

#include "backends/cuda/device/matrix_args.h"
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/engine/triangle.h"
#include "backends/cuda/kernels/linalg/matrices.h"

namespace sy::cuda {
namespace {

constexpr int kHermitianThreads = 256;  // of a block: device/lines.h's kLineThreads

void FactorHermitian(Call call, const Tensor& ld, const Tensor& pivots, const Tensor& info) {
  LdlArgs args{};
  args.batch = ld.size(0);
  args.n = ld.size(-1);
  args.a = ld.data();
  args.pivots = pivots.data<int>();
  args.info = info.data<int>();
  Launch(call, Specialised("ldl", "LdlArgs", "FactorHermitian").Element(ld.dtype()),
         {args.batch, kHermitianThreads}, args);
}

void FactorSymmetric(Call call, const Tensor& ld, const Tensor& pivots, const Tensor& info) {
  const int n = LibrarySize(call, ld.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  const SolverTable& lib = solver.lib();
  VisitDType<kMatrixTypes>(ld.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    for (int64_t i = 0; i < ld.size(0); ++i) {
      auto* const a = static_cast<Number*>(MatrixAt(ld, i));
      solver.RunTyped<Number>(
          [&](int* count) { return (lib.*T::sytrf_size)(solver.handle(), n, a, n, count); },
          [&](Number* memory, int count) {
            return (lib.*T::sytrf)(solver.handle(), CUBLAS_FILL_MODE_LOWER, n, a, n,
                                   static_cast<int*>(MatrixAt(pivots, i)), memory, count,
                                   InfoAt(info, i));
          });
    }
  });
}

void Factor(Call call, const Tensor& out_ld, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& self, bool hermitian, bool check_errors) {
  if (self.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor ld = CopyByColumns(call, self), info = NoDefects(call, ld),
               pivots = Tensor::Empty({ld.size(0), ld.size(-1)}, DType::kInt32, ld.device());
  if (hermitian && IsComplex(ld.dtype())) {
    FactorHermitian(call, ld, pivots, info);
  } else {
    FactorSymmetric(call, ld, pivots, info);
  }
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kSingular, info);
  CopyTriangle(call, ld, ld, /*upper=*/false, 0);
  Store(call, out_ld, ld);
  Store(call, out_pivots, pivots);
  Store(call, out_info, info);
}
const Kernel linalg_ldl_factor{"linalg_ldl_factor_ex", "cuda", kMatrixTypes, Factor};

}  // namespace
}  // namespace sy::cuda
