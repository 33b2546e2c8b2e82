// LAPACK's ?orgqr (?ungqr), one matrix a thread.
#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {
namespace {

void HouseholderProduct(Call call, const Tensor& out, const Tensor& input, const Tensor& tau) {
  if (input.numel() == 0) return;
  if (tau.size(-1) == 0) return SetIdentity(out);
  const Tensor a = ByColumns(out.sizes(), out.dtype()), factors = Contiguous(tau);
  CopyElements(a, input);
  const int m = LapackSize(call, a.size(-2)), n = LapackSize(call, a.size(-1)),
            k = static_cast<int>(tau.size(-1));
  VisitLapack(call, input.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    ForEachMatrix(a, [&](int64_t begin, int64_t end) {
      WorkSpace<T> space(call.op());
      int info = 0;
      for (int64_t i = begin; i < end; ++i) {
        space.Run([&](T* work, const int* length) {
          lapack.orgqr(&m, &n, &k, MatrixAt<T>(a, i), &m, VectorAt<T>(factors, i), work, length,
                       &info);
        });
      }
    });
  });
  CopyElements(out, a);
}
const Kernel kernel{"linalg_householder_product", "cpu", kMatrixTypes, HouseholderProduct};

}  // namespace
}  // namespace sy::cpu
