// How the emulated libraries call LAPACK: on the host, in the emulated device's memory, once their
// stream gets there.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_LAPACK_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_LAPACK_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "backends/cuda/driver/cusolver.h"
#include "backends/cuda/emulator/solver.h"

namespace sy::cuda {

// Null: there is none.
void* Lapack(const char* name);
// LAPACK's function of that letter and name, called with these arguments: those of Fortran, all by
// address, and the lengths of texts.
template <class... A>
void CallLapack(char letter, const char* name, A... arguments) {
  void* const function = Lapack((letter + std::string(name) + '_').c_str());
  reinterpret_cast<void (*)(A...)>(function)(arguments...);
}

template <class N>
constexpr char kLetterOf = std::is_same_v<N, float>       ? 's'
                           : std::is_same_v<N, double>    ? 'd'
                           : std::is_same_v<N, cuComplex> ? 'c'
                                                          : 'z';
template <class N>
constexpr bool kIsComplex = kLetterOf<N> == 'c' || kLetterOf<N> == 'z';
constexpr char TextOf(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
constexpr char TextOf(cublasOperation_t trans) {
  return trans == CUBLAS_OP_N ? 'N' : trans == CUBLAS_OP_T ? 'T' : 'C';
}
constexpr char TextOf(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 'L' : 'R'; }
constexpr char TextOf(cublasDiagType_t diag) { return diag == CUBLAS_DIAG_UNIT ? 'U' : 'N'; }

// A handle, of either library, is the stream that it is set to.
struct Handle {
  CUstream stream = nullptr;
};
template <class H>
CUstream StreamOfHandle(H handle) {
  return reinterpret_cast<Handle*>(handle)->stream;
}
// As EmulatedSolverCalls has them.
inline int solver_calls = 0;
template <class F>
cusolverStatus_t Queue(cusolverDnHandle_t handle, F&& work) {
  ++solver_calls;
  QueueOnHost(StreamOfHandle(handle), std::forward<F>(work));
  return CUSOLVER_STATUS_SUCCESS;
}
template <class F>
cublasStatus_t Queue(cublasHandle_t handle, F&& work) {
  ++solver_calls;
  QueueOnHost(StreamOfHandle(handle), std::forward<F>(work));
  return CUBLAS_STATUS_SUCCESS;
}

// The most matrices of a batch: beyond it some of the libraries' functions fail.
inline constexpr int kMostMatrices = 32767;
// Ends the program that has misused one.
[[noreturn]] void EndBatch(const char* what);
template <class T>
void RequireOn(CUstream stream, const T* p, int64_t count) {
  if (reinterpret_cast<uintptr_t>(p) % alignof(T) != 0) EndBatch("address is not aligned");
  if (!LiesOnDevice(stream, p, static_cast<size_t>(count) * sizeof(T)))
    EndBatch("address is not of the stream's device");
}
// The functions that take a whole batch, but for syevBatched.
void EmulateBatched(SolverTable& table);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_LAPACK_H_
