// The private pool of memory of a captured graph, or of several that share it.
//
// Owns: its name; the devices' allocators give up the pool when the last holder goes.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_GRAPH_MEMORY_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_GRAPH_MEMORY_H_

#include <cstdint>
#include <mutex>
#include <set>

namespace sy::cuda {

class DeviceState;

class GraphMemory {
 public:
  GraphMemory();
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  uint64_t id() const { return id_; }  // never 0, which is everybody's pool
  void UsedOn(DeviceState& device);

 private:
  const uint64_t id_;
  std::mutex mutex_;
  std::set<DeviceState*> devices_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_GRAPH_MEMORY_H_
