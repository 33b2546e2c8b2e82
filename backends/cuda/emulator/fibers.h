// Runs the threads of a block as fibers: each goes on until a barrier or its end.
//
// Owns: nothing between calls. Threads: one.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_

#include <cstddef>
#include <span>

namespace sy::cuda {

struct EmulatedDim {
  unsigned x, y, z;
};
// As prelude.h's SyGrid.
struct EmulatedGrid {
  EmulatedDim grid, block, at, thread;
  void (*barrier)(const char* file, int line);
  void (*exchange)(unsigned mask, const void* mine, void* theirs, size_t size, int lane);
  unsigned (*ballot)(unsigned mask, bool mine);
};

// kernel(args) for every thread of every block. `grid` is what the kernel looks at; `shared`: the
// memory of a block, which begins with garbage. Ends the program, saying why, where threads of a
// block wait at different barriers, or in a warp for some that never come.
void RunGrid(EmulatedGrid& grid, void (*kernel)(void**), void** args, std::span<char> shared);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_FIBERS_H_
