// Counts instructions of the cases that are linked in: run under `valgrind --tool=callgrind
// --collect-atstart=no`, it dumps one profile a case, of kIterations calls, named by the case.

#include <valgrind/callgrind.h>

#include <cstdio>

#include "bench/case.h"

int main() {
  constexpr int64_t kWarm = 20, kIterations = 100;
  for (const bench::Case* c = bench::Case::first; c != nullptr; c = c->next()) {
    const auto loop = c->NewLoop();
    loop->Run(kWarm);
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    loop->Run(kIterations);
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS_AT(c->name());
  }
}
