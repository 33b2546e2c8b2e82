// The device "xnnpack": the host's memory, and the threads that XNNPACK computes in.
#ifndef XNNPACK_DEVICE_H_
#define XNNPACK_DEVICE_H_

#include <pthreadpool.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/c/device.hpp"

namespace xnnpack {

inline constexpr const char* kDeviceName = "xnnpack";

class Device {
 public:
  explicit Device(int32_t index);

  static void Properties(SyDeviceProperties& out);
  static void* Allocate(uint64_t bytes, uint64_t alignment, void* stream);
  static void Free(const SyBuffer& buffer, void* stream);
  static void Copy(const SyCopy& copy, void* stream);
  std::vector<std::pair<std::string, std::string>> Attributes();
  // "threads": how many compute from here on, the caller among them.
  bool SetOption(std::string_view key, std::string_view value);

  // null: the caller's thread alone.
  pthreadpool_t pool() const { return pool_.load(std::memory_order_acquire); }

 private:
  struct Destroy {
    void operator()(pthreadpool_t pool) const { pthreadpool_destroy(pool); }
  };
  void SetThreads(size_t n);

  std::mutex mutex_;
  // By how many threads; calls may be computing in any of them, so that they stay.
  std::map<size_t, std::unique_ptr<pthreadpool, Destroy>> pools_;
  std::atomic<pthreadpool_t> pool_{nullptr};
};

extern const SyDeviceFunctions kDeviceFunctions;

}  // namespace xnnpack

#endif  // XNNPACK_DEVICE_H_
