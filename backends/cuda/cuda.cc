// The cuda device: NVIDIA's GPUs, through the driver alone.

#include "backends/cuda/driver/library.h"
#include "backends/cuda/memory.h"
#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/runtime/borrowed.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/runtime/observation.h"
#include "backends/cuda/runtime/outside_capture.h"
#include "backends/cuda/runtime/pinned.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

CUdeviceptr Address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

class CudaBackend final : public DeviceBackend, public Allocator {
 public:
  int Count(std::string* reason) override { return CountDevices(reason); }
  Allocator* allocator() override { return this; }
  Allocator* pinned_allocator() override { return PinnedAllocator(); }

  void CopyFromHost(void* dst, const void* src, size_t n, int index, StreamHandle s) override {
    CopyBytes(dst, src, n, index, s);
  }
  void CopyToHost(void* dst, const void* src, size_t n, int index, StreamHandle s) override {
    CopyBytes(dst, src, n, index, s);
  }
  void CopyWithin(void* dst, const void* src, size_t n, int index, StreamHandle s) override {
    CopyBytes(dst, src, n, index, s);
  }

  // Queued on the current stream of the device that is copied from, between what the current
  // streams of both were given before and are given later. Nothing waits for it here: the host's
  // part is done, and memory of both devices is freed in their streams' order.
  bool CopyFromDevice(void* dst, int index, DeviceBackend& from, const void* src, int from_index,
                      size_t bytes) override {
    if (&from != this) return false;
    CudaStream &to = CurrentStreamOf(index), &stream = CurrentStreamOf(from_index);
    stream.state().Reach(to.state());
    Follow(stream, to);
    Launching launching(stream, "copy");
    const InUse on = stream.state().Use();
    stream.Check(Driver().MemcpyPeerAsync(Address(dst), to.state().context(), Address(src),
                                          stream.state().context(), bytes, stream.handle()),
                 "copy");
    launching.Done();
    Follow(to, stream);
    return true;
  }

  void Synchronize(int index) override {
    DeviceState& device = DeviceState::Of(index);
    if (device.captures() != 0) {
      Fail(ErrorCode::kInvalidArgument,
           {"waiting for cuda:", index, ": not while a graph is captured"});
    }
    const InUse on = device.Use();
    device.default_stream().Check(Driver().CtxSynchronize(), "Synchronize");
    BorrowedMemory().GiveBack(/*wait=*/false);
    device.CheckReports();
  }
  StreamImpl* DefaultStream(int index) override { return &DeviceState::Of(index).default_stream(); }
  StreamImpl* NewStream(int index, int priority) override {
    return DeviceState::Of(index).TakeStream(priority);
  }
  EventImpl* NewEvent(int index, bool timed) override { return NewCudaEvent(index, timed); }
  StreamImpl* WrapStream(int index, void* native) override {
    return DeviceState::Of(index).Wrap(static_cast<CUstream>(native));
  }

  Adopted Adopt(void* handle, size_t, int index, std::function<void()> on_free) override {
    Borrowed& lent = BorrowedMemory();
    return {&lent, lent.Take(handle, DeviceState::Of(index), std::move(on_free))};
  }

  std::vector<Attribute> Attributes(int index) override;
  bool StartTiming(int index) override {
    ObservationOf(DeviceState::Of(index)).StartTiming();
    return true;
  }
  std::vector<TimedWork> StopTiming(int index) override {
    return ObservationOf(DeviceState::Of(index)).StopTiming();
  }

  // --- Allocator
  Allocation Allocate(const AllocationRequest& r) override {
    auto& stream =
        r.stream == nullptr ? CurrentStreamOf(r.device_index) : static_cast<CudaStream&>(*r.stream);
    ReleaseOutsidePools();
    BorrowedMemory().GiveBack(/*wait=*/false);
    const uint64_t pool = r.pool != 0 ? r.pool : stream.PoolOfCapture();
    CachingAllocator::Block* block = stream.state().memory().Allocate(r.bytes, &stream, pool);
    return {CachingAllocator::DataOf(block), block};
  }
  void Free(const Allocation& a, size_t) noexcept override {
    CachingAllocator::Free(static_cast<CachingAllocator::Block*>(a.context));
  }
  void RecordStream(const Allocation& a, StreamHandle stream) override {
    CachingAllocator::RecordStream(static_cast<CachingAllocator::Block*>(a.context), stream);
  }
  // What only looks at devices, or gives back, opens none.
  MemoryStats Stats(int index) const override {
    DeviceState* device = DeviceState::Opened(index);
    return device == nullptr ? MemoryStats{} : device->memory().Stats();
  }
  void ResetPeak(int index) override {
    if (DeviceState* device = DeviceState::Opened(index)) device->memory().ResetPeak();
  }
  void Trim() override {
    ReleaseOutsidePools();
    BorrowedMemory().GiveBack(/*wait=*/true);
    for (int i = 0; i < CountDevices(nullptr); ++i) {
      if (DeviceState* device = DeviceState::Opened(i)) device->memory().Trim();
    }
    PinnedAllocator()->Trim();
  }
  bool SetLimit(int index, size_t bytes) override {
    SetMemoryLimit(index, bytes);
    return true;
  }

 private:
  // `late` goes on when `early` has done what it was given.
  static void Follow(CudaStream& late, CudaStream& early) {
    EventImpl* event = NewCudaEvent(early.state().index(), false);
    event->Record(early);
    event->MakeWait(late);
    event->Release();
  }
  // The driver knows which side an address is on.
  static void CopyBytes(void* dst, const void* src, size_t bytes, int index, StreamHandle given) {
    auto& stream = given == nullptr ? CurrentStreamOf(index) : static_cast<CudaStream&>(*given);
    if (given == nullptr) stream.RequireNoCapture("a copy that the host waits for, on a stream");
    Launching launching(stream, "copy");
    const InUse on = stream.state().Use();
    stream.Check(Driver().MemcpyAsync(Address(dst), Address(src), bytes, stream.handle()), "copy");
    launching.Done();
    if (given == nullptr) stream.Synchronize();
  }
};

std::vector<DeviceBackend::Attribute> CudaBackend::Attributes(int index) {
  const Properties& p = DeviceState::Of(index).properties();
  int version = 0;
  Driver().DriverGetVersion(&version);
  std::vector<Attribute> all = {
      {"name", p.name},
      {"compute_capability", fmt::format("{}.{}", p.major, p.minor)},
      {"multiprocessors", std::to_string(p.multiprocessors)},
      {"memory_bytes", std::to_string(p.total_bytes)},
      {"driver", fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10)}};
  for (const Lib which : kLibs) {
    const Library& library = LibraryOf(which);
    all.emplace_back(NameOf(which),
                     library.open() ? library.path() : "not found: " + library.problem());
  }
  all.emplace_back("kernels_ahead", DescribePackageFor(index));
  return all;
}

DeviceBackend* Make() {
  static CudaBackend backend;
  return &backend;
}

const DeviceRegistration cuda{"cuda", Make};

}  // namespace
}  // namespace sy::cuda
