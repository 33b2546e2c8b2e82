// Plans that a library makes for shapes: those of a device that were used last are kept.
//
//   auto& plans = PlanCache<FourierShape, Plan>::Of(device);
//   std::lock_guard lock(plans.mutex);                  // for as long as the plan is used
//   const auto plan = plans.Find(stream, shape, 256, [&] { return std::make_shared<Plan>(…); });
//
// Owns: the plans, for the process. A graph that is captured keeps those that it was captured with.
// Threads: any, one at a time: who holds the mutex.
// Errors: what the maker throws.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_PLAN_CACHE_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_PLAN_CACHE_H_

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

// A graph runs by plans that it was captured with.
template <class Plan>
struct KeptPlan final : BeforeReplay {
  explicit KeptPlan(std::shared_ptr<Plan> p) : plan(std::move(p)) {}
  void Run(CudaStream&) override {}
  const std::shared_ptr<Plan> plan;
};

template <class Shape, class Plan>
class PlanCache {
 public:
  static PlanCache& Of(const DeviceState& device) {
    static std::mutex mutex;
    static auto* all = new std::map<int, PlanCache>;
    std::lock_guard lock(mutex);
    return (*all)[device.index()];
  }

  // make(): called where there is none; most: so many are kept, but while a graph is captured.
  template <class Make>
  std::shared_ptr<Plan> Find(CudaStream& stream, const Shape& shape, size_t most, Make make) {
    if (const auto it = where_.find(shape); it != where_.end()) {
      entries_.splice(entries_.begin(), entries_, it->second);
    } else {
      while (entries_.size() >= most && stream.state().captures() == 0) {  // else they would stay
        where_.erase(entries_.back().first);
        entries_.pop_back();
      }
      std::shared_ptr<Plan> plan = make();
      entries_.emplace_front(shape, std::move(plan));
      where_[shape] = entries_.begin();
    }
    const std::shared_ptr<Plan>& plan = entries_.front().second;
    if (Capture* capture = stream.capture(); capture != nullptr) {
      std::unique_ptr<BeforeReplay>& kept = capture->Action(plan.get());
      if (kept == nullptr) kept = std::make_unique<KeptPlan<Plan>>(plan);
    }
    return plan;
  }

  std::mutex mutex;

 private:
  using Entry = std::pair<Shape, std::shared_ptr<Plan>>;
  std::list<Entry> entries_;  // the last used first
  std::map<Shape, typename std::list<Entry>::iterator> where_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_PLAN_CACHE_H_
