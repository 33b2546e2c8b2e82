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
#include <type_traits>

namespace sy::cuda {

// Names of CUDA 12, whose drivers are served too.
#define SY_CUDA_DRIVER_FUNCTIONS(X)  \
  X(Init)                            \
  X(DriverGetVersion)                \
  X(GetErrorName)                    \
  X(GetErrorString)                  \
  X(DeviceGetCount)                  \
  X(DeviceGet)                       \
  X(DeviceGetName)                   \
  X(DeviceGetAttribute)              \
  X(DeviceTotalMem)                  \
  X(DeviceCanAccessPeer)             \
  X(DevicePrimaryCtxRetain)          \
  X(CtxGetCurrent)                   \
  X(CtxSetCurrent)                   \
  X(CtxSynchronize)                  \
  X(CtxGetStreamPriorityRange)       \
  X(CtxEnablePeerAccess)             \
  X(PointerGetAttribute)             \
  X(MemGetInfo)                      \
  X(MemAlloc)                        \
  X(MemFree)                         \
  X(MemHostAlloc)                    \
  X(MemFreeHost)                     \
  X(MemAddressReserve)               \
  X(MemAddressFree)                  \
  X(MemGetAllocationGranularity)     \
  X(MemCreate)                       \
  X(MemRelease)                      \
  X(MemMap)                          \
  X(MemUnmap)                        \
  X(MemSetAccess)                    \
  X(MemcpyAsync)                     \
  X(MemcpyPeerAsync)                 \
  X(MemsetD8Async)                   \
  X(StreamCreateWithPriority)        \
  X(StreamQuery)                     \
  X(StreamSynchronize)               \
  X(StreamWaitEvent)                 \
  X(StreamBeginCapture)              \
  X(StreamEndCapture)                \
  X(StreamIsCapturing)               \
  X(ThreadExchangeStreamCaptureMode) \
  X(EventCreate)                     \
  X(EventDestroy)                    \
  X(EventRecord)                     \
  X(EventQuery)                      \
  X(EventSynchronize)                \
  X(ModuleLoadData)                  \
  X(ModuleGetFunction)               \
  X(LaunchKernel)                    \
  X(GraphInstantiate)                \
  X(GraphLaunch)                     \
  X(GraphDestroy)                    \
  X(GraphExecDestroy)                \
  X(UserObjectCreate)                \
  X(GraphRetainUserObject)
// Functions whose names lead to newer ones here, which CUDA 12's drivers lack: by the older names.
#define SY_CUDA_OLDER_FUNCTIONS(X)                                                         \
  X(EventElapsedTime, "cuEventElapsedTime", CUresult(float*, CUevent, CUevent))            \
  X(StreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                                     \
    CUresult(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**, \
             size_t*))

struct DriverTable {
#define SY_CUDA_MEMBER(name) decltype(&::cu##name) name;
  SY_CUDA_DRIVER_FUNCTIONS(SY_CUDA_MEMBER)
#undef SY_CUDA_MEMBER
#define SY_CUDA_MEMBER(name, symbol, type) std::add_pointer_t<type> name;
  SY_CUDA_OLDER_FUNCTIONS(SY_CUDA_MEMBER)
#undef SY_CUDA_MEMBER
};

// Null where there is no driver or it does not start; `why`, if given, then says what is missing.
const DriverTable* FindDriver(std::string* why = nullptr);
const DriverTable& Driver();
// What CUDA it is of: 12 or 13. Without a driver that of the toolkit that this was built with, so
// that compilers and libraries are looked for all the same.
int DriverMajor();
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
