// cuSOLVER's functions, and those of cuBLAS that go with them, opened when they are first needed.
// The handles are of a device; a call of the library is made of three lines:
//
//   const Solver solver(op, stream);                      // has the device's handle to itself
//   solver.Run(
//       [&](size_t* on_device, size_t* on_host) { return solver.lib().Xgesvd_bufferSize(…); },
//       [&](const Solver::Room& room) { return solver.lib().Xgesvd(…); });
//
// Functions that have no form for every dtype are found by the number's type: Typed<T>::orgqr.
//
// Owns: handles for each device, for the process.
// Threads: any; one at a time holds a device's Solver.
// Errors: kUnavailable, naming the operator and the library, where it cannot be opened or refuses.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_

#include <absl/functional/function_ref.h>
#include <cusolverDn.h>

#include <complex>
#include <mutex>
#include <string_view>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

// A function's forms for each type of number.
#define SY_FORMS(X, name) X(S##name) X(D##name) X(C##name) X(Z##name)
#define SY_CUSOLVER_FUNCTIONS(X)        \
  X(Create)                             \
  X(CreateParams)                       \
  X(SetStream)                          \
  X(Xgesvd_bufferSize)                  \
  X(Xgesvd)                             \
  X(CreateGesvdjInfo)                   \
  SY_FORMS(X, gesvdjBatched_bufferSize) \
  SY_FORMS(X, gesvdjBatched)            \
  X(Xpotrf_bufferSize)                  \
  X(Xpotrf)                             \
  SY_FORMS(X, potrfBatched)             \
  X(Xgeqrf_bufferSize)                  \
  X(Xgeqrf)                             \
  X(Xgetrf_bufferSize)                  \
  X(Xgetrf)                             \
  X(Xgetrs)                             \
  X(Xsyevd_bufferSize)                  \
  X(Xsyevd)                             \
  X(Xsytrs_bufferSize)                  \
  X(Xsytrs)                             \
  SY_FORMS(X, sytrf_bufferSize)         \
  SY_FORMS(X, sytrf)                    \
  X(Sorgqr_bufferSize)                  \
  X(Dorgqr_bufferSize)                  \
  X(Cungqr_bufferSize)                  \
  X(Zungqr_bufferSize)                  \
  X(Sorgqr)                             \
  X(Dorgqr)                             \
  X(Cungqr)                             \
  X(Zungqr)                             \
  X(Sormqr_bufferSize)                  \
  X(Dormqr_bufferSize)                  \
  X(Cunmqr_bufferSize)                  \
  X(Zunmqr_bufferSize)                  \
  X(Sormqr)                             \
  X(Dormqr)                             \
  X(Cunmqr)                             \
  X(Zunmqr)
// That older libraries lack: null there.
#define SY_CUSOLVER_NEW_FUNCTIONS(X) \
  X(Xgeev_bufferSize)                \
  X(Xgeev)                           \
  X(XsyevBatched_bufferSize)         \
  X(XsyevBatched)
#define SY_CUBLAS_FUNCTIONS(X) \
  X(Create)                    \
  X(SetStream)                 \
  SY_FORMS(X, trsm)            \
  SY_FORMS(X, trsmBatched)     \
  SY_FORMS(X, getrfBatched)    \
  SY_FORMS(X, getrsBatched)    \
  SY_FORMS(X, geqrfBatched)

struct SolverTable {
#define SY_CUSOLVER_MEMBER(name) decltype(&::cusolverDn##name) name = nullptr;
  SY_CUSOLVER_FUNCTIONS(SY_CUSOLVER_MEMBER)
  SY_CUSOLVER_NEW_FUNCTIONS(SY_CUSOLVER_MEMBER)
#undef SY_CUSOLVER_MEMBER
  struct Blas {
#define SY_CUBLAS_MEMBER(name) decltype(&::cublas##name) name = nullptr;
    SY_CUBLAS_FUNCTIONS(SY_CUBLAS_MEMBER)
#undef SY_CUBLAS_MEMBER
  } blas;
};

