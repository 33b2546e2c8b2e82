// A lock for some instructions: taken by one exchange, given back by a store, half of what
// std::mutex costs where nobody else wants it.
//
//   std::lock_guard lock(mutex_);
//
// Nothing is called under it that waits, allocates or comes from elsewhere.
// Threads: any; who finds it taken lets others run.
#ifndef PLUGIN_BRIEF_MUTEX_H_
#define PLUGIN_BRIEF_MUTEX_H_

#include <atomic>
#include <thread>

#include "switchyard/core/macros.h"

namespace sy::plugin {

class BriefMutex {
 public:
  void lock() noexcept {
    while (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]] Wait();
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  SY_COLD void Wait() const noexcept {
    while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }
  std::atomic<bool> taken_{false};
};

}  // namespace sy::plugin

#endif  // PLUGIN_BRIEF_MUTEX_H_
