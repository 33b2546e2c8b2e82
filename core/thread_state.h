// What the heart keeps per thread, in one trivially initialised block: allocation caches, active
// layers, modes.
//
//   thread_state.layers_on |= uint32_t{1} << id;   // what a LayerScope does
//
// Read on every call, so it is reached with the initial-exec model and never constructed. A thread
// that exits hands its cached blocks to the others. Programs do not touch it: scopes and guards do
// (dispatcher/layers.h, core/accelerator.h).
// Owns: its cached blocks, and `places`.
// Threads: each its own; statistics are read by others, hence the atomics.
// Errors: none.
#ifndef SWITCHYARD_CORE_THREAD_STATE_H_
#define SWITCHYARD_CORE_THREAD_STATE_H_

#include <atomic>
#include <cstdint>

#include "switchyard/core/macros.h"

namespace sy {

inline constexpr int kPoolClasses = 4;

namespace internal {
struct ThreadPlaces;
}
struct ThreadExit;

// All zero in a new thread.
struct ThreadState {
  // Free blocks by size class, a list through their first words, and how many more the thread keeps
  // (core/pool.h).
  void* pool_head[kPoolClasses];
  uint32_t pool_room[kPoolClasses];
  // Layers switched on in this thread; layers that guards exclude, whoever switched them on
  // (dispatcher/layers.h).
  uint32_t layers_on;
  uint32_t layers_excluded;
  // Small host blocks handed out and given back by this thread, for statistics. Written by this
  // thread alone.
  std::atomic<int64_t> small_bytes;
  std::atomic<int64_t> small_allocations;
  std::atomic<int64_t> small_frees;
  // Threads that have allocated, linked so that statistics can be summed.
  ThreadState* next;
  bool watched;  // the thread's exit is being watched
  // Devices and streams that the thread has made current (core/accelerator.h); null: none.
  internal::ThreadPlaces* places;
  ThreadExit* exits;  // what is to be done when the thread ends (core/thread_exit.h)
};

extern SY_API constinit thread_local ThreadState thread_state SY_INITIAL_EXEC;

}  // namespace sy

#endif  // SWITCHYARD_CORE_THREAD_STATE_H_
