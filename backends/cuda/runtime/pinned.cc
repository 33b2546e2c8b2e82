#include "backends/cuda/runtime/pinned.h"

#include <atomic>

#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/runtime/marks.h"
#include "backends/cuda/runtime/relaxed_capture.h"

namespace sy::cuda {
namespace {

class PinnedArena final : public MarkedArena {
 public:
  void* Reserve(size_t bytes) override {
    const RelaxedCapture relaxed;
    void* p = nullptr;
    const CUresult r =
        Driver().MemHostAlloc(&p, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    Check(r, "allocating pinned memory");
    return p;
  }
  void Release(void* data) noexcept override {
    const RelaxedCapture relaxed;
    if (const InUse on = device.load()->TryUse()) Driver().MemFreeHost(data);
  }
  size_t FreeBytes() override { return 0; }  // the host's to know
  size_t TotalBytes() override { return 0; }

  std::atomic<const DeviceState*> device{nullptr};  // that asked last: memory is pinned for all
};

// Blocks belong to no stream: the host itself uses them as soon as it has them. What a stream uses
// is recorded with it.
class Pinned final : public Allocator {
 public:
  Allocation Allocate(const AllocationRequest& r) override {
    const DeviceState& device = DeviceState::Of(r.device_index);
    const InUse on = device.Use();
    arena_.device.store(&device);
    CachingAllocator::Block* block = memory_.Allocate(r.bytes, nullptr, 0);
    return {CachingAllocator::DataOf(block), block};
  }
  void Free(const Allocation& a, size_t) noexcept override {
    CachingAllocator::Free(static_cast<CachingAllocator::Block*>(a.context));
  }
  void RecordStream(const Allocation& a, StreamHandle stream) override {
    CachingAllocator::RecordStream(static_cast<CachingAllocator::Block*>(a.context), stream);
  }
  bool is_pinned() const override { return true; }
  MemoryStats Stats(int) const override { return memory_.Stats(); }
  void ResetPeak(int) override { memory_.ResetPeak(); }
  void Trim() override { memory_.Trim(); }

 private:
  PinnedArena arena_;
  CachingAllocator memory_{arena_, "pinned host memory of cuda"};
};

}  // namespace

Allocator* PinnedAllocator() {
  static Pinned* pinned = new Pinned;
  return pinned;
}

}  // namespace sy::cuda
