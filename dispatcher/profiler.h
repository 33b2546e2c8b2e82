// The profiler: a layer that counts calls and measures their time, by operator, device and dtype.
//
//   Profiler profiler;
//   { Profiler::Scope on(profiler);  RunModel(); }
//   std::cout << profiler.Table();
//   std::ofstream("trace.json") << profiler.ChromeTrace();   // chrome://tracing, ui.perfetto.dev
//
// Operators called by other operators are recorded too; "self" is an operator's time without
// theirs. Times are the host's: of a device with queues, the time until a call has been queued. A
// DeviceScope adds what a device has timed itself, where it does.
// Cost: two looks at the clock and a lock for each call, and its record of 56 bytes.
// Owns: what it recorded.
// Threads: scopes of one profiler may be open in several threads at once; it outlives them all.
// Errors: as RegisterLayer's, where 26 layers are taken. A call is recorded also where it throws.
#ifndef SWITCHYARD_DISPATCHER_PROFILER_H_
#define SWITCHYARD_DISPATCHER_PROFILER_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/dispatcher/layers.h"

namespace sy {

class SY_API Profiler final : public Layer {
 public:
  // One call. Times in ns since the profiler was made, by a clock that never goes back.
  struct Event {
    std::string_view op;  // "add.Tensor"
    // 0 where the call has no tensors.
    KeyWord key;  // device and dtype of the result, or of the first tensor argument
    int64_t begin_ns, end_ns;
    int64_t children_ns;  // spent in operators it called
    int thread;           // 0, 1, … in order of appearance
  };
  // All calls of one operator, device type and dtype; times in ns, their names empty without
  // tensors.
  struct Entry {
    std::string op, device, dtype;
    int64_t calls = 0, total_ns = 0, self_ns = 0, min_ns = 0, max_ns = 0;
  };

  // A layer of order 100, outside of the tracer's. Several may live side by side.
  Profiler();
  ~Profiler() override;

  // Records this thread's calls for as long as it lives.
  class Scope {
   public:
    explicit Scope(const Profiler& p) : on_(p.id_) {}

   private:
    LayerScope on_;
  };

  // Work of a device, as the device has timed it: recorded while a DeviceScope is open.
  struct DeviceEvent {
    std::string name;
    Device device;
    int64_t begin_ns, end_ns;  // as an Event's
    uint64_t stream;           // tells streams apart
  };
  // Has the device time its work for as long as it lives; what it timed is recorded at the end,
  // after a wait for the device. One scope of a device at a time. Errors: kNotImplemented for a
  // device that does not time its work.
  class SY_API DeviceScope {
   public:
    DeviceScope(Profiler& p, Device device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

   private:
    Profiler& profiler_;
    Device device_;
  };

  // Copies of what is recorded so far; other threads may go on recording.
  std::vector<Event> Events() const;              // in order of their ends
  std::vector<DeviceEvent> DeviceEvents() const;  // in the order in which devices gave them
  std::vector<Entry> Entries() const;             // the most total time first
  // The rows for people, times in us.
  std::string Table() const;
  std::string ChromeTrace() const;  // JSON
  int64_t lost() const;             // calls that there was no memory to record
  // Forgets all events; times and thread numbers go on.
  void Clear();

  // The dispatcher's.
  void OnCall(LayerCall& call) override;

 private:
  int64_t Now() const;
  void Record(const LayerCall& call, int64_t begin_ns, int64_t end_ns) noexcept;
  LayerId id_;
  int64_t start_ns_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  std::vector<DeviceEvent> device_events_;
  std::vector<uint64_t> threads_;
  int64_t lost_ = 0;
};

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_PROFILER_H_
