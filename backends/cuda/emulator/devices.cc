#include "backends/cuda/emulator/devices.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "backends/cuda/emulator/streams.h"

namespace sy::cuda::emulated {
namespace {

// An H200 has 132; other numbers for what depends on them.
int Processors() {
  static const int processors = [] {
    const char* given = std::getenv("SWITCHYARD_EMULATOR_PROCESSORS");
    return given == nullptr ? 132 : std::atoi(given);
  }();
  return processors;
}

CUcontext ContextOf(int device) { return reinterpret_cast<CUcontext>(uintptr_t(device) + 1); }

thread_local CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
CUresult ExchangeCaptureMode(CUstreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return CUDA_SUCCESS;
}

}  // namespace

int DeviceOf(CUcontext context) {
  return static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1;
}

CUresult Ready() { return current < 0 ? CUDA_ERROR_INVALID_CONTEXT : devices[current].failed; }

CUresult ReadyForUnsafe() {
  if (Ready() != CUDA_SUCCESS || global_captures == 0) return Ready();
  if (capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  global_capture_broken = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

namespace {

CUresult DeviceGetCount(int* n) {
  *n = kDevices;
  return CUDA_SUCCESS;
}
CUresult DeviceGet(CUdevice* device, int index) {
  *device = index;
  return index >= 0 && index < kDevices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult DeviceGetName(char* name, int n, CUdevice) {
  std::snprintf(name, static_cast<size_t>(n), "emulated on the host");
  return CUDA_SUCCESS;
}
CUresult DeviceTotalMem(size_t* n, CUdevice) {
  *n = kTotal;
  return CUDA_SUCCESS;
}
CUresult DeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR         ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR       ? 0
           : which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT           ? Processors()
           : which == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                         : 48 << 10;
  return CUDA_SUCCESS;
}
CUresult DeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  *can = 1;
  return CUDA_SUCCESS;
}
CUresult PrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = ContextOf(device);
  return CUDA_SUCCESS;
}
CUresult CtxGetCurrent(CUcontext* context) {
  *context = ContextOf(current);
  return CUDA_SUCCESS;
}
CUresult CtxSetCurrent(CUcontext context) {
  current = DeviceOf(context);
  return CUDA_SUCCESS;
}
CUresult CtxSynchronize() {
  if (Ready() != CUDA_SUCCESS) return Ready();
  if (devices[current].captures != 0) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  FinishAll(current);
  return CUDA_SUCCESS;
}
CUresult CtxEnablePeerAccess(CUcontext, unsigned) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  return std::exchange(devices[current].reaches_other, true)
             ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
             : CUDA_SUCCESS;
}
CUresult PriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return Ready();
}
CUresult Init(unsigned) { return CUDA_SUCCESS; }
CUresult DriverGetVersion(int* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult GetErrorName(CUresult r, const char** name) {
  constexpr std::pair<CUresult, const char*> kNames[] = {
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
      {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
      {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
      {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
      {CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT"}};
  *name = "CUDA_ERROR_INVALID_VALUE";
  for (const auto& [result, text] : kNames) {
    if (result == r) *name = text;
  }
  return CUDA_SUCCESS;
}
CUresult GetErrorString(CUresult, const char** text) {
  *text = "said by the emulator";
  return CUDA_SUCCESS;
}

}  // namespace

void AddDevices(DriverTable& t) {
  t.Init = Init;
  t.DriverGetVersion = DriverGetVersion;
  t.ThreadExchangeStreamCaptureMode = ExchangeCaptureMode;
  t.GetErrorName = GetErrorName;
  t.GetErrorString = GetErrorString;
  t.DeviceGetCount = DeviceGetCount;
  t.DeviceGet = DeviceGet;
  t.DeviceGetName = DeviceGetName;
  t.DeviceGetAttribute = DeviceGetAttribute;
  t.DeviceTotalMem = DeviceTotalMem;
  t.DeviceCanAccessPeer = DeviceCanAccessPeer;
  t.DevicePrimaryCtxRetain = PrimaryCtxRetain;
  t.CtxGetCurrent = CtxGetCurrent;
  t.CtxSetCurrent = CtxSetCurrent;
  t.CtxSynchronize = CtxSynchronize;
  t.CtxGetStreamPriorityRange = PriorityRange;
  t.CtxEnablePeerAccess = CtxEnablePeerAccess;
}

}  // namespace sy::cuda::emulated
