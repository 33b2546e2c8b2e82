// A plugin's streams and events as the runtime sees them.
//
// A stream keeps the failure of what was queued on it: whoever waits for it gets that, again and
// again. The default stream of a device may outlive its plugin; it says then that it is gone.
// Owns: what the plugin has made, until the last reference or the plugin goes.
// Threads: any.
// Errors: kUnavailable for work that was queued and has failed, and when the plugin is gone.
#ifndef PLUGIN_STREAM_H_
#define PLUGIN_STREAM_H_

#include <atomic>
#include <string>

#include "plugin/device.h"
#include "switchyard/core/stream.h"

namespace sy::plugin {

class Queue final : public StreamImpl {
 public:
  // wrapped: somebody else keeps it
  Queue(Device& owner, sy::Device at, void* stream, int priority, bool wrapped = false)
      : StreamImpl(at), owner_(owner), stream_(stream), priority_(priority), wrapped_(wrapped) {}
  void* native() const override { return stream_.load(std::memory_order_acquire); }
  int priority() const override { return priority_; }
  bool is_wrapped() const { return wrapped_; }
  bool Query() override;
  void Synchronize() override;

  // Inside a CallScope of the plugin.
  void WaitQuietly(Device::State& s) noexcept;  // a failure is kept
  void Wait(Device::State& s) {
    WaitQuietly(s);
    CheckFailed(s);
  }
  void CheckFailed(const Device::State& s) const;
  // Memory that was freed in its order; guarded by the lock of its device's memory.
  KeptBlocks& kept() { return kept_; }
  // Its plugin is going.
  void Detach() { stream_.store(nullptr, std::memory_order_release); }

 private:
  void Dead() noexcept override;
  int32_t QueryByEvent(Device::State& s);
  Device::State& Opened() const;  // Errors: kUnavailable when its plugin is gone

  Device& owner_;
  std::atomic<void*> stream_;
  const int priority_;
  const bool wrapped_;
  AsyncFailure failure_;
  KeptBlocks kept_;
};

class Mark final : public EventImpl {
 public:
  Mark(Device& owner, sy::Device at, void* event, bool timed)
      : EventImpl(at), owner_(owner), event_(event), timed_(timed) {}
  void* native() const override { return event_; }
  void Record(StreamImpl& stream) override;
  void MakeWait(StreamImpl& stream) override;
  bool Query() override;
  void Synchronize() override;
  double ElapsedTime(EventImpl& end) override;

 private:
  void Dead() noexcept override;

  Device& owner_;
  void* const event_;
  const bool timed_;
};

}  // namespace sy::plugin

#endif  // PLUGIN_STREAM_H_
