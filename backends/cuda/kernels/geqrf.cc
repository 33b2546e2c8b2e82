// Householder's reflections by cuSOLVER's geqrf, orgqr and ormqr (ungqr, unmqr), and cuBLAS's
// geqrfBatched.
#include <algorithm>

#include "backends/cuda/kernels/at_once.h"
#include "backends/cuda/kernels/pointwise.h"

namespace sy::cuda {
namespace {

void FactorEach(Call call, const Tensor& a, const Tensor& tau) {
  const Tensor info = NoDefects(call, a);
  const int64_t m = a.size(1), n = a.size(2);
  const cudaDataType_t type = LibraryType(a.dtype());
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < a.size(0); ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xgeqrf_bufferSize(solver.handle(), solver.params(), m, n, type,
                                                MatrixAt(a, i), m, type, MatrixAt(tau, i), type,
                                                on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xgeqrf(solver.handle(), solver.params(), m, n, type, MatrixAt(a, i),
                                     m, type, MatrixAt(tau, i), type, room.on_device,
                                     room.device_bytes, room.on_host, room.host_bytes,
                                     InfoAt(info, i));
        });
  }
}
void FactorAtOnce(Call call, const Tensor& a, const Tensor& tau) {
  const Tensor a_at = Addresses(call, a), tau_at = Addresses(call, tau);
  const int m = LibrarySize(call, a.size(1)), n = LibrarySize(call, a.size(2));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(a.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    ByParts(a.size(0), [&](int64_t first, int count) {
      int wrong_argument = 0;  // the host's, and known at once
      solver.Queued((solver.lib().blas.*T::geqrf_batched)(
          solver.blas(), m, n, AddressAt<Number>(a_at, first), m, AddressAt<Number>(tau_at, first),
          &wrong_argument, count));
    });
  });
}

void Geqrf(Call call, const Tensor& out_a, const Tensor& out_tau, const Tensor& self) {
  if (self.numel() == 0) return;
  const Tensor a = CopyByColumns(call, self);
  const Tensor tau = Tensor::Empty({a.size(0), out_tau.size(-1)}, self.dtype(), self.device());
  const bool at_once = AtOnce(a, std::max(a.size(1), a.size(2)));
  (at_once ? FactorAtOnce : FactorEach)(call, a, tau);
  Store(call, out_a, a);
  Store(call, out_tau, tau);
}
const Kernel geqrf{"geqrf", "cuda", kMatrixTypes, Geqrf};

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
