// Streams and events of this backend.
//
//   CudaStream& s = StreamOf(key);       // the thread's current one of the key's device
//   Launching launching(s, "add.Tensor");
//   …queue it…
//   launching.Done();                    // and what fails later can be named
//
// Owns: a stream owns its report. The driver's stream belongs to it unless it is wrapped: then it
// is there as long as somebody holds the object, and what it was given until then can be waited for
// later. Objects themselves live for the process.
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
#include <utility>
#include <vector>

#include "backends/cuda/runtime/capture.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/runtime/observation.h"
#include "backends/cuda/runtime/stream_report.h"
#include "switchyard/core/stream_impl.h"

namespace sy::cuda {

class CudaStream final : public StreamImpl {
 public:
  CudaStream(DeviceState& device, CUstream handle, int priority, bool wrapped);

  // From here on others may give it work and capture it.
  void* native() const override {
    shared_.store(true, std::memory_order_relaxed);
    return handle_;
  }
  int priority() const override { return priority_; }
  bool Query() override;
  void Synchronize() override;

  CUstream handle() const { return handle_; }
  DeviceState& state() const { return state_; }
  // At the address by which kernels write it.
  Report* report() const { return report_->on_device(); }
  std::shared_ptr<StreamReport> shared_report() const { return report_; }
  // So many counters of blocks that are done, 0 while no launch of the stream uses them, in the
  // device's memory: the stream's own, for ever. Not for what is captured.
  static constexpr int64_t kCounters = 1024;
  unsigned* counters();

  // Reads what a kernel has reported, and throws it. Everything that was queued is done.
  void CheckReports();
  // The stream also runs what writes this report: a captured graph.
  void Watch(std::shared_ptr<StreamReport> report);

  // The graph of ours that is being captured; null: none is.
  Capture* capture() const { return capture_.load(std::memory_order_relaxed); }
  void set_capture(Capture* capture) { capture_.store(capture, std::memory_order_relaxed); }
  // Whether the driver's stream is in others' hands, who may capture it themselves.
  bool shared() const { return shared_.load(std::memory_order_relaxed); }
  // Whether somebody captures it, we or others.
  bool IsCaptured() const;
  // Where its memory comes from: the pool of the graph that is being captured, by us or by others;
  // 0: none is.
  uint64_t PoolOfCapture();

  // Calls f(handle) as long as the driver's stream is there for sure; else, of one that was wrapped
  // and that nobody holds any more, gone(event): reached once it has done what it was given, null
  // where there is nothing to wait for.
  template <class F, class G>
  auto WhereverItIs(const F& f, const G& gone) {
    if (!wrapped_) return f(handle_);
    std::lock_guard lock(mutex_);
    return holders_ > 0 ? f(handle_) : gone(left_);
  }
  // Of a wrapped stream: somebody wraps it again.
  void Rewrap();

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
  friend class Launching;
  static constexpr unsigned kRemembered = 8;
  std::string Recent() const;
  bool IsCapturedByOthers() const;
  void Launched(std::string_view op);

  DeviceState& state_;
  const CUstream handle_;
  const int priority_;
  const bool wrapped_;
  mutable std::atomic<bool> shared_;
  std::atomic<Capture*> capture_{nullptr};
  std::atomic<unsigned> launches_{0};  // since it was last waited for
  std::array<std::atomic<const char*>, kRemembered> recent_{};
  const std::shared_ptr<StreamReport> report_;
  std::atomic<unsigned*> counters_{nullptr};  // from when they are first asked for
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<StreamReport>> watched_;  // of graphs
  int holders_ = 1;         // of a wrapped one: times that it was wrapped and not let go since
  CUevent left_ = nullptr;  // when it was let go last
};

// Around what a thread queues on a stream, of which those are told who observe the device. `op` is
// a literal, or the name of a kernel: it lives for the process, and a NUL follows it. What ends
// without Done has queued nothing: a library has refused, or something was thrown.
class Launching {
 public:
  Launching(CudaStream& stream, std::string_view op) : stream_(stream), op_(op) {
    if (stream.state().observed()) [[unlikely]]
      told_ = Begin(stream, op);
  }
  Launching(const Launching&) = delete;
  ~Launching() {
    if (told_.observation != nullptr) [[unlikely]]
      told_.observation->Refused(told_.piece);
  }
  // It is queued. With SWITCHYARD_CUDA_BLOCKING=1 it waits, and throws what the stream fails with.
  void Done() {
    if (told_.observation != nullptr) [[unlikely]]
      std::exchange(told_.observation, nullptr)->Launched(stream_, told_.piece);
    stream_.Launched(op_);
  }

 private:
  // Who was told that it begins, and not yet that it has ended.
  struct Told {
    Observation* observation = nullptr;
    uint64_t piece = 0;
  };
  static Told Begin(CudaStream& stream, std::string_view op);

  CudaStream& stream_;
  const std::string_view op_;
  Told told_;
};

// The calling thread's current stream of a device.
CudaStream& CurrentStreamOf(int index);
inline CudaStream& StreamOf(KeyWord key) { return CurrentStreamOf(IndexOfKey(key)); }

EventImpl* NewCudaEvent(int index, bool timed);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_H_
