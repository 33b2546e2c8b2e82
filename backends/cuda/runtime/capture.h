// A graph while it is captured, and what its replays need of the host.
//
//   auto capture = std::make_shared<Capture>(memory);
//   capture->Begin(stream);  …;  CUgraph graph = capture->End();
//   capture->Prepare(another);  // then launch the graph there
//
// Streams that wait for an event of the capture join it: their work and memory are the graph's too.
// Owns: what is done before replays, and memory that it needs.
// Threads: captured by one; Prepare: one at a time.
// Errors: as the driver's.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_CAPTURE_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_CAPTURE_H_

#include <map>
#include <memory>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/runtime/graph_memory.h"

namespace sy::cuda {

class CudaStream;
class StreamReport;

// Work that is queued before each replay, and is not part of the graph.
class BeforeReplay {
 public:
  virtual ~BeforeReplay() = default;
  virtual void Run(CudaStream& stream) = 0;
};

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  // memory: borrowed; whose the graph is must have it as long as the graph lives.
  explicit Capture(GraphMemory& memory);
  Capture(const Capture&) = delete;
  ~Capture();

  void Begin(CudaStream& stream);
  // The caller owns the graph.
  CUgraph End();
  // The same where something has gone wrong: whatever there is of a graph is dropped.
  void Abandon() noexcept;

  // Memory that is allocated meanwhile comes from this pool, which serves nobody else.
  const GraphMemory& pool() const { return memory_; }
  // From here on `stream` is captured too; nothing happens where the capture has ended.
  void Join(CudaStream& stream);
  // What kernels of streams that took part complain in.
  const std::vector<std::shared_ptr<StreamReport>>& reports() const { return reports_; }

  // What `whose` has to be done before replays; null at first.
  std::unique_ptr<BeforeReplay>& Action(const void* whose) { return actions_[whose]; }
  void Prepare(CudaStream& stream);

 private:
  CUresult Finish(CUgraph* graph) noexcept;

  GraphMemory& memory_;
  bool active_ = false;
  std::vector<CudaStream*> streams_;  // that take part; the first is the one that is captured
  std::vector<std::shared_ptr<StreamReport>> reports_;
  std::map<const void*, std::unique_ptr<BeforeReplay>> actions_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_CAPTURE_H_
