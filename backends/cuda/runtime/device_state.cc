#include "backends/cuda/runtime/device_state.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "backends/cuda/device/report.h"
#include "backends/cuda/driver/switches.h"
#include "backends/cuda/runtime/gpu_arena.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

Row CudaRow() {
  static const Row row = InternDeviceType("cuda").row;
  return row;
}

int CountDevices(std::string* reason) {
  struct Counted {
    int n = 0;
    std::string reason;
    Counted() {
      const DriverTable* driver = FindDriver(&reason);
      if (driver == nullptr) return;
      if (const CUresult r = driver->DeviceGetCount(&n); r != CUDA_SUCCESS) {
        reason = Describe(r);
      } else if (n == 0) {
        reason = "NVIDIA's driver finds no device";
      }
    }
  };
  static const Counted* counted = new Counted;
  if (counted->n == 0 && reason != nullptr) *reason = counted->reason;
  return counted->n;
}

namespace {

constexpr int kMostDevices = 64;
constinit std::array<std::atomic<DeviceState*>, kMostDevices> states{};

}  // namespace

DeviceState* DeviceState::Opened(int index) {
  if (index < 0 || index >= kMostDevices) return nullptr;
  return states[static_cast<size_t>(index)].load(std::memory_order_acquire);
}

DeviceState& DeviceState::Of(int index) {
  if (DeviceState* s = Opened(index)) [[likely]]
    return *s;
  std::string reason;
  const int count = CountDevices(&reason);
  if (index < 0 || index >= std::min(count, kMostDevices)) {
    sy::Fail(ErrorCode::kUnavailable, {"device 'cuda:", index, "': there are ", count,
                                       " devices of this type", count == 0 ? ": " + reason : ""});
  }
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  std::atomic<DeviceState*>& state = states[static_cast<size_t>(index)];
  if (state.load(std::memory_order_relaxed) == nullptr)
    state.store(new DeviceState(index), std::memory_order_release);
  return *state.load(std::memory_order_relaxed);
}

DeviceState::DeviceState(int index)
    : index_(index), arena_(NewGpuArena(*this)), memory_(*arena_, "cuda:" + std::to_string(index)) {
  memory_.SetCaching(!SwitchedOff("SWITCHYARD_CUDA_CACHING"));
  const DriverTable& d = Driver();
  CUdevice device;
  Check(d.DeviceGet(&device, index), "finding a device");
  Check(d.DevicePrimaryCtxRetain(&context_, device), "opening a device");
  const InUse on = Use();
  char name[256] = {};
  Check(d.DeviceGetName(name, sizeof name - 1, device), "a device's name");
  Check(d.DeviceTotalMem(&properties_.total_bytes, device), "a device's memory");
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    Check(d.DeviceGetAttribute(&value, which, device), "a device's properties");
    return value;
  };
  properties_.name = name;
  properties_.major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  properties_.minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  properties_.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  properties_.max_threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  properties_.max_shared_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  memory_.SetGrowing(SwitchedOn("SWITCHYARD_CUDA_GROWING_SEGMENTS"));
  default_stream_ = TakeStream(0);
}

void DeviceState::Reach(DeviceState& other) {
  std::lock_guard lock(mutex_);
  if (!reached_.insert(other.index_).second) return;
  const DriverTable& d = Driver();
  CUdevice mine, its;
  int can = 0;
  if (d.DeviceGet(&mine, index_) != CUDA_SUCCESS ||
      d.DeviceGet(&its, other.index_) != CUDA_SUCCESS ||
      d.DeviceCanAccessPeer(&can, mine, its) != CUDA_SUCCESS || can == 0)
    return;
  const InUse on = Use();
  d.CtxEnablePeerAccess(other.context_, 0);  // somebody else may have done so
}

CudaStream* DeviceState::TakeStream(int priority) {
  const InUse on = Use();
  {
    std::lock_guard lock(mutex_);
    std::vector<CudaStream*>& idle = idle_[priority];
    if (!idle.empty()) {
      CudaStream* stream = idle.back();
      idle.pop_back();
      stream->Retain();
      return stream;
    }
  }
  int least = 0, greatest = 0;
  Check(Driver().CtxGetStreamPriorityRange(&least, &greatest), "stream priorities");
  CUstream handle;
  Check(Driver().StreamCreateWithPriority(&handle, CU_STREAM_NON_BLOCKING,
                                          std::clamp(priority, greatest, least)),
        "making a stream");
  auto* stream = new CudaStream(*this, handle, priority, /*wrapped=*/false);
  std::lock_guard lock(mutex_);
  streams_.push_back(stream);
  return stream;
}

void DeviceState::GiveBack(CudaStream* stream) {
  std::lock_guard lock(mutex_);
  idle_[stream->priority()].push_back(stream);
}

