#include "backends/cuda/emulator/solver.h"

#include <dlfcn.h>

#include <vector>

#include "backends/cuda/driver/cusolver.h"

namespace sy::cuda {
namespace {

void* Lapack(const char* name) {
  static void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

// A handle is the stream that it is set to.
struct Handle {
  CUstream stream = nullptr;
};
cusolverStatus_t Create(cusolverDnHandle_t* handle) {
  *handle = reinterpret_cast<cusolverDnHandle_t>(new Handle);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t CreateParams(cusolverDnParams_t* params) {
  *params = reinterpret_cast<cusolverDnParams_t>(params);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t SetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  reinterpret_cast<Handle*>(handle)->stream = reinterpret_cast<CUstream>(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

// 64 numbers for each row and column are more than enough for LAPACK.
size_t RoomOfGesvd(int64_t m, int64_t n) { return static_cast<size_t>(m + n) * 64 * 16; }

cusolverStatus_t GesvdBufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                 int64_t m, int64_t n, cudaDataType, const void*, int64_t,
                                 cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                 cudaDataType, const void*, int64_t, cudaDataType,
                                 size_t* on_device, size_t* on_host) {
  // What cuSOLVER does not serve.
  if (m < n) return CUSOLVER_STATUS_INVALID_VALUE;
  *on_device = RoomOfGesvd(m, n);
  *on_host = static_cast<size_t>(5 * n) * 8;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t Gesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                       signed char jobvt, int64_t m, int64_t n, cudaDataType type, void* a,
                       int64_t lda, cudaDataType, void* s, cudaDataType, void* u, int64_t ldu,
                       cudaDataType, void* vt, int64_t ldvt, cudaDataType, void* work,
                       size_t work_bytes, void*, size_t host_bytes, int* info) {
  if (m < n || work_bytes < RoomOfGesvd(m, n) || host_bytes < static_cast<size_t>(5 * n) * 8)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const bool complex = type == CUDA_C_32F || type == CUDA_C_64F;
  const char* name = type == CUDA_R_32F   ? "sgesvd_"
                     : type == CUDA_R_64F ? "dgesvd_"
                     : type == CUDA_C_32F ? "cgesvd_"
                                          : "zgesvd_";
  const char left = static_cast<char>(jobu), right = static_cast<char>(jobvt);
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), da = static_cast<int>(lda),
            du = static_cast<int>(ldu), dv = static_cast<int>(ldvt),
            numbers = static_cast<int>(work_bytes / 16);
  // LAPACK's ?gesvd by Fortran's calling convention; complex ones take real numbers to work in.
  using Real =
      void (*)(const char*, const char*, const int*, const int*, void*, const int*, void*, void*,
               const int*, void*, const int*, void*, const int*, int*, size_t, size_t);
  using Complex =
      void (*)(const char*, const char*, const int*, const int*, void*, const int*, void*, void*,
               const int*, void*, const int*, void*, const int*, void*, int*, size_t, size_t);
  void* const function = Lapack(name);
  // Room on the host is of the call alone, which is over when this runs.
  QueueOnHost(reinterpret_cast<Handle*>(handle)->stream, [=] {
    std::vector<char> host(host_bytes);
    if (complex) {
      reinterpret_cast<Complex>(function)(&left, &right, &rows, &columns, a, &da, s, u, &du, vt,
                                          &dv, work, &numbers, host.data(), info, 1, 1);
    } else {
      reinterpret_cast<Real>(function)(&left, &right, &rows, &columns, a, &da, s, u, &du, vt, &dv,
                                       work, &numbers, info, 1, 1);
    }
  });
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

void EmulateSolver() {
  if (Lapack("sgesvd_") == nullptr) return;
  SolverTable table;
  table.Create = Create;
  table.CreateParams = CreateParams;
  table.SetStream = SetStream;
  table.Xgesvd_bufferSize = GesvdBufferSize;
  table.Xgesvd = Gesvd;
  UseSolver(table);
}

}  // namespace sy::cuda
