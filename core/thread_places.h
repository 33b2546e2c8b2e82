// The devices and streams that a thread has made current, behind ThreadState::places. For the
// runtime itself; users see core/accelerator.h.
//
//   const int index = CurrentIndex(type, backend);   // of this thread
//
// A thread that has chosen nothing has none of it: places is null, and asking costs one load.
// Owns: references on the streams.
// Threads: each its own.
// Errors: none.
#ifndef SWITCHYARD_CORE_THREAD_PLACES_H_
#define SWITCHYARD_CORE_THREAD_PLACES_H_

#include <array>
#include <utility>
#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/thread_exit.h"

namespace sy::internal {

// Made at the thread's first choice and freed when it ends.
struct ThreadPlaces {
  ThreadExit at_exit;
  std::array<int16_t, kMaxRows> index;              // by row; -1: not chosen
  std::vector<std::pair<KeyWord, Stream>> streams;  // by place; without impl: the default one
};

// The index that a device without one means in this thread; -1 where the type has none.
inline int CurrentIndex(DeviceType type, DeviceBackend& backend) {
  const ThreadPlaces* p = thread_state.places;
  const int first = backend.Current();
  const int chosen = p == nullptr ? -1 : p->index[type.row];
  return chosen < 0 || first < 0 ? first : chosen;
}

}  // namespace sy::internal

#endif  // SWITCHYARD_CORE_THREAD_PLACES_H_
