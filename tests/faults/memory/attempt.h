// One call that finds no memory, and what must be true of it.
#ifndef TESTS_FAULTS_MEMORY_ATTEMPT_H_
#define TESTS_FAULTS_MEMORY_ATTEMPT_H_

#include <string>

#include "tests/faults/memory/cases.h"
#include "tests/faults/memory/memory_short.h"

namespace sy::testing {

struct Attempt {
  int64_t failed = 0;    // allocations
  std::string why = {};  // what is wrong; empty: nothing
};

// Makes the call while its nth allocation fails. It must succeed, or throw an Error that says that
// memory is out and leave its arguments as they were.
Attempt CallWithoutMemory(Cases& cases, const Case& c, int64_t nth, MemoryShort::How how);
// What the same call gives with memory: "" when it is what was recorded.
std::string CallWithMemory(const Case& c);

}  // namespace sy::testing

#endif  // TESTS_FAULTS_MEMORY_ATTEMPT_H_
