// cuSOLVER's functions, opened when they are first needed. The handles are of a device; a call of
// the library is made of three lines:
//
//   const Solver solver(op, stream);                      // has the device's handle to itself
//   solver.Run(
//       [&](size_t* on_device, size_t* on_host) { return solver.lib().Xgesvd_bufferSize(…); },
//       [&](const Solver::Room& room) { return solver.lib().Xgesvd(…); });
//
// Owns: a handle for each device, for the process.
// Threads: any; one at a time holds a device's Solver.
// Errors: kUnavailable, naming the operator and the library, where it cannot be opened or refuses.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_

#include <cusolverDn.h>

#include <functional>
#include <mutex>
#include <string_view>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

#define SY_CUSOLVER_FUNCTIONS(X) \
  X(Create)                      \
  X(CreateParams)                \
  X(SetStream)                   \
  X(Xgesvd_bufferSize)           \
  X(Xgesvd)

struct SolverTable {
#define SY_CUSOLVER_MEMBER(name) decltype(&::cusolverDn##name) name = nullptr;
  SY_CUSOLVER_FUNCTIONS(SY_CUSOLVER_MEMBER)
#undef SY_CUSOLVER_MEMBER
};
// Instead of the library: what tests put there, before it is first asked for.
void UseSolver(const SolverTable& table);

class Solver {
 public:
  Solver(std::string_view op, CudaStream& stream);
  Solver(const Solver&) = delete;

  const SolverTable& lib() const { return lib_; }
  cusolverDnHandle_t handle() const { return handle_; }
  cusolverDnParams_t params() const { return params_; }

  // Memory that a call works in.
  struct Room {
    void* on_device;
    size_t device_bytes;
    void* on_host;
    size_t host_bytes;
  };
  // size asks the library how much it needs; run queues the call on the stream.
  void Run(const std::function<cusolverStatus_t(size_t*, size_t*)>& size,
           const std::function<cusolverStatus_t(const Room&)>& run) const;

 private:
  void Check(cusolverStatus_t status) const;

  std::string_view op_;
  CudaStream& stream_;
  const SolverTable& lib_;
  std::unique_lock<std::mutex> lock_;
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t params_ = nullptr;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUSOLVER_H_
