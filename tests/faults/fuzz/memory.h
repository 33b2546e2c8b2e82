// Memory that runs out: a process's allocations count, and from a number of bytes on they fail.
// Sizes that nobody could have meant are errors then, and not gigabytes; and what allocates without
// end ends.
//
//   { const ShortMemory scope; … }
//
// Counts operator new, and the allocations of this program's own objects from the system, which are
// linked with --wrap. Nothing is counted outside a scope.
// Threads: any, one scope at a time.
#ifndef TESTS_FAULTS_FUZZ_MEMORY_H_
#define TESTS_FAULTS_FUZZ_MEMORY_H_

namespace sy::fuzz {

class ShortMemory {
 public:
  ShortMemory();
  ~ShortMemory();
  ShortMemory(const ShortMemory&) = delete;
};

}  // namespace sy::fuzz

#endif  // TESTS_FAULTS_FUZZ_MEMORY_H_
