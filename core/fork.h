// Forks of a program with threads: the child has the forking thread alone, and a lock that another
// one held would stay locked there for ever.
//
//   const internal::AtFork at_fork{internal::ForkRank::kDevices, [](internal::ForkPhase phase) {
//                                    internal::HoldAcross(phase, devices().mutex);
//                                  }};
//
// Every lock that a child needs is listed so, beside what it guards. fork() takes them all, in the
// order of ForkRank, lets go of them in the parent, and makes them anew in the child: there the
// registry, allocation and calls in the child's own thread work as before. Kernels that shared
// their work between threads run in one there (core/parallel.h).
// Owns: nothing; objects of static lifetime, linked before main.
// Threads: any.
// Errors: none: what a handler throws (no memory for what it would lock) leaves that lock alone.
#ifndef SWITCHYARD_CORE_FORK_H_
#define SWITCHYARD_CORE_FORK_H_

#include <cstdint>
#include <new>

#include "switchyard/core/macros.h"

namespace sy::internal {

// Who holds a lock takes only those of later ranks.
enum class ForkRank : uint8_t {
  kPlugins,     // loading: registers operators, devices
  kLayers,      // asks the registry for operators
  kRegistry,    // asks for devices' names
  kGenerators,  // are made by devices
  kDevices,
  kLibraries,  // opened at first use
  kRecords,    // of plugins' kernels, fallbacks and slots: nothing is called under them
  kMemory,     // below everything
};
enum class ForkPhase : uint8_t { kBefore, kInParent, kInChild };

// A static object, never destroyed before the last fork; handlers of one rank are called in the
// order in which they were linked last to first.
class AtFork {
 public:
  using Handler = void (*)(ForkPhase phase);
  SY_API AtFork(ForkRank rank, Handler handler);
  AtFork(const AtFork&) = delete;

 private:
  friend struct Forks;
  const ForkRank rank_;
  const Handler handler_;
  AtFork* next_;
  bool held_ = false;  // the handler has been called with kBefore, and has not thrown
};

// What a handler does with one lock, in each phase. Mutex: std::mutex and its like.
template <class Mutex>
void HoldAcross(ForkPhase phase, Mutex& mutex) {
  switch (phase) {
    case ForkPhase::kBefore:
      return mutex.lock();
    case ForkPhase::kInParent:
      return mutex.unlock();
    case ForkPhase::kInChild:  // where its owner does not exist
      new (&mutex) Mutex;
  }
}

}  // namespace sy::internal

#endif  // SWITCHYARD_CORE_FORK_H_
