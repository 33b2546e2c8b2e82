// Products with Householder's reflections by cuSOLVER's ormqr (unmqr).

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/kernels/linalg/matrices.h"

namespace sy::cuda {
namespace {

void Ormqr(Call call, const Tensor& out, const Tensor& self, const Tensor& input2,
           const Tensor& input3, bool left, bool transpose) {
  if (input3.numel() == 0) return;
  if (input2.size(-1) == 0) return CopyElements(call, out, input3);
  const Tensor a = CopyByColumns(call, self), factors = Batched(call, input2, 1),
               c = CopyByColumns(call, input3), info = NoDefects(call, c);
  const int m = LibrarySize(call, input3.size(-2)), n = LibrarySize(call, input3.size(-1)),
            k = static_cast<int>(input2.size(-1)), rows = left ? m : n;
  const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  const cublasOperation_t trans = !transpose                ? CUBLAS_OP_N
                                  : IsComplex(self.dtype()) ? CUBLAS_OP_C
                                                            : CUBLAS_OP_T;
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(self.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    const SolverTable& lib = solver.lib();
    for (int64_t i = 0; i < c.size(0); ++i) {
      const auto* const vectors = static_cast<const Number*>(MatrixAt(a, i));
      const auto* const t = static_cast<const Number*>(MatrixAt(factors, i));
      auto* const product = static_cast<Number*>(MatrixAt(c, i));
      solver.RunTyped<Number>(
          [&](int* count) {
            return (lib.*T::ormqr_size)(solver.handle(), side, trans, m, n, k, vectors, rows, t,
                                        product, m, count);
          },
          [&](Number* memory, int count) {
            return (lib.*T::ormqr)(solver.handle(), side, trans, m, n, k, vectors, rows, t, product,
                                   m, memory, count, InfoAt(info, i));
          });
    }
  });
  Store(call, out, c);
}
const Kernel ormqr{"ormqr", "cuda", kMatrixTypes, Ormqr};

}  // namespace
}  // namespace sy::cuda
