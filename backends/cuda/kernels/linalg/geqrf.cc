// Householder's reflections by cuSOLVER's geqrf and cuBLAS's geqrfBatched.

#include <algorithm>

#include "backends/cuda/kernels/linalg/batched.h"

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
void FactorBatched(Call call, const Tensor& a, const Tensor& tau) {
  const Tensor a_at = Addresses(call, a), tau_at = Addresses(call, tau);
  const int m = LibrarySize(call, a.size(1)), n = LibrarySize(call, a.size(2));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(a.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    ByParts(a.size(0), [&](int64_t first, int count) {
      int wrong_argument = 0;  // the host's, and known at once
      solver.Queue(solver.lib().blas.*T::geqrf_batched, solver.blas(), m, n,
                   AddressAt<Number>(a_at, first), m, AddressAt<Number>(tau_at, first),
                   &wrong_argument, count);
    });
  });
}

void Geqrf(Call call, const Tensor& out_a, const Tensor& out_tau, const Tensor& self) {
  if (self.numel() == 0) return;
  const Tensor a = CopyByColumns(call, self);
  const Tensor tau = Tensor::Empty({a.size(0), out_tau.size(-1)}, self.dtype(), self.device());
  const bool batched = UseBatched(a, std::max(a.size(1), a.size(2)));
  (batched ? FactorBatched : FactorEach)(call, a, tau);
  Store(call, out_a, a);
  Store(call, out_tau, tau);
}
const Kernel geqrf{"geqrf", "cuda", kMatrixTypes, Geqrf};

}  // namespace
}  // namespace sy::cuda
