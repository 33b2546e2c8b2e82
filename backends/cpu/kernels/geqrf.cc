// LAPACK's ?geqrf, ?orgqr and ?ormqr (?ungqr, ?unmqr), one matrix a thread.
#include "backends/cpu/kernels/matrices.h"

namespace sy::cpu {
namespace {

Tensor Dense(const Tensor& t) {
  if (t.is_contiguous()) return t;
  const Tensor copy = Tensor::Empty(t.sizes(), t.dtype());
  CopyElements(copy, t);
  return copy;
}

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
const Kernel geqrf_kernel{"geqrf", "cpu", kMatrixTypes, Geqrf};

void HouseholderProduct(Call call, const Tensor& out, const Tensor& input, const Tensor& tau) {
  if (input.numel() == 0) return;
  if (tau.size(-1) == 0) return SetIdentity(out);
  const Tensor a = ByColumns(out.sizes(), out.dtype()), factors = Dense(tau);
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
const Kernel product_kernel{"linalg_householder_product", "cpu", kMatrixTypes, HouseholderProduct};

void Ormqr(Call call, const Tensor& out, const Tensor& self, const Tensor& input2,
           const Tensor& input3, bool left, bool transpose) {
  if (input3.numel() == 0) return;
  const Tensor vectors = CopyByColumns(self), factors = Dense(input2),
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
const Kernel ormqr_kernel{"ormqr", "cpu", kMatrixTypes, Ormqr};

}  // namespace
}  // namespace sy::cpu
