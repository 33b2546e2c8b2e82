// Streams and events of this backend.
//
//   CudaStream& s = StreamOf(key);       // the thread's current one of the key's device
//   s.Launched("add.Tensor");            // for messages about what fails later
//
// Owns: a stream owns its report. The driver's stream belongs to it unless it is wrapped.
// Threads: any.
// Errors: what fails later is thrown by whatever waits: kInvalidValue for what a kernel has
// reported, once; kUnavailable for what the driver reports, which stays.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_H_

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "backends/cuda/device/report.h"
#include "backends/cuda/runtime/device_state.h"
#include "switchyard/core/stream_impl.h"

namespace sy::cuda {

class CudaStream final : public StreamImpl {
 public:
  CudaStream(DeviceState& device, CUstream handle, int priority, bool wrapped);

  void* native() const override { return handle_; }
  int priority() const override { return priority_; }
  bool Query() override;
  void Synchronize() override;

  CUstream handle() const { return handle_; }
  DeviceState& state() const { return state_; }
  // In host memory, at the address by which kernels write it.
  Report* report() const { return report_.get(); }
  std::shared_ptr<Report> shared_report() const { return report_; }
  // Reads what a kernel has reported, and throws it. Everything that was queued is done.
  void CheckReports();
  // The stream also runs what writes this report: a captured graph.
  void Watch(std::shared_ptr<Report> report);

  // `op` lives for the process.
  void Launched(std::string_view op);
  // While a graph is captured: the pool that memory comes from. 0: none is.
  uint64_t capture_pool() const { return capture_pool_.load(std::memory_order_relaxed); }
  void set_capture_pool(uint64_t pool) { capture_pool_.store(pool, std::memory_order_relaxed); }

  // Throws what `result`, which is not success, means for this stream's device.
  [[noreturn]] void Fail(CUresult result);
  void Check(CUresult result) {
    if (result != CUDA_SUCCESS) [[unlikely]]
      Fail(result);
  }

 protected:
  void Dead() noexcept override;

 private:
  static constexpr int kRemembered = 8;
  std::string Recent() const;

  DeviceState& state_;
  const CUstream handle_;
  const int priority_;
  const bool wrapped_;
  std::atomic<uint64_t> capture_pool_{0};
  mutable std::mutex mutex_;
  std::array<std::string_view, kRemembered> recent_{};
  unsigned launches_ = 0;
  const std::shared_ptr<Report> report_;
  std::vector<std::shared_ptr<Report>> watched_;  // of graphs
};

// A report that kernels write and the host reads.
std::shared_ptr<Report> NewReport();

// The calling thread's current stream of a device.
CudaStream& CurrentStreamOf(int index);
inline CudaStream& StreamOf(KeyWord key) { return CurrentStreamOf(IndexOfKey(key)); }

EventImpl* NewCudaEvent(int index, bool timed);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_H_
