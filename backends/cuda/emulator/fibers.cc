#include "backends/cuda/emulator/fibers.h"

#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
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
  const char* file = nullptr;  // of a barrier: where those that have come are
  int line = 0;
};
// Of the threads of a warp that a mask names.
struct WarpMeeting {
  unsigned mask;
  Meeting meeting = {};
};

// The block that is running.
struct Block {
  std::vector<Fiber> fibers;
  Meeting all;
  std::vector<std::deque<WarpMeeting>> warps;  // whose elements stay where they are
  bool moved;                                  // somebody has got on since the last round
  ucontext_t scheduler;
  size_t current;
  EmulatedGrid* grid;
  void (*kernel)(void**);
  void** args;
};
Block block;

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "emulator: %s\n", why.c_str());
  std::abort();
}

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

void Barrier(const char* file, int line) {
  Meeting& m = block.all;
  if (m.arrived == 0) {
    m.file = file;
    m.line = line;
  } else if (m.line != line || std::strcmp(m.file, file) != 0) {
    Die("threads of a block wait at different barriers: " + std::string(m.file) + ":" +
        std::to_string(m.line) + " and " + file + ":" + std::to_string(line));
  }
  Meet(m, block.fibers.size());
}

constexpr unsigned char kNobodys = 0xff;  // what is read where nobody has written

// Those of the running thread's warp that are there at all, by lane.
unsigned LanesThere() {
  const size_t first = block.current / kWarp * kWarp;
  const size_t threads = std::min<size_t>(kWarp, block.fibers.size() - first);
  return threads == kWarp ? ~0u : (1u << threads) - 1;
}

// The threads of the warp that `mask` names meet, offering `mine`; look() is called when all have
// come, before any goes on.
template <class F>
void MeetInWarp(unsigned mask, const void* mine, const F& look) {
  const size_t lane = block.current % kWarp;
  if ((mask >> lane & 1) == 0) {
    Die("lane " + std::to_string(lane) + " calls a *_sync function whose mask does not name it");
  }
  const unsigned named = mask & LanesThere();
  auto& meetings = block.warps[block.current / kWarp];
  auto at = std::ranges::find(meetings, named, &WarpMeeting::mask);
  if (at == meetings.end()) at = meetings.insert(at, {named});
  Meeting& meeting = at->meeting;
  const auto expected = static_cast<size_t>(std::popcount(named));
  block.fibers[block.current].offered = mine;
  Meet(meeting, expected);
  look(named);
  Meet(meeting, expected);
}

void Exchange(unsigned mask, const void* mine, void* theirs, size_t size, int lane) {
  MeetInWarp(mask, mine, [&](unsigned named) {
    const auto from = static_cast<size_t>(lane);
    if (from < kWarp && (named >> from & 1) != 0) {
      std::memcpy(theirs, block.fibers[block.current / kWarp * kWarp + from].offered, size);
    } else {
      std::memset(theirs, kNobodys, size);
    }
  });
}

unsigned Ballot(unsigned mask, bool mine) {
  unsigned bits = 0;
  MeetInWarp(mask, &mine, [&](unsigned named) {
    for (size_t l = 0; l < kWarp; ++l) {
      if ((named >> l & 1) == 0) continue;
      const Fiber& f = block.fibers[block.current / kWarp * kWarp + l];
      if (*static_cast<const bool*>(f.offered)) bits |= 1u << l;
    }
  });
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
    if (!block.moved) Die("threads wait for others that never get there");
  }
}

}  // namespace

void RunGrid(EmulatedGrid& grid, void (*kernel)(void**), void** args, std::span<char> shared) {
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
      std::memset(shared.data(), kNobodys, shared.size());
      RunBlock();
    }
  }
}

}  // namespace sy::cuda
