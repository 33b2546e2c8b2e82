#include "backends/cuda/graph.h"

#include <atomic>
#include <utility>

#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// Private pools are numbered; 0 is everybody's.
uint64_t NextPool() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

struct Graph::State {
  Stream stream;  // that was captured: reports go to it
  uint64_t pool = NextPool();
  CUgraphExec exec = nullptr;

  CudaStream& captured() const { return static_cast<CudaStream&>(*stream.impl()); }
  ~State() {
    if (exec != nullptr) Driver().GraphExecDestroy(exec);
    if (stream.impl() != nullptr) captured().state().memory().ReleasePool(pool);
  }
};

Graph::Graph(Device device, const std::function<void()>& calls)
    : state_(std::make_unique<State>()) {
  if (device.type != DeviceType{CudaRow()}) {
    Fail(ErrorCode::kInvalidArgument, {"a graph of ", device.str(), ": expected a cuda device"});
  }
  state_->stream = Stream::New(device);
  CudaStream& stream = state_->captured();
  const StreamGuard guard(state_->stream);
  stream.state().Use();
  Check(Driver().StreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_RELAXED),
        "capturing a graph");
  stream.set_capture_pool(state_->pool);
  CUgraph graph = nullptr;
  const auto end = [&] {
    stream.set_capture_pool(0);
    return Driver().StreamEndCapture(stream.handle(), &graph);
  };
  try {
    calls();
  } catch (...) {
    end();
    if (graph != nullptr) Driver().GraphDestroy(graph);
    throw;
  }
  Check(end(), "capturing a graph");
  const CUresult made = Driver().GraphInstantiate(&state_->exec, graph, 0);
  Driver().GraphDestroy(graph);
  Check(made, "making a graph");
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::Replay() const {
  const Stream current = CurrentStream(state_->stream.device());
  auto& stream = static_cast<CudaStream&>(*current.impl());
  stream.state().Use();
  stream.Watch(state_->captured().shared_report());
  stream.Check(Driver().GraphLaunch(state_->exec, stream.handle()));
  stream.Launched("a captured graph");
}

}  // namespace sy::cuda