// T: float, double, std::complex of these. Number: what the libraries call it.
template <class T>
struct Typed;
#define SY_SOLVER_TYPED(type, number, letter, q)                                        \
  template <>                                                                           \
  struct Typed<type> {                                                                  \
    using Number = number;                                                              \
    static constexpr auto orgqr_size = &SolverTable::q##gqr_bufferSize;                 \
    static constexpr auto orgqr = &SolverTable::q##gqr;                                 \
    static constexpr auto ormqr_size = &SolverTable::q##mqr_bufferSize;                 \
    static constexpr auto ormqr = &SolverTable::q##mqr;                                 \
    static constexpr auto sytrf_size = &SolverTable::letter##sytrf_bufferSize;          \
    static constexpr auto sytrf = &SolverTable::letter##sytrf;                          \
    static constexpr auto gesvdj_size = &SolverTable::letter##gesvdjBatched_bufferSize; \
    static constexpr auto gesvdj_batched = &SolverTable::letter##gesvdjBatched;         \
    static constexpr auto potrf_batched = &SolverTable::letter##potrfBatched;           \
    static constexpr auto trsm = &SolverTable::Blas::letter##trsm;                      \
    static constexpr auto trsm_batched = &SolverTable::Blas::letter##trsmBatched;       \
    static constexpr auto getrf_batched = &SolverTable::Blas::letter##getrfBatched;     \
    static constexpr auto getrs_batched = &SolverTable::Blas::letter##getrsBatched;     \
    static constexpr auto geqrf_batched = &SolverTable::Blas::letter##geqrfBatched;     \
  };
SY_SOLVER_TYPED(float, float, S, Sor)
SY_SOLVER_TYPED(double, double, D, Dor)
SY_SOLVER_TYPED(std::complex<float>, cuComplex, C, Cun)
SY_SOLVER_TYPED(std::complex<double>, cuDoubleComplex, Z, Zun)
#undef SY_SOLVER_TYPED

// Instead of the library: what tests put there, before it is first asked for.
void UseSolver(const SolverTable& table);

class Solver {
 public:
  Solver(std::string_view op, CudaStream& stream);
  Solver(const Solver&) = delete;

  const SolverTable& lib() const { return lib_; }
  cusolverDnHandle_t handle() const { return handle_; }
  cusolverDnParams_t params() const { return params_; }
  gesvdjInfo_t jacobi() const { return jacobi_; }
  cublasHandle_t blas() const { return blas_; }

  // Memory that a call works in.
  struct Room {
    void* on_device;
    size_t device_bytes;
    void* on_host;
    size_t host_bytes;
  };
  // size asks the library how much it needs; run queues the call on the stream.
  void Run(absl::FunctionRef<cusolverStatus_t(size_t*, size_t*)> size,
           absl::FunctionRef<cusolverStatus_t(const Room&)> run) const;
  // The same of functions whose sizes count numbers, not bytes: size(&count), run(memory, count).
  template <class Number, class Size, class Run>
  void RunTyped(Size&& size, Run&& run) const {
    this->Run(
        [&](size_t* on_device, size_t*) {
          int count = 0;
          const cusolverStatus_t status = size(&count);
          *on_device = static_cast<size_t>(count) * sizeof(Number);
          return status;
        },
        [&](const Room& room) {
          return run(static_cast<Number*>(room.on_device),
                     static_cast<int>(room.device_bytes / sizeof(Number)));
        });
  }
  // Errors: kUnavailable where the library is older than geev.
  void RequireGeev() const;
  // Calls that need no memory: of the library's function, with these arguments.
  template <class F, class... A>
  void Queue(const F& function, const A&... args) const {
    Launching launching(stream_, op_);
    Check(function(args...));
    launching.Done();
  }

 private:
  void Check(cusolverStatus_t status) const;
  void Check(cublasStatus_t status) const;

  std::string_view op_;
  CudaStream& stream_;
  const SolverTable& lib_;
  const InUse on_;
  std::unique_lock<std::mutex> lock_;
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t params_ = nullptr;
  gesvdjInfo_t jacobi_ = nullptr;
  cublasHandle_t blas_ = nullptr;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_
