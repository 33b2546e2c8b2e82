// Streams and events: the order of a device's work.
//
//   Stream copies = Stream::New(ParseDevice("cuda:0"));
//   Event loaded;
//   { StreamGuard guard(copies);  copy_(x, pinned, true);  loaded.Record(copies); }
//   CurrentStream(x.device()).WaitEvent(loaded);     // kernels queued from here on see x
//
// A device without queues (cpu, meta) has one stream, on which everything is done already, and no
// events. A stream that waits for an event of another kind of device makes the calling thread wait:
// drivers know nothing of each other.
// Owns: copies share. A stream lives until its last handle, tensor and event are gone.
// Threads: any; who records an event while others use it arranges the order.
// Errors: kNotImplemented for events of a device without queues; kUnavailable when what was queued
// has failed, naming the call, from whatever waits for it.
#ifndef SWITCHYARD_CORE_STREAM_H_
#define SWITCHYARD_CORE_STREAM_H_

#include <memory>
#include <utility>

#include "switchyard/core/device.h"
#include "switchyard/core/stream_impl.h"

namespace sy {

class Event;

class SY_API Stream {
 public:
  Stream() = default;  // the host's
  // A new queue of a device; the one stream there is where it has no queues. Lower numbers go
  // first, as the device understands them. An open index means the current device.
  // Errors: kUnavailable where there is no such device.
  static Stream New(Device device, int priority = 0);
  // One that another library has made, by what the driver calls it; it outlives all handles.
  static Stream FromNative(Device device, void* native);
  // Takes over a reference on `owned`, which may be null.
  Stream(Device device, StreamImpl* owned) : device_(device), impl_(owned) {}
  Stream(const Stream& o) : Stream(o.device_, o.impl_) {
    if (impl_ != nullptr) impl_->Retain();
  }
  Stream(Stream&& o) noexcept : device_(o.device_), impl_(std::exchange(o.impl_, nullptr)) {}
  Stream& operator=(Stream o) noexcept {
    std::swap(device_, o.device_);
    std::swap(impl_, o.impl_);
    return *this;
  }
  ~Stream() {
    if (impl_ != nullptr) impl_->Release();
  }

  Device device() const { return device_; }
  StreamImpl* impl() const { return impl_; }  // null: done when a call returns
  void* native_handle() const { return impl_ == nullptr ? nullptr : impl_->native(); }
  int priority() const { return impl_ == nullptr ? 0 : impl_->priority(); }
  // Whether everything queued is done; it does not wait. True where there are no queues.
  bool Query() const { return impl_ == nullptr || impl_->Query(); }
  // Makes the calling thread wait for everything that was queued here before.
  void Synchronize() const {
    if (impl_ != nullptr) impl_->Synchronize();
  }
  // A new event, recorded here. timed: for ElapsedTime. Errors: kNotImplemented where there are no
  // queues.
  Event RecordEvent(bool timed = false) const;
  // What is queued from here on waits for the event, or for what the other stream has by now; the
  // calling thread does, where the kinds of device differ or this one has no queues. An event never
  // recorded is waited for by nobody.
  void WaitEvent(const Event& event) const;
  void WaitStream(const Stream& other) const;
  friend bool operator==(const Stream& a, const Stream& b) {
    return a.device_ == b.device_ && a.impl_ == b.impl_;
  }

 private:
  Device device_{kHost};
  StreamImpl* impl_ = nullptr;
};

// A mark in a stream. It belongs to the device on whose stream it is first recorded; one that was
// never recorded has happened. Copies are the same event.
class SY_API Event {
 public:
  // timed: costs the device more, and is what ElapsedTime needs.
  explicit Event(bool timed = false);
  // Errors also: kInvalidArgument for a stream of another device than before.
  void Record(const Stream& stream);
  void Wait(const Stream& stream) const { stream.WaitEvent(*this); }
  // Whether the mark is reached; it does not wait.
  bool Query() const;
  // Makes the calling thread wait until it is.
  void Synchronize() const;
  // Milliseconds. Errors: kInvalidArgument unless both are timed, recorded and of one device,
  // kBusy when one has not happened yet.
  double ElapsedTime(const Event& end) const;
  // Where it was recorded last; the host before that.
  Stream stream() const;
  EventImpl* impl() const;  // null before the first Record

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_STREAM_H_
