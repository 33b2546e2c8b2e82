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

// Move-only. What torch.cuda.CUDAGraph is, with the capture in the constructor.
class SY_API Graph {
 public:
  // Captures what `calls` queues on a stream of its own, which is current while it runs. Errors
  // also: kInvalidArgument for another device and inside another capture.
  Graph(Device device, const std::function<void()>& calls);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  // Queues the whole of it on the thread's current stream and returns. Replays of one graph follow
  // one another, whatever their streams.
  void Replay() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_GRAPH_H_
