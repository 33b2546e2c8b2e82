// What is opened when it is first asked for.
//
//   constinit OnDemand<OpenMp> runtime(Load);
//   if (const OpenMp* omp = runtime.Get()) …
//
// Owns: one T for ever: calls in static destructors use it.
// Threads: any; one opens it, the others wait.
// Errors: what Load throws, and then it is opened anew when it is next asked for; null where Load
// has said that it is not there, which is remembered.
#ifndef SWITCHYARD_CORE_ON_DEMAND_H_
#define SWITCHYARD_CORE_ON_DEMAND_H_

#include <atomic>
#include <memory>
#include <mutex>

#include "switchyard/core/fork.h"

namespace sy {

// T: what is opened, made by default and filled by Load. Objects are static and
// constant-initialised.
template <class T>
class OnDemand {
 public:
  // Fills the T; false: it is not there, and will not be looked for again.
  using Load = bool (*)(T&);
  explicit constexpr OnDemand(Load load) : load_(load) {}

  // Opens it if nobody has; null where it is missing. Costs a load afterwards.
  const T* Get() {
    const T* opened = opened_.load(std::memory_order_acquire);
    return opened != nullptr || missing_.load(std::memory_order_relaxed) ? opened : Open();
  }
  // What there is, without opening it.
  const T* IfOpened() const { return opened_.load(std::memory_order_acquire); }

  // For AtFork. A child leaves what its parent has opened as it is, perhaps in the middle of a
  // call, and opens it anew; or, with `keeps`, goes on with it.
  void OnFork(sy::internal::ForkPhase phase, bool keeps = false) {
    sy::internal::HoldAcross(phase, mutex_);
    if (phase == sy::internal::ForkPhase::kInChild && !keeps)
      opened_.store(nullptr, std::memory_order_relaxed);
  }

 private:
  const T* Open() {
    std::lock_guard lock(mutex_);
    if (const T* opened = opened_.load(std::memory_order_relaxed)) return opened;
    auto made = std::make_unique<T>();
    if (load_(*made)) {
      opened_.store(made.get(), std::memory_order_release);
    } else {
      missing_.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    return made.release();
  }

  const Load load_;
  std::mutex mutex_;
  std::atomic<const T*> opened_{nullptr};
  std::atomic<bool> missing_{false};
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_ON_DEMAND_H_
