// A device that is really the host's memory: what a real one replaces by its driver's calls.

#include "device.h"

#include <cstdlib>
#include <cstring>

#include "switchyard/c/device.hpp"

namespace skeleton {
namespace {

using sy::abi::Error;

const char* Source(const SyCopy& c) {
  if (c.kind == SY_COPY_HOST_TO_DEVICE) return static_cast<const char*>(c.host_source);
  return static_cast<const char*>(c.source->handle) + c.source_offset;
}
char* Destination(const SyCopy& c) {
  if (c.kind == SY_COPY_DEVICE_TO_HOST) return static_cast<char*>(c.host_destination);
  return static_cast<char*>(c.destination->handle) + c.destination_offset;
}

// One object for each index, made at its first use. What a device may have beside these is listed
// in switchyard/c/device.hpp.
class Device {
 public:
  explicit Device(int32_t) {}
  static int32_t Count() { return 2; }  // "skeleton:0" and "skeleton:1"

  static void Properties(SyDeviceProperties& out) {
    // Handles are addresses, and this program may use them. A GPU's memory has addresses (for its
    // kernels) and is not host visible; OpenCL's buffers have neither.
    out.capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE | SY_DEVICE_FORK_SAFE;
    out.hardware = "the host's memory";
  }

  static void* Allocate(uint64_t bytes, uint64_t alignment, void*) {
    if (bytes > UINT64_MAX - alignment) throw Error(SY_E_OUT_OF_MEMORY, "too many bytes");
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw Error(SY_E_OUT_OF_MEMORY, "the host's memory is used up");
    return memory;
  }
  static void Free(const SyBuffer& buffer, void*) { std::free(buffer.handle); }

  static void Copy(const SyCopy& copy, void*) {
    std::memcpy(Destination(copy), Source(copy), copy.bytes);
  }
};

}  // namespace

const SyDeviceFunctions kDevice = sy::abi::DeviceFunctions<Device>();

}  // namespace skeleton
