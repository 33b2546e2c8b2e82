#include "backends/cuda/runtime/outside_capture.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

struct Pools {
  std::mutex mutex;
  // By the driver's number of the capture, which no other ever has.
  std::map<cuuint64_t, std::shared_ptr<GraphMemory>> captured;
  std::vector<cuuint64_t> gone;
  std::atomic<bool> any_gone{false};
};
Pools& All() {
  static Pools* pools = new Pools;
  return *pools;
}

// Called by the driver, when a graph is gone: it must not be called back.
void GraphHasGone(void* number) {
  const std::unique_ptr<cuuint64_t> id(static_cast<cuuint64_t*>(number));
  Pools& pools = All();
  std::lock_guard lock(pools.mutex);
  pools.gone.push_back(*id);
  pools.any_gone.store(true, std::memory_order_relaxed);
}

// The graph tells when it goes. Where the driver refuses it keeps its memory for good.
void TellWhenGone(CUgraph graph, cuuint64_t id) {
  auto number = std::make_unique<cuuint64_t>(id);
  CUuserObject object;
  if (Driver().UserObjectCreate(&object, number.get(), GraphHasGone, 1,
                                CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) != CUDA_SUCCESS)
    return;
  number.release();  // the object's, and the object is the graph's
  Driver().GraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
}

}  // namespace

uint64_t PoolOfOutsideCapture(CudaStream& stream) {
  const InUse on = stream.state().Use();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  stream.Check(
      Driver().StreamGetCaptureInfo(stream.handle(), &status, &id, &graph, nullptr, nullptr),
      "asking for a capture");
  if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return 0;
  Pools& pools = All();
  std::shared_ptr<GraphMemory> memory;
  bool is_new;
  {
    std::lock_guard lock(pools.mutex);
    std::shared_ptr<GraphMemory>& kept = pools.captured[id];
    is_new = kept == nullptr;
    if (is_new) kept = std::make_shared<GraphMemory>();
    memory = kept;
  }
  if (is_new) TellWhenGone(graph, id);
  memory->UsedOn(stream.state());
  return memory->id();
}

void ReleaseOutsidePools() {
  Pools& pools = All();
  if (!pools.any_gone.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<GraphMemory>> released;  // without the lock
  std::lock_guard lock(pools.mutex);
  for (cuuint64_t id : std::exchange(pools.gone, {})) {
    if (const auto it = pools.captured.find(id); it != pools.captured.end()) {
      released.push_back(std::move(it->second));
      pools.captured.erase(it);
    }
  }
  pools.any_gone.store(false, std::memory_order_relaxed);
}

}  // namespace sy::cuda
