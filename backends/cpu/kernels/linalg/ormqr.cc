// LAPACK's ?ormqr (?unmqr), one matrix a thread.
#include "backends/cpu/kernels/linalg/matrices.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {
namespace {

void Ormqr(Call call, const Tensor& out, const Tensor& self, const Tensor& input2,
           const Tensor& input3, bool left, bool transpose) {
  if (input3.numel() == 0) return;
  const Tensor vectors = CopyByColumns(self), factors = Contiguous(input2),
               c = ByColumns(out.sizes(), out.dtype());
  CopyElements(c, input3);
  const int m = LapackSize(call, c.size(-2)), n = LapackSize(call, c.size(-1)),
            k = static_cast<int>(input2.size(-1)), rows = left ? m : n;
  VisitLapack(call, self.dtype(), [&]<class T>(const Lapack<T>& lapack) {
    const char* const trans = !transpose ? "N" : lapack.kComplex ? "C" : "T";
    ForEachMatrix(c, [&](int64_t begin, int64_t end) {
      WorkSpace<T> space(call.op());
      int info = 0;
      for (int64_t i = begin; i < end; ++i) {
        space.Run([&](T* work, const int* length) {
          lapack.ormqr(left ? "L" : "R", trans, &m, &n, &k, MatrixAt<T>(vectors, i), &rows,
                       VectorAt<T>(factors, i), MatrixAt<T>(c, i), &m, work, length, &info, 1, 1);
        });
      }
    });
  });
  CopyElements(out, c);
}
const Kernel kernel{"ormqr", "cpu", kMatrixTypes, Ormqr};

}  // namespace
}  // namespace sy::cpu
