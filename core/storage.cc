#include "switchyard/core/storage.h"

#include <algorithm>
#include <cstring>

#include "switchyard/core/constant.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {
namespace {

class Lent final : public Allocator {
 public:
  Allocation Allocate(const AllocationRequest&) override {
    Fail(ErrorCode::kInternal, "lent memory is not allocated");
  }
  void Free(const Allocation& a, size_t) noexcept override {
    auto* deleter = static_cast<std::function<void()>*>(a.context);
    if (*deleter) (*deleter)();
    delete deleter;
  }
  MemoryStats Stats(int) const override { return {}; }
  bool is_lent(const Allocation&) const override { return true; }
};

}  // namespace

Allocator* LentAllocator() {
  static Lent* lent = new Lent;
  return lent;
}

DeviceBackend::Adopted DeviceBackend::Adopt(void* handle, size_t, int,
                                            std::function<void()> on_free) {
  return {LentAllocator(), {handle, new std::function<void()>(std::move(on_free))}};
}

namespace internal {

bool IsLent(const StorageImpl* s) {
  return s->allocator != nullptr && s->allocator->is_lent({s->data, s->context});
}

namespace {
std::atomic<ConstantDeathFn> constant_death{nullptr};
}  // namespace

void OnConstantDeath(ConstantDeathFn fn) { constant_death.store(fn, std::memory_order_release); }

void FreeBytes(StorageImpl* s) noexcept {
  if ((s->marks.load(std::memory_order_acquire) & StorageImpl::kConstant) != 0) [[unlikely]] {
    const ConstantDeathFn tell = constant_death.load(std::memory_order_acquire);
    if (tell != nullptr) tell(s);
  }
  s->allocator->Free({s->data, s->context}, s->nbytes);
}

void GrowStorage(StorageImpl* s, size_t nbytes, DeviceType device, int device_index) {
  if (nbytes > s->nbytes) ResizeStorage(s, nbytes, device, device_index);
}

void ResizeStorage(StorageImpl* s, size_t nbytes, DeviceType device, int device_index) {
  if (nbytes == s->nbytes) return;
  if ((s->marks.load(std::memory_order_relaxed) & StorageImpl::kConstant) != 0)
    Fail(ErrorCode::kInvalidArgument, "cannot resize storage that is constant (sy::freeze)");
  if (IsLent(s)) {
    Fail(ErrorCode::kInvalidArgument, {"cannot resize storage that was lent: it has ", s->nbytes,
                                       " bytes and ", nbytes, " are needed"});
  }
  Allocator* allocator = row_info[device.row].allocator.load(std::memory_order_acquire);
  if (allocator == nullptr) {  // no bytes on this device
    s->nbytes = nbytes;
    return;
  }
  if (nbytes == 0) {
    if (s->allocator != nullptr) FreeBytes(s);
    s->data = nullptr;
    s->allocator = nullptr;
    s->nbytes = 0;
    return;
  }
  const Allocation a = allocator->Allocate({.bytes = nbytes, .device_index = device_index});
  const size_t kept = std::min(nbytes, s->nbytes);
  if (kept != 0 && device == kHost) {
    std::memcpy(a.data, s->data, kept);
  } else if (kept != 0) {
    try {
      BackendOf(device).CopyWithin(a.data, s->data, kept, device_index, nullptr);
    } catch (...) {
      allocator->Free(a, nbytes);
      throw;
    }
  }
  if (s->allocator != nullptr) FreeBytes(s);
  s->data = a.data;
  s->context = a.context;
  s->allocator = allocator;
  s->nbytes = nbytes;
}

}  // namespace internal

Device Storage::device() const { return DeviceOfKey(place_); }
void Storage::resize_(size_t nbytes) const {
  if (impl_ == undefined_tensor.storage)
    Fail(ErrorCode::kInvalidArgument, "resize_(): an undefined tensor has no storage of its own");
  internal::ResizeStorage(impl_, nbytes, {RowOfKey(place_)}, IndexOfKey(place_));
}

}  // namespace sy
