#include "plugin/stream.h"

#include <algorithm>
#include <thread>

namespace sy::plugin {

// --- Streams ---

Device::State& Queue::Opened() const {
  Device::State& s = owner_.Opened(device().index);
  if (native() == nullptr) {  // the default one of a plugin that was loaded before
    Fail(ErrorCode::kUnavailable,
         {"a stream of ", device().str(), ": plugin '", owner_.plugin(), "' was unloaded"});
  }
  return s;
}

void Queue::WaitQuietly(Device::State& s) noexcept {
  if (s.lost.load(std::memory_order_acquire)) return;
  SyAsyncError error{};
  error.size = sizeof(error);
  const int32_t code =
      owner_.Answered(s, owner_.functions().stream_synchronize(s.device, native(), &error), error);
  if (code != SY_OK) failure_.Set(error, code, s.recent.get());
}

void Queue::CheckFailed(const Device::State& s) const {
  failure_.Check(owner_.NameOf(device().index));
  s.failure.Check(owner_.NameOf(device().index));
}

void Queue::Synchronize() {
  const CallScope scope(owner_.slot());
  Wait(Opened());
}

// Without stream_query: a mark behind everything else. A driver needs a moment to reach it.
int32_t Queue::QueryByEvent(Device::State& s) {
  const SyDeviceFunctions& fn = owner_.functions();
  void* event = owner_.TakeEvent(s, false);
  int32_t code = owner_.Answered(s, fn.event_record(s.device, event, native()));
  if (code == SY_OK) code = fn.event_query(s.device, event);
  if (code == SY_E_NOT_READY) {
    std::this_thread::yield();
    code = fn.event_query(s.device, event);
  }
  owner_.GiveEvent(s, event, false);
  return code;
}

bool Queue::Query() {
  const CallScope scope(owner_.slot());
  Device::State& s = Opened();
  const SyDeviceFunctions& fn = owner_.functions();
  const int32_t code =
      fn.stream_query == nullptr ? QueryByEvent(s) : fn.stream_query(s.device, native());
  if (code == SY_E_NOT_READY) return false;
  if (owner_.Answered(s, code) != SY_OK) failure_.Set({}, code, nullptr);
  CheckFailed(s);
  return true;
}

void Queue::Dead() noexcept {
  if (void* stream = native()) owner_.QueueDies(*this, stream);
  delete this;
}

StreamImpl* Device::DefaultStream(int index) {
  const CallScope scope(slot_);
  return Opened(std::max(index, 0)).default_queue;
}

StreamImpl* Device::NewStream(int index, int priority) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  if (s.stream == nullptr) return nullptr;
  void* stream = nullptr;
  ErrorText error;
  Check(Answered(s, fn_.stream_create(s.device, priority, &stream, error.abi()), error), error,
        {NameOf(index), ": a new stream"});
  try {
    return NewQueue(s, stream, priority, false);
  } catch (...) {
    fn_.stream_destroy(s.device, stream);
    throw;
  }
}

StreamImpl* Device::WrapStream(int index, void* native) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  if (s.stream == nullptr || native == nullptr) return nullptr;
  return NewQueue(s, native, 0, true);
}

Queue* Device::NewQueue(State& s, void* stream, int priority, bool wrapped) {
  std::lock_guard lock(s.mutex);
  s.queues.push_back(nullptr);
  try {
    s.queues.back() = new Queue(*this, s.default_queue->device(), stream, priority, wrapped);
  } catch (...) {
    s.queues.pop_back();
    throw;
  }
  live_streams_.fetch_add(1, std::memory_order_seq_cst);
  return s.queues.back();
}

void Device::QueueDies(Queue& queue, void* stream) noexcept {
  State* s = Find(queue.device().index);  // there: streams that are alive keep the plugin
  {
    std::lock_guard lock(s->mutex);
    std::erase(s->queues, &queue);
  }
  if (IsOurs(*s)) {
    GiveToDriver(*s, s->memory->TakeKept(queue.kept()), stream);
    if (!queue.is_wrapped()) fn_.stream_destroy(s->device, stream);
  }
  live_streams_.fetch_sub(1, std::memory_order_seq_cst);
}

Queue* Device::CurrentQueue(State& s, int index) const {
  if (s.default_queue == nullptr) return nullptr;
  const Row row = s.default_queue->device().type.row;
  StreamImpl* chosen = ChosenStream(PlaceOfKey(MakeKey(row, DType::kBool, index)));
  return chosen == nullptr ? s.default_queue : static_cast<Queue*>(chosen);
}

