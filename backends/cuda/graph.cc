#include "backends/cuda/graph.h"

#include <mutex>

#include "backends/cuda/runtime/capture.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"

namespace sy::cuda {

struct Graph::State {
  Stream captured;
  std::shared_ptr<Capture> capture = std::make_shared<Capture>();
  CUgraphExec exec = nullptr;
  std::mutex mutex;
  Stream last;  // that replayed it

  static CudaStream& Of(const Stream& s) { return static_cast<CudaStream&>(*s.impl()); }
  ~State() {
    if (exec != nullptr) {
      if (const InUse on = Of(captured).state().TryUse()) Driver().GraphExecDestroy(exec);
    }
    for (CudaStream* s : capture->streams()) s->state().memory().ReleasePool(capture->pool());
  }
};

Graph::Graph(Device device, const std::function<void()>& calls)
    : state_(std::make_unique<State>()) {
  if (device.type != DeviceType{CudaRow()}) {
    Fail(ErrorCode::kInvalidArgument, {"a graph of ", device.str(), ": expected a cuda device"});
  }
  State::Of(CurrentStream(device)).RequireNoCapture("capturing a graph");
  state_->captured = Stream::New(device);
  const StreamGuard guard(state_->captured);
  Capture& capture = *state_->capture;
  capture.Begin(State::Of(state_->captured));
  try {
    calls();
  } catch (...) {
    capture.Abandon();
    throw;
  }
  const InUse on = State::Of(state_->captured).state().Use();
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
  const Stream current = CurrentStream(state.captured.device());
  CudaStream& stream = State::Of(current);
  stream.RequireNoCapture("replaying a graph");
  std::lock_guard lock(state.mutex);
  // What is prepared for one replay the one before must have read.
  if (state.last.impl() != nullptr) current.WaitStream(state.last);
  if (state.last.impl() != &stream) {
    for (const CudaStream* s : state.capture->streams()) stream.Watch(s->shared_report());
    state.last = current;
  }
  state.capture->Prepare(stream);
  const InUse on = stream.state().Use();
  stream.Check(Driver().GraphLaunch(state.exec, stream.handle()), "a captured graph");
  stream.Launched("a captured graph");
}

}  // namespace sy::cuda
