#include "backends/cuda/driver/cusolver.h"

#include <map>
#include <optional>
#include <vector>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/driver/switches.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor.h"

namespace sy::cuda {
namespace {

std::optional<SolverTable>& Given() {
  static std::optional<SolverTable> given;
  return given;
}

struct Opened {
  SolverTable table;
  std::string problem;  // empty: all is there
};

// SWITCHYARD_CUDA_LIBRARIES=0: no libraries.
Opened Open() {
  Opened o;
  if (Given()) {
    o.table = *Given();
    return o;
  }
  if (SwitchedOff("SWITCHYARD_CUDA_LIBRARIES")) {
    o.problem = "SWITCHYARD_CUDA_LIBRARIES is 0";
    return o;
  }
  Library& library = LibraryOf(Lib::kCusolver);
  if (library.open()) {
#define SY_CUSOLVER_FIND(name) \
  o.table.name =               \
      reinterpret_cast<decltype(o.table.name)>(library.Find(SY_CUDA_SYMBOL(cusolverDn##name)));
    SY_CUSOLVER_FUNCTIONS(SY_CUSOLVER_FIND)
  }
  o.problem = library.problem();
  if (!o.problem.empty()) return o;
  SY_CUSOLVER_NEW_FUNCTIONS(SY_CUSOLVER_FIND)
#undef SY_CUSOLVER_FIND
  Library& blas = LibraryOf(Lib::kCublas);  // which cuSOLVER itself needs
  if (blas.open()) {
#define SY_CUBLAS_FIND(name) \
  o.table.blas.name =        \
      reinterpret_cast<decltype(o.table.blas.name)>(blas.Find(SY_CUDA_SYMBOL(cublas##name)));
    SY_CUBLAS_FUNCTIONS(SY_CUBLAS_FIND)
#undef SY_CUBLAS_FIND
  }
  o.problem = blas.problem();
  return o;
}
const Opened& Solvers() {
  static const Opened* opened = new Opened(Open());
  return *opened;
}
const SolverTable& TableOrFail(std::string_view op) {
  if (!Solvers().problem.empty()) {
    Fail(ErrorCode::kUnavailable, op,
         {"needs cuSOLVER, ", FilesOf(Lib::kCusolver, DriverMajor()).front(),
          ", which cannot be opened: ", Solvers().problem});
  }
  return Solvers().table;
}

struct Handle {
  std::mutex mutex;
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  gesvdjInfo_t jacobi = nullptr;
  cublasHandle_t blas = nullptr;
};
Handle& HandleOf(const DeviceState& device) {
  static std::mutex mutex;
  static auto* handles = new std::map<int, Handle>;
  std::lock_guard lock(mutex);
  return (*handles)[device.index()];
}

}  // namespace

void UseSolver(const SolverTable& table) { Given() = table; }

Solver::Solver(std::string_view op, CudaStream& stream)
    : op_(op), stream_(stream), lib_(TableOrFail(op)), on_(stream.state().Use()) {
  Handle& h = HandleOf(stream.state());
  lock_ = std::unique_lock(h.mutex);
  if (h.handle == nullptr) Check(lib_.Create(&h.handle));
  if (h.params == nullptr) Check(lib_.CreateParams(&h.params));
  if (h.jacobi == nullptr) Check(lib_.CreateGesvdjInfo(&h.jacobi));
  if (h.blas == nullptr) Check(lib_.blas.Create(&h.blas));
  handle_ = h.handle;
  params_ = h.params;
  jacobi_ = h.jacobi;
  blas_ = h.blas;
  const auto queue = reinterpret_cast<cudaStream_t>(stream.handle());
  Check(lib_.SetStream(handle_, queue));
  Check(lib_.blas.SetStream(blas_, queue));
}

void Solver::Check(cusolverStatus_t status) const {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  Fail(ErrorCode::kUnavailable, op_, {"cuSOLVER refuses with status ", static_cast<int>(status)});
}

void Solver::Check(cublasStatus_t status) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  Fail(ErrorCode::kUnavailable, op_, {"cuBLAS refuses with status ", static_cast<int>(status)});
}

void Solver::RequireGeev() const {
  if (lib_.Xgeev_bufferSize != nullptr && lib_.Xgeev != nullptr) return;
  Fail(ErrorCode::kUnavailable, op_,
       {"needs cusolverDnXgeev, which this cuSOLVER lacks: CUDA 12.8 is the first with it"});
}

void Solver::Run(absl::FunctionRef<cusolverStatus_t(size_t*, size_t*)> size,
                 absl::FunctionRef<cusolverStatus_t(const Room&)> run) const {
  size_t on_device = 0, on_host = 0;
  Check(size(&on_device, &on_host));
  const Tensor memory =
      Tensor::Empty({static_cast<int64_t>(on_device)}, DType::kUInt8, stream_.state().device());
  std::vector<char> host(on_host);
  Queue(run, Room{memory.data(), on_device, host.data(), on_host});
}

}  // namespace sy::cuda
