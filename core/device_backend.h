// What a device offers to the runtime, and how a backend registers it.
//
//   class MetaBackend final : public DeviceBackend { … };
//   DeviceBackend* Make() { static MetaBackend b; return &b; }
//   const DeviceRegistration meta{"meta", Make};
//
// Registration only links a node before main; the backend is made when its name is first looked up.
// Owns: the runtime keeps the pointer, which stays valid for the process.
// Threads: any.
// Errors: as each function says; a backend throws kUnavailable where its driver fails.
#ifndef SWITCHYARD_CORE_DEVICE_BACKEND_H_
#define SWITCHYARD_CORE_DEVICE_BACKEND_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/allocator.h"
#include "switchyard/core/device.h"
#include "switchyard/core/key_word.h"
#include "switchyard/core/macros.h"

namespace sy {

class EventImpl;
class Generator;

// One object per device type, made by a registration or a plugin. What has a default here is what a
// device may lack. index: 0 … Count() - 1. Methods are called from any thread, and throw Errors, of
// kUnavailable where the driver fails.
class SY_API DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  // Number of devices of this type. Where it is 0, `reason` says why. Asked often: keep the answer.
  virtual int Count(std::string* reason) = 0;
  // Index that a device without one means until a thread chooses another (core/accelerator.h); -1
  // where devices of the type have none.
  // Asked for a thread that has chosen nothing.
  virtual int Current() { return 0; }
  // The thread has made this device the current one of its type.
  // For backends whose driver keeps a current device for each thread. May be called for the one
  // that is current already.
  virtual void SetCurrent(int /*index*/) {}
  // Null: tensors of this device have no bytes (meta). Otherwise it lives as long as the backend.
  virtual Allocator* allocator() = 0;
  // Bytes of data that may live inside the tensor's own block instead; the host's are addresses
  // that code may touch.
  virtual int64_t inline_bytes() { return 0; }
  // Dense copies between this device and the host or itself, after what the stream was given.
  // `stream` null: on the thread's current one, and done when it returns. Otherwise the host's
  // bytes are pinned by this device, and are read or written later. bytes > 0; addresses are
  // allocation and offset added up. Errors: kDataDependent of a device without bytes.
  virtual void CopyFromHost(void* dst, const void* src, size_t bytes, int index,
                            StreamHandle stream) = 0;
  virtual void CopyToHost(void* dst, const void* src, size_t bytes, int index,
                          StreamHandle stream) = 0;
  virtual void CopyWithin(void* dst, const void* src, size_t bytes, int index,
                          StreamHandle stream) = 0;
  // Host memory for copies on a stream; null where the device has none. One for all devices of the
  // type.
  virtual Allocator* pinned_allocator() { return nullptr; }
  // Waits for all work of the device. Throws what some of it has failed with, once.
  virtual void Synchronize(int /*index*/) {}
  // Streams and events, all or none. Null: whatever the device is asked is done when it returns.
  // The default stream is borrowed and lives as long as the backend serves; others are given away.
  virtual StreamImpl* DefaultStream(int /*index*/) { return nullptr; }
  // One reference, the caller's. Lower priorities go first.
  virtual StreamImpl* NewStream(int /*index*/, int /*priority*/) { return nullptr; }
  // timed: for ElapsedTime.
  virtual EventImpl* NewEvent(int /*index*/, bool /*timed*/) { return nullptr; }
  // A stream that somebody else has made and keeps: what the driver calls it. It is neither
  // destroyed nor reused here.
  virtual StreamImpl* WrapStream(int /*index*/, void* /*native*/) { return nullptr; }
  // --- Memory that is shared with others.
  // The address by which the host itself reads and writes the bytes at `address`; null where it
  // cannot. Work that is queued is not waited for.
  virtual void* HostAddress(void* /*address*/) { return nullptr; }
  // Copies bytes that lie on another kind of device, or at another index, without the host in
  // between, by memory that both drivers can use: after what the thread's current streams of both
  // were given, and before what they are given later. False, and nothing done, where they have no
  // such memory.
  virtual bool CopyFromDevice(void* /*dst*/, int /*index*/, DeviceBackend& /*from*/,
                              const void* /*src*/, int /*from_index*/, size_t /*bytes*/) {
    return false;
  }
  // What the driver calls the memory that `address` lies in, and how far from its start.
  virtual void* HandleOf(void* address, size_t* offset) {
    *offset = 0;
    return address;
  }
  // Takes in memory of `bytes` bytes that somebody else has allocated on the device. `on_free` runs
  // when it is given back, in any thread.
  struct Adopted {
    Allocator* allocator;
    Allocation allocation;
  };
  // handle: as the sharer's HandleOf gave it. Without an override it is memory that is freed by
  // on_free alone.
  virtual Adopted Adopt(void* handle, size_t bytes, int index, std::function<void()> on_free);

