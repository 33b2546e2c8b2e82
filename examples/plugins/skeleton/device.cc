// A device that is really the host's memory: what a real one replaces by its driver's calls.

#include "device.h"

#include <cstdlib>
#include <cstring>

#include "switchyard/c/plugin.hpp"

namespace skeleton {
namespace {

using sy::abi::Error;
using sy::abi::Guard;

// What `open` makes and every other function gets.
struct Device {
  int32_t index;
};

int32_t Count(void*, int32_t* n, SyError*) noexcept {
  *n = 2;  // "skeleton:0" and "skeleton:1"
  return SY_OK;
}

int32_t Open(void*, int32_t index, void** device, SyError* error) noexcept {
  return Guard(error, [&] { *device = new Device{index}; });
}

void Close(void* device) noexcept { delete static_cast<Device*>(device); }

int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  // Handles are addresses, and this program may use them. A GPU's memory has addresses (for its
  // kernels) and is not host visible; OpenCL's buffers have neither.
  out->capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE | SY_DEVICE_FORK_SAFE;
  out->hardware = "the host's memory";
  return SY_OK;
}

int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError* error) noexcept {
  return Guard(error, [&] {
    if (bytes > UINT64_MAX - alignment) throw Error(SY_E_OUT_OF_MEMORY, "too many bytes");
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw Error(SY_E_OUT_OF_MEMORY, "the host's memory is used up");
    out->handle = memory;
    out->bytes = bytes;
  });
}

void Free(void*, const SyBuffer* buffer, void*) noexcept { std::free(buffer->handle); }

const char* Source(const SyCopy& c) {
  if (c.kind == SY_COPY_HOST_TO_DEVICE) return static_cast<const char*>(c.host_source);
  return static_cast<const char*>(c.source->handle) + c.source_offset;
}
char* Destination(const SyCopy& c) {
  if (c.kind == SY_COPY_DEVICE_TO_HOST) return static_cast<char*>(c.host_destination);
  return static_cast<char*>(c.destination->handle) + c.destination_offset;
}

int32_t Copy(void*, const SyCopy* copy, void*, SyError*) noexcept {
  std::memcpy(Destination(*copy), Source(*copy), copy->bytes);
  return SY_OK;
}

}  // namespace

const SyDeviceFunctions kDevice = {
    .size = sizeof(SyDeviceFunctions),
    .reserved = 0,
    .count = Count,
    .open = Open,
    .close = Close,
    .properties = Properties,
    .allocate = Allocate,
    .free = Free,
    .trim = nullptr,
    .memory_stats = nullptr,  // the host counts
    .copy = Copy,
    .synchronize = nullptr,  // nothing is ever queued
    .stream_create = nullptr,
    .stream_destroy = nullptr,
    .stream_synchronize = nullptr,
    .event_create = nullptr,
    .event_destroy = nullptr,
    .event_record = nullptr,
    .event_wait = nullptr,
    .event_synchronize = nullptr,
    .event_query = nullptr,
    .event_elapsed = nullptr,
    .host_allocate = nullptr,
    .host_free = nullptr,
    .stream_query = nullptr,
    .share = nullptr,  // other devices reach it over the host, whose memory it is
    .unshare = nullptr,
    .adopt = nullptr,
    .abandon = nullptr,
};

}  // namespace skeleton
