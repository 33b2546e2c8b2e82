// What is to be done when a thread ends, said without taking memory: the destructor of a
// thread_local is registered with memory, and ends the process where there is none.
//
//   struct Tables { ThreadExit at_exit; … };          // one a thread
//   thread_local Tables* tables = nullptr;
//   tables = new Tables{{&Free, nullptr}, …};         // Free(ThreadExit*) deletes its Tables
//   AtThreadExit(tables->at_exit);
//
// Owns: nothing; a node lives until it has run.
// Threads: each its own. The thread that ends the process by leaving main runs none.
// Errors: none; a thread whose end cannot be watched, for want of memory, runs no nodes.
#ifndef SWITCHYARD_CORE_THREAD_EXIT_H_
#define SWITCHYARD_CORE_THREAD_EXIT_H_

#include <utility>

#include "switchyard/core/macros.h"

namespace sy {

struct ThreadExit {
  // A node of a list, inside what is to be freed; `self` is the node.
  void (*run)(ThreadExit* self) = nullptr;  // must not throw
  ThreadExit* next = nullptr;               // the runtime's
};

// Runs node.run(&node) in this thread when it ends, the nodes given last first. A node may be given
// once.
SY_API void AtThreadExit(ThreadExit& node) noexcept;

// This thread's T, made when it is first asked for. Destructors of thread-locals may use it too: it
// goes after them, and one that is asked for later than that is made anew. One per type and thread:
// wrap an int in a struct of its own. Errors: what making it throws.
template <class T>
T& PerThread() {
  struct Kept : ThreadExit {
    T value;
  };
  static constinit thread_local Kept* kept = nullptr;
  if (kept == nullptr) {
    auto* made = new Kept{};
    made->run = [](ThreadExit*) { delete std::exchange(kept, nullptr); };
    AtThreadExit(*made);
    kept = made;
  }
  return kept->value;
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_THREAD_EXIT_H_
