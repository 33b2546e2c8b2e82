#include "backends/cuda/runtime/device_state.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "backends/cuda/driver/switches.h"
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

DeviceState& DeviceState::Of(int index) {
  constexpr int kMost = 64;
  static std::array<std::atomic<DeviceState*>, kMost> states{};
  const bool sane = index >= 0 && index < kMost;
  if (sane) {
    if (DeviceState* s = states[static_cast<size_t>(index)].load(std::memory_order_acquire))
        [[likely]]
      return *s;
  }
  std::string reason;
  const int count = CountDevices(&reason);
  if (!sane || index >= count) {
    sy::Fail(ErrorCode::kUnavailable, {"device 'cuda:", index, "': there are ", count,
                                       " devices of this type", count == 0 ? ": " + reason : ""});
  }
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  auto& state = states[static_cast<size_t>(index)];
  if (state.load(std::memory_order_relaxed) == nullptr)
    state.store(new DeviceState(index), std::memory_order_release);
  return *state.load(std::memory_order_relaxed);
}

DeviceState::DeviceState(int index)
    : index_(index), memory_(arena_, "cuda:" + std::to_string(index)) {
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
  std::lock_guard lock(mutex_);
  CudaStream*& stream = wrapped_[native];
  if (stream == nullptr) {
    stream = new CudaStream(*this, native, 0, /*wrapped=*/true);
    streams_.push_back(stream);
  } else {
    stream->Retain();
  }
  return stream;
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

// --- Memory ---

void* DeviceState::GpuArena::Reserve(size_t bytes) {
  const InUse on = device_.Use();
  CUdeviceptr p = 0;
  const CUresult r = Driver().MemAlloc(&p, bytes);
  if (r == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  device_.default_stream_->Check(r, "allocating memory");
  return reinterpret_cast<void*>(p);
}

void DeviceState::GpuArena::Release(void* data) noexcept {
  if (const InUse on = device_.TryUse()) Driver().MemFree(reinterpret_cast<CUdeviceptr>(data));
}

size_t DeviceState::GpuArena::FreeBytes() {
  const InUse on = device_.Use();
  size_t free = 0, total = 0;
  return Driver().MemGetInfo(&free, &total) == CUDA_SUCCESS ? free : 0;
}

const Properties& GetProperties(int device_index) {
  return DeviceState::Of(device_index).properties();
}
void SetMemoryLimit(int device_index, size_t bytes) {
  DeviceState::Of(device_index).memory().SetLimit(bytes);
}
std::vector<MemorySegment> MemorySnapshot(int device_index) {
  return DeviceState::Of(device_index).memory().Snapshot();
}

}  // namespace sy::cuda
