// A sequence of calls, captured once and replayed as one piece of work.
//
//   cuda::Graph step(device, [&] { sy::add_(x, y);  sy::relu_(x); });   // nothing is computed yet
//   step.Replay();                     // on the thread's current stream, again and again
//
// Captured are the kernels and copies that the calls queue, with the addresses and numbers that
// they had: tensors that the function makes keep their memory as long as the graph lives, those
// that it uses are the caller's to keep. What needs the host to wait (reading a number, results
// whose sizes depend on data, fallbacks) fails inside the function. Random numbers are those that
// the calls would draw, replay by replay.
// Owns: the graph, and the memory that was allocated while it was captured.
// Threads: as a StreamGuard: the function runs in the calling thread. Replays from any.
// Errors: what the function throws; kUnavailable where the device or the driver does not serve.
#ifndef SWITCHYARD_BACKENDS_CUDA_GRAPH_H_
#define SWITCHYARD_BACKENDS_CUDA_GRAPH_H_

#include <functional>
#include <memory>

#include "switchyard/core/device.h"
#include "switchyard/core/macros.h"

namespace sy::cuda {

class SY_API Graph {
 public:
  Graph(Device device, const std::function<void()>& calls);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  void Replay() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_GRAPH_H_
