// Whether something runs out of memory, of a test's own.
#ifndef TESTS_FAULTS_MEMORY_RUNS_OUT_H_
#define TESTS_FAULTS_MEMORY_RUNS_OUT_H_

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "switchyard/core/error.h"
#include "tests/faults/memory/memory_short.h"

namespace sy::testing {

// What `run` throws while memory is short: an Error that says so, or std::bad_alloc of the standard
// library's own. False: nothing.
inline bool RunsOut(absl::FunctionRef<void()> run, int64_t nth, MemoryShort::How how) {
  try {
    const MemoryShort memory(nth, how);
    run();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.message();
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

}  // namespace sy::testing

#endif  // TESTS_FAULTS_MEMORY_RUNS_OUT_H_
