#include "backends/cuda/runtime/capture.h"

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
Capture::Capture(GraphMemory& memory) : memory_(memory) {}
Capture::~Capture() = default;

// Relaxed: other threads go on allocating and loading kernels, and so do the calls captured.
void Capture::Begin(CudaStream& stream) {
  const InUse on = stream.state().Use();
  Check(Driver().StreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_RELAXED),
        "capturing a graph");
  active_ = true;
  Join(stream);
}

void Capture::Join(CudaStream& stream) {
  if (!active_ || stream.capture() != nullptr) return;
  streams_.push_back(&stream);
  reports_.push_back(stream.shared_report());
  memory_.UsedOn(stream.state());
  ++stream.state().captures();
  stream.set_capture(this);
}

CUresult Capture::Finish(CUgraph* graph) noexcept {
  active_ = false;
  for (CudaStream* s : streams_) {
    s->set_capture(nullptr);
    --s->state().captures();
  }
  CudaStream& first = *streams_.front();
  streams_.clear();
  const InUse on = first.state().TryUse();
  return Driver().StreamEndCapture(first.handle(), graph);
}

CUgraph Capture::End() {
  CUgraph graph = nullptr;
  Check(Finish(&graph), "capturing a graph");
  return graph;
}

void Capture::Abandon() noexcept {
  CUgraph graph = nullptr;
  if (Finish(&graph) == CUDA_SUCCESS && graph != nullptr) Driver().GraphDestroy(graph);
}

void Capture::Prepare(CudaStream& stream) {
  for (const auto& [whose, action] : actions_) action->Run(stream);
}

}  // namespace sy::cuda