// --- Events ---

void* Device::TakeEvent(State& s, bool timed) {
  {
    std::lock_guard lock(s.mutex);
    auto& free = s.events[timed ? 1 : 0];
    if (!free.empty()) {
      void* event = free.back();
      free.pop_back();
      return event;
    }
  }
  void* event = nullptr;
  ErrorText error;
  Check(Answered(s, fn_.event_create(s.device, timed ? 1 : 0, &event, error.abi()), error), error,
        {name_, ": a new event"});
  return event;
}

void Device::GiveEvent(State& s, void* event, bool timed) noexcept {
  if (Forked()) return;
  std::lock_guard lock(s.mutex);
  try {
    s.events[timed ? 1 : 0].push_back(event);
  } catch (const std::bad_alloc&) {
    fn_.event_destroy(s.device, event);
  }
}

bool Device::HavePassed(State& s, std::vector<void*>& events, bool wait) noexcept {
  std::erase_if(events, [&](void* event) {
    SyAsyncError ignored{};  // kept by the stream
    ignored.size = sizeof(ignored);
    const auto lost = [&] { return s.lost.load(std::memory_order_acquire); };
    if (wait && !lost()) Answered(s, fn_.event_synchronize(s.device, event, &ignored), ignored);
    const bool done =
        wait || lost() || Answered(s, fn_.event_query(s.device, event)) != SY_E_NOT_READY;
    if (done) GiveEvent(s, event, false);
    return done;
  });
  return events.empty();
}

EventImpl* Device::NewEvent(int index, bool timed) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  live_events_.fetch_add(1, std::memory_order_seq_cst);
  try {
    void* event = TakeEvent(s, timed);
    try {
      return new Mark(*this, s.default_queue->device(), event, timed);
    } catch (...) {
      GiveEvent(s, event, timed);
      throw;
    }
  } catch (...) {
    live_events_.fetch_sub(1, std::memory_order_seq_cst);
    throw;
  }
}

void Device::EventDies(int index, void* event, bool timed) noexcept {
  GiveEvent(*Find(index), event, timed);
  live_events_.fetch_sub(1, std::memory_order_seq_cst);
}

void Mark::Dead() noexcept {
  owner_.EventDies(device().index, event_, timed_);
  delete this;
}

void Mark::Record(StreamImpl& stream) {
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(device().index);
  void* on = stream.native();
  const int32_t code =
      on == nullptr ? SY_E_SHUTDOWN : owner_.functions().event_record(s.device, event_, on);
  if (owner_.Answered(s, code) != SY_OK)
    FailAbi(code, "", Join({device().str(), ": recording an event"}));
}

void Mark::MakeWait(StreamImpl& stream) {
  // Between two devices of a plugin too: the ABI does not say that their drivers know each other.
  if (stream.device() != device()) return Synchronize();
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(device().index);
  void* waits = stream.native();
  const int32_t code =
      waits == nullptr ? SY_E_SHUTDOWN : owner_.functions().event_wait(s.device, event_, waits);
  if (owner_.Answered(s, code) != SY_OK)
    FailAbi(code, "", Join({device().str(), ": waiting for an event"}));
}

bool Mark::Query() {
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(device().index);
  const int32_t code = owner_.Answered(s, owner_.functions().event_query(s.device, event_));
  if (code != SY_OK && code != SY_E_NOT_READY)
    FailAbi(code, "", Join({device().str(), ": asking for an event"}));
  return code == SY_OK;
}

void Mark::Synchronize() {
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(device().index);
  SyAsyncError error{};
  error.size = sizeof(error);
  const int32_t code =
      owner_.Answered(s, owner_.functions().event_synchronize(s.device, event_, &error), error);
  if (code == SY_OK) return;
  AsyncFailure failure;  // the stream keeps it as well, and says so when it is waited for
  failure.Set(error, code, s.recent.get());
  failure.Check(device().str());
}

double Mark::ElapsedTime(EventImpl& end) {
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(device().index);
  uint64_t nanoseconds = 0;
  const int32_t code =
      owner_.functions().event_elapsed(s.device, event_, end.native(), &nanoseconds);
  if (owner_.Answered(s, code) != SY_OK)
    FailAbi(code, "", Join({device().str(), ": the time between two events"}));
  return static_cast<double>(nanoseconds) * 1e-6;
}

}  // namespace sy::plugin
