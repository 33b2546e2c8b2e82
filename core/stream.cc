#include "switchyard/core/stream.h"

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"

namespace sy {

Stream Stream::New(Device device, int priority) {
  const Device at = DeviceOfKey(PlaceOf(device));
  if (at.type == kHost) return {};
  return {at, BackendOf(at.type).NewStream(at.index, priority)};
}

Stream Stream::FromNative(Device device, void* native) {
  const Device at = DeviceOfKey(PlaceOf(device));
  if (at.type == kHost) return {};
  return {at, BackendOf(at.type).WrapStream(at.index, native)};
}

Event Stream::RecordEvent(bool timed) const {
  Event event(timed);
  event.Record(*this);
  return event;
}

void Stream::WaitEvent(const Event& event) const {
  EventImpl* e = event.impl();
  if (e == nullptr) return;
  if (impl_ == nullptr || e->device().type != device_.type) return e->Synchronize();
  e->MakeWait(*impl_);
}

void Stream::WaitStream(const Stream& other) const {
  if (other.impl_ == nullptr || other == *this) return;
  if (impl_ == nullptr || other.device_.type != device_.type) return other.Synchronize();
  WaitEvent(other.RecordEvent());
}

struct Event::State {
  explicit State(bool t) : timed(t) {}
  ~State() {
    if (impl != nullptr) impl->Release();
  }
  const bool timed;
  EventImpl* impl = nullptr;
  Stream recorded;  // drivers need not keep a stream for the events in it
};

Event::Event(bool timed) : state_(std::make_shared<State>(timed)) {}

EventImpl* Event::impl() const { return state_->impl; }
Stream Event::stream() const { return state_->recorded; }

void Event::Record(const Stream& stream) {
  State& s = *state_;
  if (stream.impl() == nullptr) {
    Fail(ErrorCode::kNotImplemented,
         {"an event on ", stream.device().str(), ": the device does not support events"});
  }
  const Device at = stream.device();
  if (s.impl == nullptr) {
    s.impl = BackendOf(at.type).NewEvent(at.index, s.timed);
  } else if (s.impl->device() != at) {
    Fail(ErrorCode::kInvalidArgument,
         {"an event of ", s.impl->device().str(), " cannot be recorded on a stream of ", at.str()});
  }
  s.impl->Record(*stream.impl());
  s.recorded = stream;
}

bool Event::Query() const { return impl() == nullptr || impl()->Query(); }

void Event::Synchronize() const {
  if (impl() != nullptr) impl()->Synchronize();
}

double Event::ElapsedTime(const Event& end) const {
  const auto refuse = [](std::initializer_list<Piece> why) {
    Fail(ErrorCode::kInvalidArgument, {"elapsed time of two events: ", Join(why)});
  };
  if (!state_->timed || !end.state_->timed) refuse({"both must be timed"});
  if (impl() == nullptr || end.impl() == nullptr) refuse({"both must be recorded"});
  if (impl()->device() != end.impl()->device()) {
    refuse({"one is of ", impl()->device().str(), ", the other of ", end.impl()->device().str()});
  }
  if (!Query() || !end.Query())
    Fail(ErrorCode::kBusy, "elapsed time of two events: both must have happened");
  return impl()->ElapsedTime(*end.impl());
}

}  // namespace sy
