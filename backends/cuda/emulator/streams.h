// The emulated driver's streams, events and graphs: work is queued until somebody waits for it, so
// that who does not is found out; or it is recorded.
//
// Owns: streams, for the process. Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_STREAMS_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_STREAMS_H_

#include <chrono>
#include <deque>
#include <functional>
#include <memory>

#include "backends/cuda/driver/driver.h"

namespace sy::cuda::emulated {

struct Stream;
// A place in a stream that events stand for.
struct Mark {
  Stream* stream;
  bool done = false;
  std::chrono::steady_clock::time_point at = {};
};
struct Work {
  int device;  // whose memory it may reach
  std::function<void()> run;
  std::shared_ptr<Mark> mark = {}, wait = {};  // instead of run
  bool looks_behind = false;                   // behind that memory
};
struct Capture;
struct Stream {
  int device;
  Capture* capture = nullptr;
  std::deque<Work> queue = {};
  bool gone = false;  // destroyed: what it was given is done all the same
};

Stream* Of(CUstream handle);
// Queues work, or records it where the stream is captured.
void Do(CUstream stream, Work work);
// All that a stream was given, or all streams of a device (kAllDevices: of all).
void Finish(Stream* s);
void FinishAll(int device);
// Work is given to streams of the current device.
CUresult ReadyFor(CUstream stream);

// The driver's functions of these.
void AddStreams(DriverTable& t);

}  // namespace sy::cuda::emulated

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_STREAMS_H_
