// LAPACK's ?geqrf, one matrix a thread.
#include "backends/cpu/kernels/linalg/matrices.h"

namespace sy::cpu {
namespace {

void Geqrf(Call call, const Tensor& out_a, const Tensor& out_tau, const Tensor& self) {
  if (self.numel() == 0) return;
  const Tensor a = ByColumns(out_a.sizes(), out_a.dtype()),
               tau = Tensor::Empty(out_tau.sizes(), self.dtype());
  CopyElements(a, self);
  const int m = LapackSize(call, a.size(-2)), n = LapackSize(call, a.size(-1));
  VisitLapack(call, self.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    ForEachMatrix(a, [&](int64_t begin, int64_t end) {
      WorkSpace<T> space(call.op());
      int info = 0;
      for (int64_t i = begin; i < end; ++i) {
        space.Run([&](T* work, const int* length) {
          lapack.geqrf(&m, &n, MatrixAt<T>(a, i), &m, VectorAt<T>(tau, i), work, length, &info);
        });
      }
    });
  });
  CopyElements(out_a, a);
  CopyElements(out_tau, tau);
}
const Kernel kernel{"geqrf", "cpu", kMatrixTypes, Geqrf};

}  // namespace
}  // namespace sy::cpu
