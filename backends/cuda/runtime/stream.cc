#include "backends/cuda/runtime/stream.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "backends/cuda/driver/switches.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// SWITCHYARD_CUDA_BLOCKING=1: each operator is waited for, so that what fails is known exactly.
bool Blocking() {
  static const bool blocking = SwitchedOn("SWITCHYARD_CUDA_BLOCKING");
  return blocking;
}

[[noreturn]] void FailReport(Report& report) {
  const Report r = report;
  report.complaint = Complaint::kNone;
  std::atomic_ref(report.taken).store(0, std::memory_order_release);
  const std::string_view op = OpOfNumber(r.op);
  const int64_t a = r.a, b = r.b, c = r.c;
  switch (r.complaint) {
    case Complaint::kDivisionByZero:
      FailDivisionByZero(op);
    case Complaint::kOutsideUnit:
      FailProbability(op, std::bit_cast<double>(a));
    case Complaint::kClass:
      FailClass(op, a, b);
    case Complaint::kSorter:
      FailSorter(op, a, b);
    case Complaint::kSourceTooShort:
      FailShortSource(op, a);
    case Complaint::kProbability:
      FailWeight(op, std::bit_cast<double>(a), b, c);
    case Complaint::kNoProbability:
      FailNoWeight(op, c);
    case Complaint::kRate:
      FailRate(op, std::bit_cast<double>(a));
    default:
      FailPosition(op, a, c, b);
  }
}

}  // namespace

std::shared_ptr<Report> NewReport() {
  void* p = nullptr;
  Check(Driver().MemHostAlloc(&p, sizeof(Report),
                              CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
        "allocating pinned memory");
  return {new (p) Report{}, [](Report* r) { Driver().MemFreeHost(r); }};
}

CudaStream::CudaStream(DeviceState& device, CUstream handle, int priority, bool wrapped)
    : StreamImpl(device.device()),
      state_(device),
      handle_(handle),
      priority_(priority),
      wrapped_(wrapped),
      report_(NewReport()) {}

void CudaStream::Watch(std::shared_ptr<Report> report) {
  std::lock_guard lock(mutex_);
  if (std::ranges::find(watched_, report) == watched_.end()) watched_.push_back(std::move(report));
}

void CudaStream::CheckReports() {
  const auto look = [](Report& r) {
    if (std::atomic_ref(r.complaint).load(std::memory_order_acquire) != Complaint::kNone)
      FailReport(r);
  };
  look(*report_);
  std::lock_guard lock(mutex_);
  for (const auto& report : watched_) look(*report);
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
  if (Blocking() && capture() == nullptr) Synchronize();
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
  if (capture() == nullptr) return;
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
  if (wrapped_) {
    // Its maker may destroy it: nothing may wait in its order any more.
    if (const InUse on = state_.TryUse()) Driver().StreamSynchronize(handle_);
  } else {
    state_.GiveBack(this);
  }
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
    stream_->RequireNoCapture("asking for an event");
    const InUse on = state_.Use();
    const CUresult r = Driver().EventQuery(event_);
    if (r != CUDA_ERROR_NOT_READY) stream_->Check(r);
    return r == CUDA_SUCCESS;
  }
  void Synchronize() override {
    stream_->RequireNoCapture("waiting for an event");
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
