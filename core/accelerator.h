// Devices as a program drives them: which one is current, in what order they work, when they are
// done, what memory they use. The same for cpu, for what is linked in and for plugins.
//
//   const Device gpu = CurrentAccelerator();
//   StreamGuard guard(Stream::New(gpu));      // this thread's kernels and copies go there
//   Tensor x = to(PinMemory(host, gpu), …, gpu, /*non_blocking=*/true);
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

#include "switchyard/core/memory_stats.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"

namespace sy {

// --- Devices. An index that is left open means the current one.

// 0 where none is there; `reason`, if given, says why.
SY_API int DeviceCount(DeviceType type, std::string* reason = nullptr);
inline bool IsAvailable(DeviceType type) { return DeviceCount(type) > 0; }
// The current device of the default device's type, or else of the first type registered that is
// neither the host nor without memory. Errors also: kUnavailable where there is only the host.
SY_API Device CurrentAccelerator();
SY_API Device CurrentDevice(DeviceType type);
SY_API void SetDevice(Device device);

// Makes a device current in this thread, for a scope. What was current before is so again at the
// end, also while the device is not to be had.
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

SY_API Stream CurrentStream(Device device);
SY_API Stream DefaultStream(Device device);
// Makes it the current one of its device in this thread, and the device the current one of its
// type.
SY_API void SetStream(const Stream& stream);
// Waits for everything that the device was given, by all threads.
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

SY_API MemoryStats GetMemoryStats(Device device);
SY_API void ResetPeakMemoryStats(Device device);
// Gives memory that is kept for reuse back to the system.
SY_API void EmptyCache(DeviceType type);
// The tensor's memory is also used by what `stream` has been given: when the tensor dies it is not
// reused before that is done. Needed where a tensor is used on another stream than the current one
// of the thread that made it.
SY_API void RecordStream(const Tensor& t, const Stream& stream);

// --- Pinned memory: the host's, which a device copies from and to while the host goes on.

// The device that pins where none is named: the current accelerator, or else the first type
// registered whose backend offers pinned memory. Errors also: kNotImplemented where none does,
// naming what there is.
SY_API Device PinningDevice();
// t in pinned memory of the device; t itself where it is pinned already. Errors also:
// kInvalidArgument unless t is on the host, kNotImplemented where the device has no such memory.
SY_API Tensor PinMemory(const Tensor& t, Device device);
inline Tensor PinMemory(const Tensor& t) { return PinMemory(t, PinningDevice()); }
// The same, always a copy.
SY_API Tensor PinnedCopy(const Tensor& t, Device device);
SY_API Tensor EmptyPinned(IntSpan sizes, DType dtype, Device device);
inline Tensor EmptyPinned(std::initializer_list<int64_t> sizes, DType dtype, Device device) {
  return EmptyPinned(IntSpan(sizes.begin(), sizes.size()), dtype, device);
}
SY_API Tensor EmptyStridedPinned(IntSpan sizes, IntSpan strides, DType dtype, Device device);
// Whether t lies in pinned memory of any device, or of this kind of device.
SY_API bool IsPinned(const Tensor& t);
SY_API bool IsPinned(const Tensor& t, DeviceType type);
// Of the pinned memory of all devices of a type; blocks that were freed are kept for reuse, as
// reserved_bytes says, until EmptyPinnedCache gives them back. Zeros where there is none.
SY_API MemoryStats GetPinnedMemoryStats(DeviceType type);
SY_API void EmptyPinnedCache(DeviceType type);

}  // namespace sy

#endif  // SWITCHYARD_CORE_ACCELERATOR_H_
