#include "backends/cuda/emulator/fibers.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "backends/cuda/driver/switches.h"

namespace sy::cuda {
namespace {

constexpr size_t kStack = 64 << 10;
constexpr int kWarp = 32;

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool done;
  const void* offered;  // to the others of its warp
};

// Where some threads wait for each other, again and again.
struct Meeting {
  size_t arrived = 0;
  unsigned times = 0;
};

// The block that is running.
struct Block {
  std::vector<Fiber> fibers;
  Meeting all;
  std::vector<Meeting> warps;
  bool moved;  // somebody has got on since the last round
  ucontext_t scheduler;
  size_t current;
  EmulatedGrid* grid;
  void (*kernel)(void**);
  void** args;
};
Block block;

void Start() {
  block.kernel(block.args);
  block.fibers[block.current].done = true;
}

void Yield() { swapcontext(&block.fibers[block.current].context, &block.scheduler); }

void Meet(Meeting& m, size_t expected) {
  const unsigned times = m.times;
  block.moved = true;
  if (++m.arrived == expected) {
    m.arrived = 0;
    ++m.times;
  } else {
    while (m.times == times) Yield();
    block.moved = true;
  }
}

void Barrier() { Meet(block.all, block.fibers.size()); }

void Exchange(const void* mine, void* theirs, size_t size, int lane) {
  const size_t warp = block.current / kWarp, first = warp * kWarp;
  const size_t threads = std::min<size_t>(kWarp, block.fibers.size() - first);
  block.fibers[block.current].offered = mine;
  Meet(block.warps[warp], threads);
  const size_t from =
      static_cast<size_t>(lane) < threads ? first + static_cast<size_t>(lane) : block.current;
  std::memcpy(theirs, block.fibers[from].offered, size);
  Meet(block.warps[warp], threads);
}

unsigned Ballot(bool mine) {
  const size_t warp = block.current / kWarp, first = warp * kWarp;
  const size_t threads = std::min<size_t>(kWarp, block.fibers.size() - first);
  block.fibers[block.current].offered = &mine;
  Meet(block.warps[warp], threads);
  unsigned bits = 0;
  for (size_t l = 0; l < threads; ++l) {
    if (*static_cast<const bool*>(block.fibers[first + l].offered)) bits |= 1u << l;
  }
  Meet(block.warps[warp], threads);
  return bits;
}

// SWITCHYARD_EMULATOR_ORDER=reverse: the last block and the last thread go first, so that a kernel
// which lacks a barrier, or whose blocks rely on each other, gives other results.
bool FromTheLast() {
  static const bool from_the_last = SaysEnvironment("SWITCHYARD_EMULATOR_ORDER", "reverse");
  return from_the_last;
}

[[gnu::noinline]] void MakeFibers(size_t n) {
  block.fibers.clear();
  block.fibers.resize(n);
  for (Fiber& f : block.fibers) f.stack = std::make_unique<char[]>(kStack);
}

void RunBlock() {
  const size_t n = block.grid->block.x;
  if (block.fibers.size() != n) MakeFibers(n);
  for (Fiber& f : block.fibers) {
    f.done = false;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = kStack;
    f.context.uc_link = &block.scheduler;
    makecontext(&f.context, Start, 0);
  }
  block.all = {};
  block.warps.assign((n + kWarp - 1) / kWarp, {});
  for (size_t left = n; left != 0;) {
    block.moved = false;
    for (size_t k = 0; k < n; ++k) {
      const size_t i = FromTheLast() ? n - 1 - k : k;
      Fiber& f = block.fibers[i];
      if (f.done) continue;
      block.current = i;
      block.grid->thread = {static_cast<unsigned>(i), 0, 0};
      swapcontext(&block.scheduler, &f.context);
      if (!f.done) continue;
      --left;
      block.moved = true;
    }
    if (!block.moved) {
      std::fprintf(stderr, "emulator: threads wait for others that never get there\n");
      std::abort();
    }
  }
}

}  // namespace

void RunGrid(EmulatedGrid& grid, void (*kernel)(void**), void** args) {
  block.grid = &grid;
  block.kernel = kernel;
  block.args = args;
  grid.barrier = Barrier;
  grid.exchange = Exchange;
  grid.ballot = Ballot;
  const unsigned columns = grid.grid.x, rows = grid.grid.y;
  for (unsigned y = 0; y < rows; ++y) {
    for (unsigned x = 0; x < columns; ++x) {
      grid.at =
          FromTheLast() ? EmulatedDim{columns - 1 - x, rows - 1 - y, 0} : EmulatedDim{x, y, 0};
      RunBlock();
    }
  }
}

}  // namespace sy::cuda
