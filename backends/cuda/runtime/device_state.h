// A device of this backend at work: its context, default stream and memory. Made when the device is
// first used.
//
//   DeviceState& d = DeviceState::Of(index);
//   const InUse on = d.Use();  // the calling thread's driver calls go to it, as long as `on` lives
//
// Owns: the context, streams that wait for reuse, memory; all of it for the process, since drivers
// are shut down in no known order.
// Threads: any.
// Errors: kUnavailable where there is no such device.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_

#include <absl/functional/function_ref.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/runtime/caching_allocator.h"
#include "switchyard/core/device.h"

namespace sy::cuda {

class CudaStream;
class Observation;

// The row of this backend's devices.
Row CudaRow();
// 0 where there is none: then `reason`, if given, says why.
int CountDevices(std::string* reason);

class DeviceState;

// A device that the calling thread's driver calls go to while this lives. Then they go where the
// program had them go: its current device is its own (cudaSetDevice, other libraries).
class [[nodiscard]] InUse {
 public:
  // first: the device that a program is on which has chosen none, and may be left on.
  InUse(CUcontext context, bool first) noexcept {
    if (Driver().CtxGetCurrent(&before_) == CUDA_SUCCESS && before_ == context) [[likely]]
      return;
    result_ = Driver().CtxSetCurrent(context);
    changed_ = result_ == CUDA_SUCCESS && (before_ != nullptr || !first);
  }
  ~InUse() {
    if (changed_) [[unlikely]]
      Driver().CtxSetCurrent(before_);
  }
  // The same. Errors: kUnavailable.
  inline InUse(CUcontext context, bool first, const DeviceState& device);
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  explicit operator bool() const { return result_ == CUDA_SUCCESS; }

 private:
  CUcontext before_ = nullptr;
  CUresult result_ = CUDA_SUCCESS;
  bool changed_ = false;
};

class DeviceState {
 public:
  static DeviceState& Of(int index);
  // The same, null where nobody has used the device yet: asking must not open it, which takes some
  // 400 MB of its memory.
  static DeviceState* Opened(int index);

  InUse Use() const { return InUse(context_, index_ == 0, *this); }
  // The same where nothing may be thrown. False: the driver is shut down, or the device has failed.
  InUse TryUse() const noexcept { return InUse(context_, index_ == 0); }
  int index() const { return index_; }
  CUcontext context() const { return context_; }
  Device device() const { return {{CudaRow()}, static_cast<int16_t>(index_)}; }
  const Properties& properties() const { return properties_; }
  CudaStream& default_stream() { return *default_stream_; }
  CachingAllocator& memory() { return memory_; }

  // One reference for the caller. Streams are never destroyed: memory that waits in their order
  // stays valid, and the next user of one comes after it.
  CudaStream* TakeStream(int priority);
  void GiveBack(CudaStream* stream);
  CudaStream* Wrap(CUstream native);

  // What kernels write complaints to (device/report.h), which they say in `said`.
  void* TakeReport(void* said);
  void GiveBackReport(void* report) noexcept;
  // No kernel that writes it runs.
  void ClearReport(void* report);

  // Memory of its own, all zeros. Giving it back waits for what uses it.
  void* TakeZeros(size_t bytes);
  void GiveBackZeros(void* zeros) noexcept;

  // Lets this device's copies reach the other's memory without the host, where the hardware can;
  // where it cannot, the driver goes through the host.
  void Reach(DeviceState& other);

  // Throws what a kernel on any of the device's streams has reported. All of them are done.
  void CheckReports();

  // Events without timing, for marks. Null where the driver refuses.
  CUevent TakeEvent() noexcept;
  void GiveBack(CUevent event);

  // Remembers what the driver has said went wrong with the device as a whole. Returns what was said
  // first.
  std::string SetFailure(std::string text);

  // Whether somebody wants to know of each piece of work: what it is, when it is queued, how long
  // it takes (runtime/observation.h).
  bool observed() const { return observation_.load(std::memory_order_relaxed) != nullptr; }
  std::atomic<Observation*>& observation() { return observation_; }

  // How many captures of graphs streams of the device take part in.
  std::atomic<int>& captures() { return captures_; }

 private:
  friend class InUse;
  explicit DeviceState(int index);
  [[noreturn]] void FailUse(CUresult result) const;
  void CopyToReport(void* to, const void* from, size_t bytes);
  void RunOnService(absl::FunctionRef<CUresult(CUstream)> queue, std::string_view what);

  const int index_;
  CUcontext context_ = nullptr;
  Properties properties_;
  const std::unique_ptr<Arena> arena_;
  CachingAllocator memory_;
  std::mutex mutex_;
  CudaStream* default_stream_ = nullptr;
  std::vector<CudaStream*> streams_;              // all there are
  std::map<int, std::vector<CudaStream*>> idle_;  // those of them that nobody holds, by priority
  std::mutex wrapped_mutex_;                      // taken before a stream's own
  std::map<CUstream, CudaStream*> wrapped_;
  std::mutex service_mutex_;
  std::vector<CUevent> events_;
  std::vector<void*> reports_;  // that nobody has
  CUstream service_ = nullptr;  // for small copies that nothing else waits for
  std::set<int> reached_;
  std::string failure_;
  std::atomic<int> captures_{0};
  std::atomic<Observation*> observation_{nullptr};
};

inline InUse::InUse(CUcontext context, bool first, const DeviceState& device)
    : InUse(context, first) {
  if (result_ != CUDA_SUCCESS) [[unlikely]]
    device.FailUse(result_);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_