CudaStream* DeviceState::Wrap(CUstream native) {
  const InUse on = Use();
  std::lock_guard lock(wrapped_mutex_);
  CudaStream*& stream = wrapped_[native];
  if (stream == nullptr) {
    stream = new CudaStream(*this, native, 0, /*wrapped=*/true);
    std::lock_guard all(mutex_);
    streams_.push_back(stream);
  } else {
    stream->Rewrap();
  }
  return stream;
}

// --- Complaints of kernels

void* DeviceState::TakeReport(void* said) {
  const InUse on = Use();
  void* report = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (!reports_.empty()) {
      report = reports_.back();
      reports_.pop_back();
    }
  }
  if (report == nullptr) {
    const RelaxedCapture relaxed;
    CUdeviceptr p = 0;
    Check(Driver().MemAlloc(&p, sizeof(Report)), "memory for what kernels complain about");
    report = reinterpret_cast<void*>(p);
  }
  const Report fresh{static_cast<Said*>(said), 0};
  try {
    CopyToReport(report, &fresh, sizeof fresh);
  } catch (...) {
    GiveBackReport(report);
    throw;
  }
  return report;
}

void DeviceState::GiveBackReport(void* report) noexcept {
  std::lock_guard lock(mutex_);
  reports_.push_back(report);
}

void DeviceState::ClearReport(void* report) {
  const unsigned free = 0;
  CopyToReport(static_cast<char*>(report) + offsetof(Report, taken), &free, sizeof free);
}

void DeviceState::CopyToReport(void* to, const void* from, size_t bytes) {
  const auto copy = [&](CUstream service) {
    return Driver().MemcpyAsync(reinterpret_cast<CUdeviceptr>(to),
                                reinterpret_cast<CUdeviceptr>(from), bytes, service);
  };
  RunOnService(copy, "a copy to a report");
}

void* DeviceState::TakeZeros(size_t bytes) {
  const InUse on = Use();
  const RelaxedCapture relaxed;
  CUdeviceptr p = 0;
  Check(Driver().MemAlloc(&p, bytes), "memory for counters");
  try {
    RunOnService([&](CUstream service) { return Driver().MemsetD8Async(p, 0, bytes, service); },
                 "setting counters to 0");
  } catch (...) {
    GiveBackZeros(reinterpret_cast<void*>(p));
    throw;
  }
  return reinterpret_cast<void*>(p);
}

void DeviceState::GiveBackZeros(void* zeros) noexcept {
  const RelaxedCapture relaxed;
  if (const InUse on = TryUse()) Driver().MemFree(reinterpret_cast<CUdeviceptr>(zeros));
}

// Done when it returns, whatever others capture meanwhile.
void DeviceState::RunOnService(absl::FunctionRef<CUresult(CUstream)> queue, std::string_view what) {
  const InUse on = Use();
  const RelaxedCapture relaxed;
  std::lock_guard lock(service_mutex_);
  if (service_ == nullptr)
    Check(Driver().StreamCreateWithPriority(&service_, CU_STREAM_NON_BLOCKING, 0),
          "making a stream");
  Check(queue(service_), what);
  Check(Driver().StreamSynchronize(service_), what);
}

void DeviceState::CheckReports() {
  std::vector<CudaStream*> streams;
  {
    std::lock_guard lock(mutex_);
    streams = streams_;
  }
  for (CudaStream* s : streams) s->CheckReports();
}

CUevent DeviceState::TakeEvent() noexcept {
  {
    std::lock_guard lock(mutex_);
    if (!events_.empty()) {
      CUevent event = events_.back();
      events_.pop_back();
      return event;
    }
  }
  CUevent event;
  return Driver().EventCreate(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS ? event : nullptr;
}

void DeviceState::GiveBack(CUevent event) {
  std::lock_guard lock(mutex_);
  events_.push_back(event);
}

void DeviceState::FailUse(CUresult result) const {
  if (default_stream_ != nullptr) default_stream_->Fail(result, "making the device current");
  FailDriver(result, fmt::format("opening cuda:{}", index_));
}

std::string DeviceState::SetFailure(std::string text) {
  std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = std::move(text);
  return failure_;
}

const Properties& GetProperties(int device_index) {
  return DeviceState::Of(device_index).properties();
}
void SetMemoryLimit(int device_index, size_t bytes) {
  DeviceState::Of(device_index).memory().SetLimit(bytes);
}
std::vector<MemorySegment> MemorySnapshot(int device_index) {
  DeviceState* device = DeviceState::Opened(device_index);
  return device == nullptr ? std::vector<MemorySegment>{} : device->memory().Snapshot();
}

}  // namespace sy::cuda
