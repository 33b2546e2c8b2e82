// What a device's queues are to the runtime: the classes that a backend with streams and events
// derives from. Users hold Stream and Event (core/stream.h).
//
//   class Queue final : public StreamImpl { … };
//   StreamImpl* ToyBackend::NewStream(int index, int priority) { return new Queue(…); }
//
// Streams and events come together or not at all: a device whose DefaultStream is null does what it
// is asked before it returns. Work on one stream is done in order; work on several is ordered by
// events alone.
// Owns: counted; the last Release calls Dead.
// Threads: counts are atomic, every method from any thread.
// Errors: what was queued and has failed is thrown by whatever waits for it.
#ifndef SWITCHYARD_CORE_STREAM_IMPL_H_
#define SWITCHYARD_CORE_STREAM_IMPL_H_

#include <atomic>
#include <cstdint>

#include "switchyard/core/device.h"
#include "switchyard/core/key_word.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/thread_state.h"

namespace sy {

// One reference from who makes it; the last Release deletes it unless Dead does something else.
class SY_API CountedImpl {
 public:
  explicit CountedImpl(Device device) : device_(device) {}
  CountedImpl(const CountedImpl&) = delete;
  CountedImpl& operator=(const CountedImpl&) = delete;
  Device device() const { return device_; }
  void Retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  // False when the last reference has gone already.
  // For tables that hold no reference and find an object that may be dying.
  bool TryRetain() {
    uint32_t n = refs_.load(std::memory_order_relaxed);
    while (n != 0 && !refs_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n != 0;
  }
  // Any thread may be the last.
  void Release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) Dead();
  }

 protected:
  virtual ~CountedImpl() = default;
  // For a backend that keeps streams for reuse.
  virtual void Dead() noexcept { delete this; }

 private:
  std::atomic<uint32_t> refs_{1};
  const Device device_;
};

// A queue of one device. Query and Synchronize throw what queued work has failed with.
class SY_API StreamImpl : public CountedImpl {
 public:
  using CountedImpl::CountedImpl;
  virtual void* native() const = 0;           // what the device's driver calls it
  virtual int priority() const { return 0; }  // lower goes first
  virtual bool Query() = 0;                   // everything queued is done
  // Returns when everything that was queued before is done.
  virtual void Synchronize() = 0;
};

// A mark in a queue, of one device. Query, Synchronize: of the mark that was recorded last.
class SY_API EventImpl : public CountedImpl {
 public:
  using CountedImpl::CountedImpl;
  virtual void* native() const = 0;
  // Marks the place that `stream`, one of the event's device, has reached.
  virtual void Record(StreamImpl& stream) = 0;
  // `stream`, of the same device type, goes on when the mark is reached.
  virtual void MakeWait(StreamImpl& stream) = 0;
  virtual bool Query() = 0;
  virtual void Synchronize() = 0;
  // Milliseconds from this mark to that of `end`; both are timed and reached.
  virtual double ElapsedTime(EventImpl& end) = 0;
};

namespace internal {
// Null where the thread has chosen none at that place.
SY_API StreamImpl* FindChosen(const ThreadPlaces& places, KeyWord place);
}  // namespace internal

// The stream that this thread has chosen for a place (PlaceOfKey: row and index); null: the
// device's default one. Borrowed. Threads that have chosen nothing pay for one load.
inline StreamImpl* ChosenStream(KeyWord place) {
  const internal::ThreadPlaces* p = thread_state.places;
  return p == nullptr ? nullptr : internal::FindChosen(*p, place);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_STREAM_IMPL_H_
