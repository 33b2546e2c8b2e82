// Runs the threads of a block as fibers: each goes on until a barrier or its end.
//
// Owns: nothing between calls. Threads: one.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_

#include <cstddef>

namespace sy::cuda {

struct EmulatedDim {
  unsigned x, y, z;
};
// As prelude.h's SyGrid.
struct EmulatedGrid {
  EmulatedDim grid, block, at, thread;
  void (*barrier)();
  void (*exchange)(const void* mine, void* theirs, size_t size, int lane);
  unsigned (*ballot)(bool mine);
};

// kernel(args) for every thread of every block. `grid` is what the kernel looks at.
void RunGrid(EmulatedGrid& grid, void (*kernel)(void**), void** args);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_
