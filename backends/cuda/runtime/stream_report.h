// What kernels of a stream complain about (device/report.h), from the device's hand to the host's.
//
//   StreamReport report(device);
//   … kernels are given report.on_device() …
//   report.Check();      // when they are done: throws what one has said
//
// Whether there is a complaint already is kept in the device's own memory, so that a million wrong
// indices do not cross the bus; what the first one says is written to the host's.
// Owns: both.
// Threads: any; Check while no kernel that writes it runs.
// Errors: Check throws kIndexOutOfRange or kInvalidValue, once for each report; kUnavailable and
// kOutOfMemory as the driver's.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_REPORT_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_REPORT_H_

#include "backends/cuda/device/report.h"
#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {

class StreamReport {
 public:
  explicit StreamReport(DeviceState& device);
  StreamReport(const StreamReport&) = delete;
  StreamReport& operator=(const StreamReport&) = delete;
  ~StreamReport();

  Report* on_device() const { return on_device_; }
  void Check();

 private:
  DeviceState& device_;
  Said* said_ = nullptr;  // in pinned memory
  Report* on_device_ = nullptr;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_STREAM_REPORT_H_
