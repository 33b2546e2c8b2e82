// What became of a device's memory, event by event, and a picture of it (memory.h).
//
// Owns: the last events. Threads: any; told under the allocator's lock, it takes its own alone.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_MEMORY_HISTORY_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_MEMORY_HISTORY_H_

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/runtime/caching_allocator.h"

namespace sy::cuda {

class MemoryHistoryKeeper final : public MemoryObserver {
 public:
  // Forgets what there is. 0: none are kept.
  void Keep(size_t max_events);
  std::vector<MemoryEvent> Events() const;

  void Note(MemoryEvent::Kind kind, const void* address, size_t bytes,
            StreamHandle stream) noexcept override;
  // What the thread has allocated since its last launch is this operator's.
  void Launching(std::string_view op);

 private:
  mutable std::mutex mutex_;
  size_t max_ = 0;
  uint64_t first_ = 0;  // the number of the oldest event
  std::deque<MemoryEvent> events_;
};

// A page with a picture: memory over time, cut by who holds it. name: the device's.
std::string PageOfMemory(const std::vector<MemoryEvent>& events, std::string_view name);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_MEMORY_HISTORY_H_