  // --- What is known of a device, what is set, and how long its work took.
  // Key and value, for people and for programs that choose: "compute_units", "8". In an order that
  // stays.
  using Attribute = std::pair<std::string, std::string>;
  virtual std::vector<Attribute> Attributes(int /*index*/) { return {}; }
  // False: there is no option of that name. Errors: kInvalidArgument for a value that it cannot
  // have.
  virtual bool SetOption(int /*index*/, const std::string& /*key*/, const std::string& /*value*/) {
    return false;
  }
  // Does what first calls would have to wait for: programs compiled, clocks raised, kernels tuned.
  virtual void WarmUp(int /*index*/) {}
  // Work as the device itself has timed it. Times in ns of std::chrono::steady_clock.
  struct TimedWork {
    std::string name;  // an operator's, or the driver's word
    int64_t begin_ns, end_ns;
    uint64_t stream;  // tells streams apart
  };
  // False where the device does not time its work. Stop waits for it, and gives what was recorded
  // since.
  virtual bool StartTiming(int /*index*/) { return false; }
  virtual std::vector<TimedWork> StopTiming(int /*index*/) { return {}; }

  // A random generator of one of these devices (core/generator.h, which keeps the default ones and
  // seeds them). Philox unless the backend has its own.
  virtual std::unique_ptr<Generator> NewGenerator(Device device);
};

// Errors: kUnavailable when the type is registered but has no backend in this program. Row 0 has
// none.
SY_API DeviceBackend& BackendOf(DeviceType type);
// As above, null instead of an error.
SY_API DeviceBackend* FindBackend(DeviceType type);

// Static: linked before main, its backend made at the first look-up of devices. Two of one name:
// the first stays, and DeviceProblems names both.
class DeviceRegistration {
 public:
  // Called once, under the lock of the device table; the backend lives for the process.
  using Make = DeviceBackend* (*)();
  DeviceRegistration(const char* name, Make make, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE())
      : name_(name), make_(make), file_(file), line_(line) {
    Link();
  }
  const char* name() const { return name_; }
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  friend struct DeviceTable;
  SY_API void Link();
  const char* name_;
  Make make_;
  const char* file_;
  int line_;
  DeviceRegistration* next_ = nullptr;
};

// Registers a backend while the program runs (plugins); it stays the caller's and must live until
// UnregisterDevice, or for the process. source: who does it, for messages. Errors: kRegistration
// when the name is taken, kInvalidArgument for a malformed name or when all rows are taken.
SY_API DeviceType RegisterDevice(std::string_view name, DeviceBackend* backend,
                                 std::string_view source);
// Who registered the device: "file:line" or the plugin's name; empty when nobody did.
SY_API std::string_view DeviceSource(DeviceType type);
// What went wrong in static registrations of devices: one message each, naming both sources.
SY_API std::vector<std::string> DeviceProblems();

// The device that creation operators use unless told. Process-wide; the host until changed.
// torch.get_default_device. Errors of the second: as PlaceOf's.
SY_API Device DefaultDevice();
SY_API void SetDefaultDevice(Device device);
// Row and index of a device as tensors there carry them; an index left open becomes the current
// one. Errors: kUnavailable when there is no such device here, kInvalidArgument when the index is
// too large.
SY_API KeyWord PlaceOf(Device device);
// The reverse; the host's index is -1.
SY_API Device DeviceOfKey(KeyWord key);
// PlaceOf(DefaultDevice()), at hand.
extern SY_API std::atomic<KeyWord> default_place;

// What allocating needs of a device, by row.
// Set when a backend is registered, and back to null when it goes.
struct RowInfo {
  std::atomic<Allocator*> allocator;  // null: no bytes
  std::atomic<int64_t> inline_bytes;  // -1: no bytes
};
extern SY_API RowInfo row_info[kMaxRows];

}  // namespace sy

#endif  // SWITCHYARD_CORE_DEVICE_BACKEND_H_
