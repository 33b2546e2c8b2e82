// Calls that a driver refuses everywhere while others capture a graph
// (cudaStreamCaptureModeGlobal), though they have nothing to do with it: allocating, loading
// kernels, looking at events.
//
//   const RelaxedCapture relaxed;    // this thread's calls are allowed as long as it lives
//
// Owns: nothing. Threads: of one.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_RELAXED_CAPTURE_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_RELAXED_CAPTURE_H_

#include "backends/cuda/driver/driver.h"

namespace sy::cuda {

class [[nodiscard]] RelaxedCapture {
 public:
  RelaxedCapture() noexcept {
    changed_ = Driver().ThreadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS;
  }
  ~RelaxedCapture() {
    if (changed_) Driver().ThreadExchangeStreamCaptureMode(&mode_);
  }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;  // then the one from before
  bool changed_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_RELAXED_CAPTURE_H_
