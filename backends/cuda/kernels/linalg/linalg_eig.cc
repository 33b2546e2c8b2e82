// Eigenvalues and eigenvectors of any matrices by cuSOLVER's geev. Nothing is written to the
// outputs until all matrices have converged.
#include "backends/cuda/device/matrix_args.h"
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

// a: a batch. Waits.
void RequireFinite(Call call, const Tensor& a) {
  const Tensor finite = Tensor::Empty(a.sizes(), DType::kBool, a.device());
  const Tensor all = Tensor::Empty({a.size(0)}, DType::kBool, a.device());
  const Tensor bad = Tensor::Empty({a.size(0)}, DType::kBool, a.device());
  RunFormula(call, kFormula<f::IsFinite>, finite, {&a});
  Reduce(call, kReduction<f::All>, DType::kBool, finite, 6, &all);
  RunFormula(call, kFormula<f::LogicalNot>, bad, {&all});
  if (const int64_t i = FirstSet(bad); i >= 0) {
    FailNotFinite(call.op(), i);
  }
}

// out_vectors: null where they are not asked for.
void Decompose(Call call, const Tensor& out_values, const Tensor* out_vectors, const Tensor& self) {
  if (self.numel() == 0) return;
  const DType d = self.dtype(), complex = out_values.dtype();
  const Tensor a = CopyByColumns(call, self), info = NoDefects(call, a);
  const int64_t n = self.size(-1);
  const Tensor values = Tensor::Empty({a.size(0), n}, complex, a.device());
  const Tensor parts = out_vectors == nullptr ? Tensor() : Room(a, a.size(0), n, n, false);
  const cudaDataType_t type = LibraryType(d), value_type = LibraryType(complex);
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR,
                          job = out_vectors == nullptr ? none : CUSOLVER_EIG_MODE_VECTOR;
  const auto vectors_at = [&](int64_t i) { return parts.defined() ? MatrixAt(parts, i) : nullptr; };
  const Solver solver(call.op(), StreamOf(call.key));
  solver.RequireGeev();
  RequireFinite(call, a);
  for (int64_t i = 0; i < a.size(0); ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xgeev_bufferSize(solver.handle(), solver.params(), none, job, n, type,
                                               MatrixAt(a, i), n, value_type, MatrixAt(values, i),
                                               type, nullptr, n, type, vectors_at(i), n, type,
                                               on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xgeev(
              solver.handle(), solver.params(), none, job, n, type, MatrixAt(a, i), n, value_type,
              MatrixAt(values, i), type, nullptr, n, type, vectors_at(i), n, type, room.on_device,
              room.device_bytes, room.on_host, room.host_bytes, InfoAt(info, i));
        });
  }
  if (const int64_t i = FirstSet(info); i >= 0) {
    FailConvergence(call.op(), "self", i, "not all eigenvalues were found");
  }
  Store(call, out_values, values);
  if (out_vectors == nullptr) return;
  if (IsComplex(d)) return Store(call, *out_vectors, parts);
  const Tensor vectors = Room(values, a.size(0), n, n, false);
  EigenvectorArgs args{a.numel(), n, values.data(), parts.data(), vectors.data()};
  Launch(call, Specialised("eigenvectors", "EigenvectorArgs", "JoinParts").Element(d),
         BlocksFor(args.count), args);
  Store(call, *out_vectors, vectors);
}

void Eig(Call call, const Tensor& values, const Tensor& vectors, const Tensor& self) {
  Decompose(call, values, &vectors, self);
}
void Eigvals(Call call, const Tensor& values, const Tensor& self) {
  Decompose(call, values, nullptr, self);
}

const Kernel linalg_eig{"linalg_eig", "cuda", kMatrixTypes, Eig};
const Kernel linalg_eigvals{"linalg_eigvals", "cuda", kMatrixTypes, Eigvals};

}  // namespace
}  // namespace sy::cuda
