// NVIDIA's driver, libcuda.so.1: a table of the functions that this backend calls, found when it is
// first asked for.
//
//   Check(Driver().MemGetInfo(&free, &total), "memory information");
//
// Owns: the table lives for the process.
// Threads: any.
// Errors: Driver() throws kUnavailable where there is none; Check throws kOutOfMemory or
// kUnavailable with the driver's own name and words for the failure.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_DRIVER_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_DRIVER_H_

#include <cuda.h>

#include <string>
#include <string_view>

namespace sy::cuda {

#define SY_CUDA_DRIVER_FUNCTIONS(X) \
  X(Init)                           \
  X(GetErrorName)                   \
  X(GetErrorString)                 \
  X(DeviceGetCount)                 \
  X(DeviceGet)                      \
  X(DeviceGetName)                  \
  X(DeviceGetAttribute)             \
  X(DeviceTotalMem)                 \
  X(DeviceCanAccessPeer)            \
  X(DevicePrimaryCtxRetain)         \
  X(CtxGetCurrent)                  \
  X(CtxSetCurrent)                  \
  X(CtxSynchronize)                 \
  X(CtxGetStreamPriorityRange)      \
  X(CtxEnablePeerAccess)            \
  X(MemGetInfo)                     \
  X(MemAlloc)                       \
  X(MemFree)                        \
  X(MemHostAlloc)                   \
  X(MemFreeHost)                    \
  X(MemcpyAsync)                    \
  X(MemcpyPeerAsync)                \
  X(MemsetD8Async)                  \
  X(StreamCreateWithPriority)       \
  X(StreamQuery)                    \
  X(StreamSynchronize)              \
  X(StreamWaitEvent)                \
  X(StreamBeginCapture)             \
  X(StreamEndCapture)               \
  X(EventCreate)                    \
  X(EventDestroy)                   \
  X(EventRecord)                    \
  X(EventQuery)                     \
  X(EventSynchronize)               \
  X(EventElapsedTime)               \
  X(ModuleLoadData)                 \
  X(ModuleGetFunction)              \
  X(LaunchKernel)                   \
  X(GraphInstantiate)               \
  X(GraphLaunch)                    \
  X(GraphDestroy)                   \
  X(GraphExecDestroy)

struct DriverTable {
#define SY_CUDA_MEMBER(name) decltype(&::cu##name) name;
  SY_CUDA_DRIVER_FUNCTIONS(SY_CUDA_MEMBER)
#undef SY_CUDA_MEMBER
};

// Null where there is no driver or it does not start; `why`, if given, then says what is missing.
const DriverTable* FindDriver(std::string* why = nullptr);
const DriverTable& Driver();
// Instead of the library, before anything asks for the driver: what tests put there. The table must
// live for the process.
void UseDriver(const DriverTable& table);

// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
std::string Describe(CUresult result);
[[noreturn]] void FailDriver(CUresult result, std::string_view what);
inline void Check(CUresult result, std::string_view what) {
  if (result != CUDA_SUCCESS) [[unlikely]]
    FailDriver(result, what);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_DRIVER_H_
