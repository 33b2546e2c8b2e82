// The worker of examples/plugins, whose work is done later, with one thing wrong at a time: what
// the environment variable MUTANT names. Functions and kernels that have no fault are the worker's.
#ifndef TESTING_CONFORM_TESTDATA_LATE_LATE_H_
#define TESTING_CONFORM_TESTDATA_LATE_LATE_H_

#include <cstdlib>
#include <span>
#include <string_view>

#include "examples/plugins/worker/queue.h"
#include "switchyard/c/plugin.hpp"

namespace late {

inline bool Is(std::string_view fault) {
  static const char* const wanted = std::getenv("MUTANT");
  return wanted != nullptr && fault == wanted;
}
inline worker::Queue& QueueOf(void* stream) { return *static_cast<worker::Queue*>(stream); }

// The first stream that there was: the host's default one.
inline void* first_stream = nullptr;

SyDeviceFunctions DeviceWithFault();
// The worker's kernels, that of one operator with the fault, and those of operators here.
std::span<const SyKernelDef> KernelsWithFault();
std::span<const SyOperatorDef> Operators();

}  // namespace late

#endif  // TESTING_CONFORM_TESTDATA_LATE_LATE_H_
