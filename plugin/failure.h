// Failures of work that a plugin had queued: kept where they happened, named by the operator whose
// call queued the work.
//
//   state.recent.Number(op);            // at each call that queues: its sequence number
//   failure.Set(error, state.recent);   // later, when a driver says that one has failed
//
// Owns: nothing but fixed room for the text of a failure, so that one can be kept while memory is
// short, by functions that may not throw. Names of operators live for the process.
// Threads: any.
#ifndef PLUGIN_FAILURE_H_
#define PLUGIN_FAILURE_H_

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "plugin/abi.h"

namespace sy::plugin {

// The operators of the calls that a device was given last, by sequence number.
class RecentCalls {
 public:
  // Room for more calls than a driver's queue holds.
  static constexpr uint64_t kCalls = 4096;
  // op: lives for the process.
  uint64_t Number(const char* op) {
    const uint64_t n = last_.fetch_add(1, std::memory_order_relaxed) + 1;
    Entry& e = calls_[n % kCalls];
    e.op.store(op, std::memory_order_relaxed);
    e.sequence.store(n, std::memory_order_release);
    return n;
  }
  // Empty when it is not known any more.
  std::string_view OperatorOf(uint64_t sequence) const {
    const Entry& e = calls_[sequence % kCalls];
    const bool known = sequence != 0 && e.sequence.load(std::memory_order_acquire) == sequence;
    return known ? e.op.load(std::memory_order_relaxed) : "";
  }

 private:
  struct Entry {
    std::atomic<uint64_t> sequence;
    std::atomic<const char*> op;
  };
  std::atomic<uint64_t> last_{0};
  std::array<Entry, kCalls> calls_ = {};
};

// The first failure of a stream or device; it stays.
class AsyncFailure {
 public:
  // `code`: what the function that reported it has returned.
  void Set(const SyAsyncError& error, int32_t code, const RecentCalls* recent) noexcept;
  // Throws it if there is one. device: "toy:0"
  void Check(std::string_view device) const {
    if (set_.load(std::memory_order_acquire)) [[unlikely]]
      Throw(device);
  }

 private:
  [[noreturn]] SY_COLD void Throw(std::string_view device) const;
  std::atomic<bool> set_{false};  // what follows is written once, before this
  std::mutex mutex_;
  SyAsyncError error_ = {};
  std::string_view op_;  // whose call queued the work; empty when that is not known
};

}  // namespace sy::plugin

#endif  // PLUGIN_FAILURE_H_
