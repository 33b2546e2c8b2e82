// A sequence of calls, captured once and replayed as one piece of work.
//
//   cuda::Graph step(device, [&] { sy::add_(x, y);  sy::relu_(x); });   // nothing is computed yet
//   step.Replay();                     // on the thread's current stream, again and again
//
//   const cuda::GraphPool pool;        // graphs that are replayed in turn need memory once
//   cuda::Graph first(mine, [&] { … }, pool), second(mine, [&] { … }, pool);   // on stream `mine`
//
// Captured are the kernels and copies that the calls queue, with the addresses and numbers that
// they had: tensors that the function makes keep their memory as long as the graph lives, those
// that it uses are the caller's to keep. What needs the host to wait (reading a number, results
// whose sizes depend on data, fallbacks) fails inside the function. Random numbers are those that
// the calls would draw, replay by replay.
// Graphs that others capture (cudaStreamBeginCapture on a stream of theirs that is current here, or
// on one of ours whose native handle they have) get memory of their own as well, until they are
// destroyed; random numbers are refused there, which every replay would repeat.
// Owns: the graph, and the memory that was allocated while it was captured.
// Threads: as a StreamGuard: the function runs in the calling thread. Replays from any.
// Errors: what the function throws; kUnavailable where the device or the driver does not serve.
#ifndef SWITCHYARD_BACKENDS_CUDA_GRAPH_H_
#define SWITCHYARD_BACKENDS_CUDA_GRAPH_H_

#include <functional>
#include <memory>

#include "switchyard/core/macros.h"
#include "switchyard/core/stream.h"

namespace sy::cuda {

class GraphMemory;

// Memory that captured graphs share: what a tensor inside one gives back serves the next. So graphs
// of one pool are replayed one after the other, in the order in which they were captured, and what
// one leaves in tensors is read before the next one runs, unless those tensors are alive while the
// next is captured. What torch.cuda.graph_pool_handle is. Copies are the same pool.
class SY_API GraphPool {
 public:
  GraphPool();

 private:
  friend class Graph;
  std::shared_ptr<GraphMemory> memory_;
};

// Move-only. What torch.cuda.CUDAGraph is, with the capture in the constructor.
class SY_API Graph {
 public:
  // Captures what `calls` queues on a stream of its own, which is current while it runs. Errors
  // also: kInvalidArgument for another device and inside another capture.
  Graph(Device device, const std::function<void()>& calls, const GraphPool& pool = GraphPool());
  // The same on a stream of the caller's, which may be one that others have made
  // (Stream::FromNative), and which is needed no longer when this returns. Nothing else may be
  // queued there meanwhile.
  Graph(const Stream& stream, const std::function<void()>& calls,
        const GraphPool& pool = GraphPool());
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
