#include "backends/cuda/graph.h"

#include <mutex>
#include <utility>

#include "backends/cuda/runtime/capture.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

CudaStream& Of(const Stream& s) { return static_cast<CudaStream&>(*s.impl()); }

void RequireCuda(Device device) {
  if (device.type == DeviceType{CudaRow()}) return;
  Fail(ErrorCode::kInvalidArgument, {"a graph of ", device.str(), ": expected a cuda device"});
}

}  // namespace

// Streams that others have made may go at any time: none is kept, but what must be waited for.
struct Graph::State {
  State(DeviceState& d, std::shared_ptr<GraphMemory> m)
      : device(d), memory(std::move(m)), capture(std::make_shared<Capture>(*memory)) {}
  State(const State&) = delete;

  DeviceState& device;
  const std::shared_ptr<GraphMemory> memory;
  const std::shared_ptr<Capture> capture;
  CUgraphExec exec = nullptr;
  std::mutex mutex;
  const CudaStream* last = nullptr;  // that replayed it; never used but to be compared
  EventImpl* done = nullptr;         // when it was replayed last: an Event would hold the stream

  ~State() {
    if (done != nullptr) done->Release();
    if (exec == nullptr) return;
    if (const InUse on = device.TryUse()) Driver().GraphExecDestroy(exec);
  }
};

GraphPool::GraphPool() : memory_(std::make_shared<GraphMemory>()) {}

Graph::Graph(Device device, const std::function<void()>& calls, const GraphPool& pool)
    : Graph((RequireCuda(device), Of(CurrentStream(device)).RequireNoCapture("capturing a graph"),
             Stream::New(device)),
            calls, pool) {}

Graph::Graph(const Stream& stream, const std::function<void()>& calls, const GraphPool& pool) {
  RequireCuda(stream.device());
  CudaStream& captured = Of(stream);
  captured.RequireNoCapture("capturing a graph");
  state_ = std::make_unique<State>(captured.state(), pool.memory_);
  const StreamGuard guard(stream);
  Capture& capture = *state_->capture;
  capture.Begin(captured);
  try {
    calls();
  } catch (...) {
    capture.Abandon();
    throw;
  }
  const InUse on = captured.state().Use();
  const CUgraph graph = capture.End();
  const CUresult made = Driver().GraphInstantiate(&state_->exec, graph, 0);
  Driver().GraphDestroy(graph);
  Check(made, "making a graph");
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::Replay() const {
  State& state = *state_;
  const Stream current = CurrentStream(state.device.device());
  CudaStream& stream = Of(current);
  stream.RequireNoCapture("replaying a graph");
  std::lock_guard lock(state.mutex);
  // What is prepared for one replay the one before must have read.
  if (state.last != &stream) {
    if (state.done != nullptr) state.done->MakeWait(stream);
    for (const auto& report : state.capture->reports()) stream.Watch(report);
    state.last = &stream;
  }
  state.capture->Prepare(stream);
  Launching launching(stream, "a captured graph");
  const InUse on = stream.state().Use();
  stream.Check(Driver().GraphLaunch(state.exec, stream.handle()), "a captured graph");
  launching.Done();
  if (state.done == nullptr) state.done = NewCudaEvent(state.device.index(), /*timed=*/false);
  state.done->Record(stream);
}

}  // namespace sy::cuda
