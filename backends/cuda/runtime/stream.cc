#include "backends/cuda/runtime/stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/cuda/driver/switches.h"
#include "backends/cuda/runtime/outside_capture.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// SWITCHYARD_CUDA_BLOCKING=1: each operator is waited for, so that what fails is known exactly.
bool Blocking() {
  static const bool blocking = SwitchedOn("SWITCHYARD_CUDA_BLOCKING");
  return blocking;
}

}  // namespace

CudaStream::CudaStream(DeviceState& device, CUstream handle, int priority, bool wrapped)
    : StreamImpl(device.device()),
      state_(device),
      handle_(handle),
      priority_(priority),
      wrapped_(wrapped),
      shared_(wrapped),
      report_(std::make_shared<StreamReport>(device)) {}

void CudaStream::Watch(std::shared_ptr<StreamReport> report) {
  std::lock_guard lock(mutex_);
  if (std::ranges::find(watched_, report) == watched_.end()) watched_.push_back(std::move(report));
}

unsigned* CudaStream::counters() {
  if (unsigned* there = counters_.load(std::memory_order_acquire)) [[likely]]
    return there;
  std::lock_guard lock(mutex_);
  unsigned* there = counters_.load(std::memory_order_relaxed);
  if (there == nullptr) {
    there = static_cast<unsigned*>(state_.TakeZeros(kCounters * sizeof(unsigned)));
    counters_.store(there, std::memory_order_release);
  }
  return there;
}

void CudaStream::CheckReports() {
  report_->Check();
  std::vector<std::shared_ptr<StreamReport>> watched;
  {
    std::lock_guard lock(mutex_);
    watched = watched_;
  }
  for (const auto& report : watched) report->Check();
}

