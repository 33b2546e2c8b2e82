// A program that computes while it ends:  ending MODE
//
//   statics   in static destructors, after main has computed
//   first     in static destructors, for the first time
//   threads   in threads that go on while main returns
//   locals    in destructors of thread-locals
//
// It says "done" and ends with 0 when all was right.

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "switchyard/core/parallel.h"
#include "tests/faults/process/everything.h"

namespace {

bool in_destructor = false;

void Compute(const char* where) {
  const char* wrong = "an exception";
  try {
    wrong = sy::testing::Everything();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  if (wrong == nullptr) return;
  std::fprintf(stderr, "%s: wrong: %s\n", where, wrong);
  _exit(1);
}

// Constructed before anything of the runtime's that is not there from the start, and destroyed
// after it.
struct Static {
  ~Static() {
    if (!in_destructor) return;
    Compute("static destructor");
    std::puts("done");
    std::fflush(stdout);
  }
};
Static first_static;

struct Local {
  bool used = false;
  ~Local() {
    if (used) Compute("destructor of a thread-local");
  }
};
thread_local Local local;

}  // namespace

int main(int, char** argv) {
  const char* const mode = argv[1] == nullptr ? "" : argv[1];
  const auto is = [mode](const char* name) { return std::strcmp(mode, name) == 0; };
  sy::SetNumThreads(2);
  if (is("statics") || is("first")) {
    in_destructor = true;
    if (is("statics")) Compute("main");
    return 0;
  }
  if (is("threads")) {
    static std::atomic<int> running{0};
    for (int i = 0; i < 4; ++i) {
      std::thread([] {
        for (;;) {
          Compute("a thread");
          ++running;
        }
      }).detach();
    }
    while (running < 4) usleep(1000);
    usleep(static_cast<useconds_t>(getpid() % 20000));  // ends at a moment that is never the same
    std::puts("done");
    return 0;
  }
  if (is("locals")) {
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([i] {
        local.used = true;
        if (i % 2 == 0) Compute("a thread");
      });
    }
    for (std::thread& t : threads) t.join();
    local.used = true;  // main's goes when it returns
    Compute("main");
    std::puts("done");
    return 0;
  }
  return 2;
}
