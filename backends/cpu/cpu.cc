// The cpu device: the host's memory, by the host's allocator; the Mersenne twister.

#include <cstring>

#include "backends/cpu/random/mt19937_generator.h"
#include "switchyard/core/device_backend.h"

namespace sy {
namespace {

class CpuBackend final : public DeviceBackend {
 public:
  int Count(std::string*) override { return 1; }
  Allocator* allocator() override { return HostAllocator(); }
  int64_t inline_bytes() override { return 64; }
  void CopyFromHost(void* dst, const void* src, size_t bytes, int, StreamHandle) override {
    std::memcpy(dst, src, bytes);
  }
  void CopyToHost(void* dst, const void* src, size_t bytes, int, StreamHandle) override {
    std::memcpy(dst, src, bytes);
  }
  void CopyWithin(void* dst, const void* src, size_t bytes, int, StreamHandle) override {
    std::memmove(dst, src, bytes);
  }
  std::unique_ptr<Generator> NewGenerator(Device) override {
    return std::make_unique<cpu::Mt19937Generator>();
  }
};

DeviceBackend* Make() {
  static CpuBackend backend;
  return &backend;
}

const DeviceRegistration cpu{"cpu", Make};

}  // namespace
}  // namespace sy
