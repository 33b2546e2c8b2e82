// A device for tests: memory of its own, which the host's kernels must not touch directly, and no
// kernels but those a test registers. Its "addresses" are offset by a constant, so that code that
// forgets to copy crashes.
#ifndef SWITCHYARD_DISPATCHER_TESTING_H_
#define SWITCHYARD_DISPATCHER_TESTING_H_

#include <cstdlib>
#include <cstring>

#include "switchyard/core/device_backend.h"

namespace sy::testing {

class FarDevice final : public DeviceBackend, public Allocator {
 public:
  static constexpr uintptr_t kShift = uintptr_t{1} << 60;
  static void* Far(void* p) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) + kShift);
  }
  static void* Near(const void* p) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) - kShift);
  }

  int Count(std::string*) override { return 2; }
  Allocator* allocator() override { return this; }
  void CopyFromHost(void* dst, const void* src, size_t n, int, StreamHandle) override {
    std::memcpy(Near(dst), src, n);
  }
  void CopyToHost(void* dst, const void* src, size_t n, int, StreamHandle) override {
    std::memcpy(dst, Near(src), n);
  }
  void CopyWithin(void* dst, const void* src, size_t n, int, StreamHandle) override {
    std::memmove(Near(dst), Near(src), n);
  }

  Allocation Allocate(const AllocationRequest& r) override {
    alive += static_cast<int64_t>(r.bytes);
    return {Far(std::calloc(1, r.bytes)), nullptr};
  }
  void Free(const Allocation& a, size_t bytes) noexcept override {
    alive -= static_cast<int64_t>(bytes);
    std::free(Near(a.data));
  }
  MemoryStats Stats(int) const override { return {.allocated_bytes = alive}; }

  int64_t alive = 0;
};

}  // namespace sy::testing

#endif  // SWITCHYARD_DISPATCHER_TESTING_H_
