#include "backends/cuda/runtime/gpu_arena.h"

#include "backends/cuda/runtime/marks.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

CUdeviceptr Address(void* p) { return reinterpret_cast<CUdeviceptr>(p); }

class GpuArena final : public MarkedArena {
 public:
  explicit GpuArena(DeviceState& device) : device_(device) {}

  void* Reserve(size_t bytes) override {
    const InUse on = device_.Use();
    const RelaxedCapture relaxed;
    CUdeviceptr p = 0;
    const CUresult r = Driver().MemAlloc(&p, bytes);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    device_.default_stream().Check(r, "allocating memory");
    return reinterpret_cast<void*>(p);
  }
  void Release(void* data) noexcept override {
    const RelaxedCapture relaxed;
    if (const InUse on = device_.TryUse()) Driver().MemFree(Address(data));
  }
  size_t FreeBytes() override {
    const InUse on = device_.Use();
    size_t free = 0, total = 0;
    return Driver().MemGetInfo(&free, &total) == CUDA_SUCCESS ? free : 0;
  }
  size_t TotalBytes() override { return device_.properties().total_bytes; }

  // --- Addresses and pieces

  size_t Granule() override {
    const InUse on = device_.Use();
    const CUmemAllocationProp piece = Piece();
    size_t unit = 0;
    if (Driver().MemGetAllocationGranularity(&unit, &piece, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) !=
            CUDA_SUCCESS ||
        unit == 0)
      return 0;
    // Pieces are unmapped as they were mapped, whole; each costs a call of the driver.
    constexpr size_t kPiece = size_t{32} << 20;
    return (kPiece + unit - 1) / unit * unit;
  }
  void* ReserveAddresses(size_t bytes) override {
    const InUse on = device_.Use();
    const RelaxedCapture relaxed;
    CUdeviceptr p = 0;
    return Driver().MemAddressReserve(&p, bytes, 0, 0, 0) == CUDA_SUCCESS
               ? reinterpret_cast<void*>(p)
               : nullptr;
  }
  void ReleaseAddresses(void* data, size_t bytes) noexcept override {
    if (const InUse on = device_.TryUse()) Driver().MemAddressFree(Address(data), bytes);
  }
  bool Put(void* data, size_t bytes) override {
    const InUse on = device_.Use();
    const RelaxedCapture relaxed;
    const size_t granule = Granule();
    for (size_t done = 0; done < bytes; done += granule) {
      const CUresult put = PutPiece(Address(data) + done, granule);
      if (put == CUDA_SUCCESS) continue;
      if (done != 0) Driver().MemUnmap(Address(data), done);  // nothing has used it
      if (put == CUDA_ERROR_OUT_OF_MEMORY) return false;
      device_.default_stream().Fail(put, "allocating memory");
    }
    return true;
  }
  bool Take(void* data, size_t bytes) noexcept override {
    const RelaxedCapture relaxed;
    const InUse on = device_.TryUse();
    if (!on) return true;  // the device is gone, and all that it had
    // Unmapping waits for nothing, and where a graph is captured nothing can be waited for.
    if (Driver().CtxSynchronize() != CUDA_SUCCESS) return false;
    return Driver().MemUnmap(Address(data), bytes) == CUDA_SUCCESS;
  }

 private:
  CUmemAllocationProp Piece() const {
    CUmemAllocationProp piece{};
    piece.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    piece.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    piece.location.id = device_.index();
    return piece;
  }
  CUresult PutPiece(CUdeviceptr at, size_t bytes) const {
    const CUmemAllocationProp piece = Piece();
    CUmemGenericAllocationHandle handle;
    if (const CUresult r = Driver().MemCreate(&handle, bytes, &piece, 0); r != CUDA_SUCCESS)
      return r;
    const CUresult put = Driver().MemMap(at, bytes, 0, handle, 0);
    Driver().MemRelease(handle);  // the place keeps it
    if (put != CUDA_SUCCESS) return put;
    const CUmemAccessDesc access{piece.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const CUresult seen = Driver().MemSetAccess(at, bytes, &access, 1);
    if (seen != CUDA_SUCCESS) Driver().MemUnmap(at, bytes);
    return seen;
  }

  DeviceState& device_;
};

}  // namespace

std::unique_ptr<Arena> NewGpuArena(DeviceState& device) {
  return std::make_unique<GpuArena>(device);
}

}  // namespace sy::cuda
