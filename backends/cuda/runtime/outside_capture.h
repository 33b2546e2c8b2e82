// Graphs that others capture with streams that they share with us, by the driver's own functions:
// cudaStreamBeginCapture in the program, another library's graphs.
//
//   uint64_t pool = PoolOfOutsideCapture(stream);     // 0: nobody captures it
//
// What such a graph uses must be its own: memory that is allocated meanwhile comes from a pool that
// serves nobody else, and stays there until the graph and everything made of it are gone, which the
// driver tells.
// Owns: the pools' names. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_OUTSIDE_CAPTURE_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_OUTSIDE_CAPTURE_H_

#include <cstdint>

namespace sy::cuda {

class CudaStream;

uint64_t PoolOfOutsideCapture(CudaStream& stream);
// Gives up the pools of graphs that have gone. Asked before memory is allocated; costs nothing
// where there are none.
void ReleaseOutsidePools();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_OUTSIDE_CAPTURE_H_
