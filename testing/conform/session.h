// A plugin in a check's process, loaded, with the device to look at.
//
//   Session s(subject);
//   const Tensor t = s.There(host);
//   s.Unload();                     // Broken unless it is gone
//
// Owns: nothing; the plugin stays until Unload.
// Threads: any, but for Unload.
// Errors: as load_plugin's and ParseDevice's; kNotFound and kUnavailable where the plugin has no
// such device.
#ifndef TESTING_CONFORM_SESSION_H_
#define TESTING_CONFORM_SESSION_H_

#include <string>
#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/transfer.h"
#include "switchyard/plugin/load.h"
#include "testing/conform/check.h"

namespace sy::conform {

class Session {
 public:
  explicit Session(const Subject& subject);
  const PluginInfo& plugin() const { return plugin_; }
  Device device() const { return device_; }
  DeviceBackend& backend() const { return *backend_; }
  Allocator& allocator() const { return *backend_->allocator(); }
  int index() const { return device_.index < 0 ? 0 : device_.index; }

  Tensor Empty(IntSpan sizes, DType dtype) const { return Tensor::Empty(sizes, dtype, device_); }
  Tensor Empty(std::initializer_list<int64_t> sizes, DType dtype) const {
    return Empty(IntSpan(sizes.begin(), sizes.size()), dtype);
  }
  Tensor There(const Tensor& host) const { return FromHost(host, device_); }
  void Unload() const;
  // Copies there and back, then Unload.
  void UseAndUnload() const;

 private:
  PluginInfo plugin_;
  std::string reference_;  // name of the plugin with reference kernels; may be empty
  Device device_;
  DeviceBackend* backend_;
};

// Whether where a tensor's bytes lie is an address: devices without those give numbers, a new one
// for each block they are handed.
bool IsAddress(const void* data);

// A block of the device's memory, and copies in and out at byte offsets.
class Block {
 public:
  Block(const Session& s, size_t bytes, size_t alignment = 64);
  ~Block() { session_.allocator().Free(allocation_, bytes_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Whether it has an address, and which.
  bool has_address() const { return IsAddress(allocation_.data); }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(allocation_.data); }
  void* at(size_t offset) const { return static_cast<char*>(allocation_.data) + offset; }
  void Write(size_t offset, const std::vector<char>& bytes) const;
  std::vector<char> Read(size_t offset, size_t bytes) const;

 private:
  const Session& session_;
  const size_t bytes_;
  Allocation allocation_;
};

// Work that keeps a stream busy for some milliseconds, so that what comes behind it is late. It
// must live until that is done.
class Backlog {
 public:
  explicit Backlog(const Session& s);
  // On the thread's current stream.
  void Queue();
  // Whether what was queued last is done by now, so that nothing was late behind it: the next one
  // is longer then. False where a device does everything at once, or at some length.
  bool WasTooShort();

 private:
  const Session& session_;
  const Tensor host_, from_, to_;
  Event end_;
  int rounds_ = 3;
  bool at_once_ = false;
};

// Bytes that malloc has handed out, those that stand in memory of their own too.
int64_t BytesInUse();

// n bytes that tell their places apart; other numbers give other bytes.
std::vector<char> Pattern(size_t n, int number);

// Host tensor of uint8 with such bytes.
Tensor PatternTensor(int64_t n, int number);

}  // namespace sy::conform

#endif  // TESTING_CONFORM_SESSION_H_
