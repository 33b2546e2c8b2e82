// Devices as a program drives them: which one is current, in what order they work, when they are
// done, what memory they use. The same for cpu, for what is linked in and for plugins.
//
//   const Device gpu = CurrentAccelerator();
//   StreamGuard guard(Stream::New(gpu));      // this thread's kernels and copies go there
//   Tensor x = to(PinnedCopy(host, gpu), …, gpu, /*non_blocking=*/true);
//   Synchronize(gpu);
//   GetMemoryStats(gpu).peak_bytes;
//
// Each thread has a current device of each type and a current stream of each device; threads start
// with index 0 and the default streams.
// Owns: a thread owns the streams that it has made current.
// Threads: any.
// Errors: kUnavailable when there is no such device in this program.
// Source: names and meaning follow torch.accelerator.
#ifndef SWITCHYARD_CORE_ACCELERATOR_H_
#define SWITCHYARD_CORE_ACCELERATOR_H_

#include <string>
#include <utility>
#include <vector>

#include "switchyard/core/memory_stats.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"

namespace sy {

// --- Devices. An index that is left open means the current one.

// 0 where none is there; `reason`, if given, says why.
SY_API int DeviceCount(DeviceType type, std::string* reason = nullptr);
// Whether a tensor can be made there: linked in, with a driver and a device.
inline bool IsAvailable(DeviceType type) { return DeviceCount(type) > 0; }
// The current device of the default device's type, or else of the first type registered that is
// neither the host nor without memory. Errors also: kUnavailable where there is only the host.
SY_API Device CurrentAccelerator();
// Whether there is one.
SY_API bool HasAccelerator();
// What the device says of itself, key and value; empty where it says nothing.
SY_API std::vector<std::pair<std::string, std::string>> DeviceAttributes(Device device);
// Sets an option of the device's own, for all who use it. Errors also: kNotFound for an option that
// it does not have, kInvalidArgument for a value that the option cannot have.
SY_API void SetDeviceOption(Device device, const std::string& key, const std::string& value);
// Does now what first calls would have to wait for. Nothing on devices that need none.
SY_API void WarmUp(Device device);
// Of this thread: the one last set, or index 0. Without an index where the type has none (cpu,
// meta).
SY_API Device CurrentDevice(DeviceType type);
// Makes it the current one of its type in this thread, for good.
// torch.accelerator.set_device_index.
SY_API void SetDevice(Device device);

// Makes a device current in this thread, for a scope. What was current before is so again at the
// end, also while the device is not to be had. Errors: kUnavailable where there is no such device,
// and then nothing has changed.
class SY_API DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : before_(CurrentDevice(device.type)) { SetDevice(device); }
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  Device before_;
};

// --- Streams.

// Where this thread's kernels and copies go; the default one until it has set another.
SY_API Stream CurrentStream(Device device);
// The one that every thread starts with.
SY_API Stream DefaultStream(Device device);
// Makes it the current one of its device in this thread, and the device the current one of its
// type.
SY_API void SetStream(const Stream& stream);
// Waits for everything that the device was given, by all threads. Returns at once for the host.
// Errors also: what queued work has failed with.
SY_API void Synchronize(Device device);

// Makes a stream, and its device, current in this thread, for a scope, as DeviceGuard does.
class SY_API StreamGuard {
 public:
  explicit StreamGuard(const Stream& stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  Device device_;
  Stream before_;  // without impl: none was chosen
};

// --- Memory.

// Zeros for a device without memory (meta).
SY_API MemoryStats GetMemoryStats(Device device);
// peak_bytes starts anew from what is alive.
SY_API void ResetPeakMemoryStats(Device device);
// Gives memory that is kept for reuse back to the system.
// Of all devices of the type; tensors that are alive keep theirs. torch.accelerator.empty_cache.
SY_API void EmptyCache(DeviceType type);
// The most bytes that are held from the system for the device, in use and kept; 0: no limit. What
// is held already stays. Errors also: kNotImplemented where the device's allocator has no limits
// (cpu, meta). torch.cuda.set_per_process_memory_fraction.
SY_API void SetMemoryLimit(Device device, size_t bytes);
// The tensor's memory is also used by what `stream` has been given: when the tensor dies it is not
// reused before that is done. Needed where a tensor is used on another stream than the current one
// of the thread that made it.
SY_API void RecordStream(const Tensor& t, const Stream& stream);

// --- Pinned memory: the host's, which a device copies from and to while the host goes on.

// The device that pins where none is named: the current accelerator, or else the first type
// registered whose backend offers pinned memory. Errors also: kNotImplemented where none does,
// naming what there is.
SY_API Device PinningDevice();
// A copy of t in pinned memory of the device. Errors also: kInvalidArgument unless t is on the
// host, kNotImplemented where the device has no such memory. What is pinned already is not copied
// by the operator pin_memory.
SY_API Tensor PinnedCopy(const Tensor& t, Device device);
// Uninitialised, row-major; the other with strides in elements. Errors also: kNotImplemented as
// above, kOutOfMemory.
SY_API Tensor EmptyPinned(IntSpan sizes, DType dtype, Device device);
inline Tensor EmptyPinned(std::initializer_list<int64_t> sizes, DType dtype, Device device) {
  return EmptyPinned(IntSpan(sizes.begin(), sizes.size()), dtype, device);
}
SY_API Tensor EmptyStridedPinned(IntSpan sizes, IntSpan strides, DType dtype, Device device);
// Whether t lies in pinned memory of any device, or of this kind of device; no for device tensors.
SY_API bool IsPinned(const Tensor& t);
SY_API bool IsPinned(const Tensor& t, DeviceType type);
// Of the pinned memory of all devices of a type; blocks that were freed are kept for reuse, as
// reserved_bytes says, until EmptyPinnedCache gives them back. Zeros where there is none.
SY_API MemoryStats GetPinnedMemoryStats(DeviceType type);
SY_API void EmptyPinnedCache(DeviceType type);

}  // namespace sy

#endif  // SWITCHYARD_CORE_ACCELERATOR_H_
