#include "device.h"

#include <sched.h>
#include <xnnpack.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace xnnpack {
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

// Processors that this process may use.
size_t Processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<size_t>(CPU_COUNT(&set));
}

constexpr size_t kMostThreads = 1024;

}  // namespace

Device::Device(int32_t) { SetThreads(Processors()); }

void Device::SetThreads(size_t n) {
  const std::lock_guard lock(mutex_);
  auto& pool = pools_[n];
  if (pool == nullptr && n > 1) {
    pool.reset(pthreadpool_create(n));
    if (pool == nullptr) throw Error(SY_E_OUT_OF_MEMORY, "pthreadpool_create: no threads");
  }
  pool_.store(pool.get(), std::memory_order_release);
}

// Not SY_DEVICE_FORK_SAFE: the pool's threads are not in the child.
void Device::Properties(SyDeviceProperties& out) {
  out.capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE;
  out.hardware = "the host's processors and memory";
  out.driver = "XNNPACK";
  out.alignment = 64;
}

void* Device::Allocate(uint64_t bytes, uint64_t alignment, void*) {
  // XNNPACK reads past the end of what it is given.
  if (bytes > UINT64_MAX / 2) throw Error(SY_E_OUT_OF_MEMORY, "too many bytes");
  const uint64_t room = bytes + XNN_EXTRA_BYTES;
  alignment = std::max<uint64_t>(alignment, 64);  // of a line of the cache, and of any vector
  void* memory = std::aligned_alloc(alignment, (room + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw Error(SY_E_OUT_OF_MEMORY, "the host's memory is used up");
  return memory;
}
void Device::Free(const SyBuffer& buffer, void*) { std::free(buffer.handle); }

void Device::Copy(const SyCopy& copy, void*) {
  std::memcpy(Destination(copy), Source(copy), copy.bytes);
}

std::vector<std::pair<std::string, std::string>> Device::Attributes() {
  // 1 of no pool.
  return {{"threads", std::to_string(pthreadpool_get_threads_count(pool()))}};
}

bool Device::SetOption(std::string_view key, std::string_view value) {
  if (key != "threads") return false;
  size_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n < 1 || n > kMostThreads)
    throw Error("threads must be from 1 to 1024, got " + std::string(value));
  SetThreads(n);
  return true;
}

const SyDeviceFunctions kDeviceFunctions = sy::abi::DeviceFunctions<Device>();

}  // namespace xnnpack