bool CudaStream::IsCapturedByOthers() const {
  if (!shared()) return false;
  // Whoever asks holds the stream, or it is none of others'.
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const InUse on = state_.TryUse();
  return on && Driver().StreamIsCapturing(handle_, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}
bool CudaStream::IsCaptured() const { return capture() != nullptr || IsCapturedByOthers(); }

uint64_t CudaStream::PoolOfCapture() {
  if (const Capture* ours = capture()) return ours->pool().id();
  return shared() ? PoolOfOutsideCapture(*this) : 0;
}

bool CudaStream::Query() {
  RequireNoCapture("asking for a stream");
  const InUse on = state_.Use();
  const CUresult r = Driver().StreamQuery(handle_);
  if (r == CUDA_ERROR_NOT_READY) return false;
  Check(r);
  return true;
}

void CudaStream::Synchronize() {
  RequireNoCapture("waiting for a stream");
  const InUse on = state_.Use();
  Check(Driver().StreamSynchronize(handle_));
  launches_.store(0, std::memory_order_relaxed);
  CheckReports();
}

void CudaStream::Launched(std::string_view op) {
  const unsigned n = launches_.load(std::memory_order_relaxed);
  recent_[n % kRemembered].store(op.data(), std::memory_order_relaxed);
  launches_.store(n + 1, std::memory_order_relaxed);
  if (Blocking() && !IsCaptured()) Synchronize();
}

std::string CudaStream::Recent() const {
  const unsigned launches = launches_.load(std::memory_order_relaxed);
  std::string text = launches > kRemembered ? "…" : "";
  for (unsigned i = launches - std::min(launches, kRemembered); i != launches; ++i) {
    text += text.empty() ? "" : ", ";
    text += recent_[i % kRemembered].load(std::memory_order_relaxed);
  }
  return text.empty() ? "nothing" : text;
}

void CudaStream::RequireNoCapture(std::string_view what) const {
  if (!IsCaptured()) return;
  sy::Fail(ErrorCode::kInvalidArgument,
           {what, " of ", device().str(), ": not while a graph is captured"});
}

namespace {

// What the driver goes on saying of the device, whatever it is asked.
bool Stays(CUresult r) {
  switch (r) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

}  // namespace

void CudaStream::Fail(CUresult result, std::string_view op) {
  if (Stays(result)) {
    const std::string text = state_.SetFailure(
        fmt::format("device '{}': work queued has failed: {}; since it was last waited for, the "
                    "stream was given {}{}",
                    device().str(), Describe(result), Recent(),
                    Blocking() ? "" : " (SWITCHYARD_CUDA_BLOCKING=1 finds the one)"));
    sy::Fail(ErrorCode::kUnavailable, text);
  }
  const std::string what = fmt::format("{}{} on {}", op.empty() ? "a stream" : op,
                                       op.empty() ? "" : "()", device().str());
  FailDriver(result, what);
}

void CudaStream::Dead() noexcept {
  if (!wrapped_) return state_.GiveBack(this);
  std::lock_guard lock(mutex_);
  if (--holders_ > 0) return;  // wrapped again meanwhile
  // Its maker may destroy it: what would have to wait for it waits for an event. Nothing is waited
  // for here, and a capture of others is left alone: what it has recorded does not run yet.
  const InUse on = state_.TryUse();
  if (!on || IsCapturedByOthers()) return;
  if (left_ == nullptr && Driver().EventCreate(&left_, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS)
    left_ = nullptr;
  if (left_ != nullptr) Driver().EventRecord(left_, handle_);
}

void CudaStream::Rewrap() {
  std::lock_guard lock(mutex_);
  Retain();
  if (holders_++ > 0 || left_ == nullptr) return;
  // The driver may have given the name of a stream that has gone to a new one: memory that is
  // reused in its order was the old one's.
  const InUse on = state_.Use();
  if (IsCapturedByOthers()) {
    const RelaxedCapture relaxed;
    Check(Driver().EventSynchronize(left_), "wrapping a stream");
  } else {
    Check(Driver().StreamWaitEvent(handle_, left_, CU_EVENT_WAIT_DEFAULT), "wrapping a stream");
  }
}

Launching::Told Launching::Begin(CudaStream& stream, std::string_view op) {
  Observation& observation = ObservationOf(stream.state());
  return {&observation, observation.Launching(stream, op)};
}

CudaStream& CurrentStreamOf(int index) {
  DeviceState& device = DeviceState::Of(index);
  StreamImpl* chosen = ChosenStream(PlaceOfKey(MakeKey(CudaRow(), DType::kBool, index)));
  return chosen == nullptr ? device.default_stream() : static_cast<CudaStream&>(*chosen);
}

// --- Events ---

namespace {

class CudaEvent final : public EventImpl {
 public:
  CudaEvent(DeviceState& device, bool timed)
      : EventImpl(device.device()), state_(device), stream_(&device.default_stream()) {
    const InUse on = device.Use();
    cuda::Check(Driver().EventCreate(&event_, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
                "making an event");
  }
  void* native() const override { return event_; }
  void Record(StreamImpl& stream) override {
    const InUse on = state_.Use();
    auto& recorded = static_cast<CudaStream&>(stream);
    cuda::Check(Driver().EventRecord(event_, recorded.handle()), "recording an event");
    stream_ = &recorded;
    Capture* capture = recorded.capture();
    capture_ = capture == nullptr ? nullptr : capture->shared_from_this();
  }
  void MakeWait(StreamImpl& stream) override {
    auto& waiting = static_cast<CudaStream&>(stream);
    const InUse on = waiting.state().Use();
    cuda::Check(Driver().StreamWaitEvent(waiting.handle(), event_, CU_EVENT_WAIT_DEFAULT),
                "waiting for an event");
    if (capture_ != nullptr) capture_->Join(waiting);
  }
  bool Query() override {
    RequireNoCapture("asking for an event");
    const InUse on = state_.Use();
    const CUresult r = Driver().EventQuery(event_);
    if (r != CUDA_ERROR_NOT_READY) stream_->Check(r);
    return r == CUDA_SUCCESS;
  }
  void Synchronize() override {
    RequireNoCapture("waiting for an event");
    const InUse on = state_.Use();
    stream_->Check(Driver().EventSynchronize(event_));
    stream_->CheckReports();
  }
  double ElapsedTime(EventImpl& end) override {
    float ms = 0;
    const InUse on = state_.Use();
    cuda::Check(Driver().EventElapsedTime(&ms, event_, static_cast<CudaEvent&>(end).event_),
                "the time between two events");
    return ms;
  }

 protected:
  ~CudaEvent() override {
    if (const InUse on = state_.TryUse()) Driver().EventDestroy(event_);
  }

 private:
  // Of the stream where it was recorded, as long as that is there.
  void RequireNoCapture(std::string_view what) const {
    stream_->WhereverItIs([&](CUstream) { stream_->RequireNoCapture(what); }, [](CUevent) {});
  }

  DeviceState& state_;
  CUevent event_ = nullptr;
  CudaStream* stream_;                // where it was recorded last; streams are for ever
  std::shared_ptr<Capture> capture_;  // during which
};

}  // namespace

EventImpl* NewCudaEvent(int index, bool timed) {
  return new CudaEvent(DeviceState::Of(index), timed);
}

}  // namespace sy::cuda
