#include "backends/cuda/runtime/stream.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>

#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// SWITCHYARD_CUDA_BLOCKING=1: each operator is waited for, so that what fails is known exactly.
bool Blocking() {
  static const bool blocking = [] {
    const char* text = std::getenv("SWITCHYARD_CUDA_BLOCKING");
    return text != nullptr && std::string_view(text) == "1";
  }();
  return blocking;
}

[[noreturn]] void FailReport(Report& report) {
  const Report r = report;
  report = {};
  const std::string_view op = OpOfNumber(r.op);
  if (r.complaint == Complaint::kDivisionByZero) {
    Fail(ErrorCode::kInvalidValue,
         {op, "(): other holds a 0, by which integers cannot be divided"});
  }
  if (r.complaint == Complaint::kProbability) {
    Fail(ErrorCode::kInvalidValue,
         {op, "(): probabilities must be 0 to 1, got ", std::bit_cast<double>(int64_t{r.a})});
  }
  if (r.complaint == Complaint::kClass) {
    Fail(ErrorCode::kInvalidValue,
         {op, "(): target must be 0 to ", int64_t{r.b} - 1, ", got ", int64_t{r.a}});
  }
  Fail(ErrorCode::kInvalidValue, {op, "(): index is ", int64_t{r.a}, ", out of range for dim ",
                                  int64_t{r.c}, ", which has size ", int64_t{r.b}});
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
    if (std::atomic_ref(r.taken).load(std::memory_order_acquire) != 0) FailReport(r);
  };
  look(*report_);
  std::lock_guard lock(mutex_);
  for (const auto& report : watched_) look(*report);
}

bool CudaStream::Query() {
  const CUresult r = Driver().StreamQuery(handle_);
  if (r == CUDA_ERROR_NOT_READY) return false;
  Check(r);
  return true;
}

void CudaStream::Synchronize() {
  Check(Driver().StreamSynchronize(handle_));
  CheckReports();
}

void CudaStream::Launched(std::string_view op) {
  {
    std::lock_guard lock(mutex_);
    recent_[launches_++ % kRemembered] = op;
  }
  if (Blocking() && capture_pool() == 0) Synchronize();
}

std::string CudaStream::Recent() const {
  std::lock_guard lock(mutex_);
  std::string text;
  const unsigned n = std::min<unsigned>(launches_, kRemembered);
  for (unsigned i = 0; i < n; ++i) {
    text += i == 0 ? "" : ", ";
    text += recent_[(launches_ - n + i) % kRemembered];
  }
  return text.empty() ? "nothing" : text;
}

void CudaStream::Fail(CUresult result) {
  const std::string text = state_.SetFailure(
      Join({"device '", device().str(), "': work queued has failed: ", Describe(result),
            "; the stream was last given ", Recent(),
            Blocking() ? "" : " (SWITCHYARD_CUDA_BLOCKING=1 finds the one)"}));
  sy::Fail(ErrorCode::kUnavailable, text);
}

void CudaStream::Dead() noexcept {
  if (wrapped_) {
    // Its maker may destroy it: nothing may wait in its order any more.
    Driver().StreamSynchronize(handle_);
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
    device.Use();
    cuda::Check(Driver().EventCreate(&event_, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
                "making an event");
  }
  void* native() const override { return event_; }
  void Record(StreamImpl& stream) override {
    state_.Use();
    cuda::Check(Driver().EventRecord(event_, static_cast<CudaStream&>(stream).handle()),
                "recording an event");
    stream_ = &static_cast<CudaStream&>(stream);
  }
  void MakeWait(StreamImpl& stream) override {
    auto& waiting = static_cast<CudaStream&>(stream);
    waiting.state().Use();
    cuda::Check(Driver().StreamWaitEvent(waiting.handle(), event_, CU_EVENT_WAIT_DEFAULT),
                "waiting for an event");
  }
  bool Query() override {
    const CUresult r = Driver().EventQuery(event_);
    if (r != CUDA_ERROR_NOT_READY) stream_->Check(r);
    return r == CUDA_SUCCESS;
  }
  void Synchronize() override {
    stream_->Check(Driver().EventSynchronize(event_));
    stream_->CheckReports();
  }
  double ElapsedTime(EventImpl& end) override {
    float ms = 0;
    cuda::Check(Driver().EventElapsedTime(&ms, event_, static_cast<CudaEvent&>(end).event_),
                "the time between two events");
    return ms;
  }

 protected:
  ~CudaEvent() override { Driver().EventDestroy(event_); }

 private:
  DeviceState& state_;
  CUevent event_ = nullptr;
  CudaStream* stream_;  // where it was recorded last; streams are for ever
};

}  // namespace

EventImpl* NewCudaEvent(int index, bool timed) {
  return new CudaEvent(DeviceState::Of(index), timed);
}

}  // namespace sy::cuda
