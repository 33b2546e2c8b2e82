// Products of Householder's reflections by cuSOLVER's orgqr (ungqr).

#include "backends/cuda/kernels/linalg/matrices.h"

namespace sy::cuda {
namespace {

void HouseholderProduct(Call call, const Tensor& out, const Tensor& input, const Tensor& tau) {
  if (input.numel() == 0) return;
  if (tau.size(-1) == 0) return SetIdentity(call, out);
  const Tensor a = CopyByColumns(call, input), factors = Batched(call, tau, 1),
               info = NoDefects(call, a);
  const int m = LibrarySize(call, input.size(-2)), n = LibrarySize(call, input.size(-1)),
            k = static_cast<int>(tau.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(input.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    const SolverTable& lib = solver.lib();
    for (int64_t i = 0; i < a.size(0); ++i) {
      auto* const vectors = static_cast<Number*>(MatrixAt(a, i));
      const auto* const t = static_cast<const Number*>(MatrixAt(factors, i));
      solver.RunTyped<Number>(
          [&](int* count) {
            return (lib.*T::orgqr_size)(solver.handle(), m, n, k, vectors, m, t, count);
          },
          [&](Number* memory, int count) {
            return (lib.*T::orgqr)(solver.handle(), m, n, k, vectors, m, t, memory, count,
                                   InfoAt(info, i));
          });
    }
  });
  Store(call, out, a);
}
const Kernel householder_product{"linalg_householder_product", "cuda", kMatrixTypes,
                                 HouseholderProduct};

}  // namespace
}  // namespace sy::cuda
