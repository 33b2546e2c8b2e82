// Memory that runs out when a test says so: malloc and operator new of this thread.
//
//   {
//     const MemoryShort memory(17, MemoryShort::kOnce);
//     load_plugin(path);                                  // throws
//   }
//
// Counts what this thread allocates while one lives, and refuses the n-th, or the n-th and all
// after it. Counted are allocations asked for by the program itself, the C++ library, the C library
// and the dynamic linker. Other libraries (OpenBLAS, oneDNN, OpenMP) have what they ask for: what
// they do without memory is theirs. Only for builds without a sanitizer, which have an allocator of
// their own.
// Owns: nothing.
// Threads: each its own; one at a time in each.
#ifndef TESTS_FAULTS_MEMORY_MEMORY_SHORT_H_
#define TESTS_FAULTS_MEMORY_MEMORY_SHORT_H_

#include <cstdint>

namespace sy::testing {

class MemoryShort {
 public:
  enum How { kOnce, kFromThenOn };
  explicit MemoryShort(int64_t nth, How how = kOnce);
  ~MemoryShort();
  MemoryShort(const MemoryShort&) = delete;
  MemoryShort& operator=(const MemoryShort&) = delete;

  // Of this thread's latest, while it lives and afterwards.
  static int64_t count();   // allocations asked for
  static int64_t failed();  // of these, refused

  static constexpr int64_t kNever = INT64_MAX;  // as nth: counts alone
};

// Blocks that were allocated and not freed, by any thread.
int64_t BlocksInUse();

}  // namespace sy::testing

#endif  // TESTS_FAULTS_MEMORY_MEMORY_SHORT_H_
