// A device of this backend at work: its context, default stream and memory. Made when the device is
// first used.
//
//   DeviceState& d = DeviceState::Of(index);
//   d.Use();                    // the calling thread's driver calls go to it
//
// Owns: the context, streams that wait for reuse, memory; all of it for the process, since drivers
// are shut down in no known order.
// Threads: any.
// Errors: kUnavailable where there is no such device.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/runtime/caching_allocator.h"
#include "backends/cuda/runtime/marks.h"
#include "switchyard/core/device.h"

namespace sy::cuda {

class CudaStream;

// The row of this backend's devices.
Row CudaRow();
// 0 where there is none: then `reason`, if given, says why.
int CountDevices(std::string* reason);

class DeviceState {
 public:
  static DeviceState& Of(int index);

  void Use() const {
    if (const CUresult r = Driver().CtxSetCurrent(context_); r != CUDA_SUCCESS) [[unlikely]]
      FailUse(r);
  }
  // The same where nothing may be thrown. False: the driver is shut down, or the device has failed.
  bool TryUse() const noexcept { return Driver().CtxSetCurrent(context_) == CUDA_SUCCESS; }
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

  // Lets this device's copies reach the other's memory without the host, where the hardware can;
  // where it cannot, the driver goes through the host.
  void Reach(DeviceState& other);

  // Throws what a kernel on any of the device's streams has reported. All of them are done.
  void CheckReports();

  // Events without timing, for marks.
  CUevent TakeEvent();
  void GiveBack(CUevent event);

  // Remembers what the driver has said went wrong with the device as a whole. Returns what was said
  // first.
  std::string SetFailure(std::string text);

  // How many captures of graphs streams of the device take part in.
  std::atomic<int>& captures() { return captures_; }

 private:
  explicit DeviceState(int index);
  [[noreturn]] void FailUse(CUresult result) const;

  class GpuArena final : public MarkedArena {
   public:
    explicit GpuArena(DeviceState& device) : device_(device) {}
    void* Reserve(size_t bytes) override;
    void Release(void* data) noexcept override;
    size_t FreeBytes() override;
    size_t TotalBytes() override { return device_.properties_.total_bytes; }

   private:
    DeviceState& device_;
  };

  const int index_;
  CUcontext context_ = nullptr;
  Properties properties_;
  GpuArena arena_{*this};
  CachingAllocator memory_;
  std::mutex mutex_;
  CudaStream* default_stream_ = nullptr;
  std::vector<CudaStream*> streams_;              // all there are
  std::map<int, std::vector<CudaStream*>> idle_;  // those of them that nobody holds, by priority
  std::map<CUstream, CudaStream*> wrapped_;
  std::vector<CUevent> events_;
  std::set<int> reached_;
  std::string failure_;
  std::atomic<int> captures_{0};
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_DEVICE_STATE_H_
