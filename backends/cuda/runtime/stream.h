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
#include "backends/cuda/runtime/capture.h"
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

  // `op` is a literal, or the name of a kernel: it lives for the process, and a NUL follows it.
  void Launched(std::string_view op);
  // The graph that is being captured; null: none is.
  Capture* capture() const { return capture_.load(std::memory_order_relaxed); }
  void set_capture(Capture* capture) { capture_.store(capture, std::memory_order_relaxed); }

  // Throws what `result`, which is not success, means for this stream's device. `op`: what asked;
  // empty: whoever waits for the stream.
  [[noreturn]] void Fail(CUresult result, std::string_view op = {});
  void Check(CUresult result, std::string_view op = {}) {
    if (result != CUDA_SUCCESS) [[unlikely]]
      Fail(result, op);
  }
  // Errors: kInvalidArgument while a graph is captured, where nothing can be waited for.
  void RequireNoCapture(std::string_view what) const;

 protected:
  void Dead() noexcept override;

 private:
  static constexpr unsigned kRemembered = 8;
  std::string Recent() const;

  DeviceState& state_;
  const CUstream handle_;
  const int priority_;
  const bool wrapped_;
  std::atomic<Capture*> capture_{nullptr};
  std::atomic<unsigned> launches_{0};  // since it was last waited for
  std::array<std::atomic<const char*>, kRemembered> recent_{};
  const std::shared_ptr<Report> report_;
  std::mutex mutex_;
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
