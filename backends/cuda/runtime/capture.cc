#include "backends/cuda/runtime/capture.h"

#include <atomic>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

// Private pools are numbered; 0 is everybody's.
uint64_t NextPool() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

Capture::Capture() : pool_(NextPool()) {}
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
  ++stream.state().captures();
  stream.set_capture(this);
}

CUresult Capture::Finish(CUgraph* graph) noexcept {
  active_ = false;
  for (CudaStream* s : streams_) {
    s->set_capture(nullptr);
    --s->state().captures();
  }
  const InUse on = streams_.front()->state().TryUse();
  return Driver().StreamEndCapture(streams_.front()->handle(), graph);
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
