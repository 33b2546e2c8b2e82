// Counts of what allocators have handed out; bytes are those that were asked for.
//
//   const MemoryStats s = GetMemoryStats(device);   s.allocated_bytes <= s.reserved_bytes;
//
// Taken while other threads allocate, the numbers need not be of one moment.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_MEMORY_STATS_H_
#define SWITCHYARD_CORE_MEMORY_STATS_H_

#include <cstdint>

#include "switchyard/core/macros.h"

namespace sy {

// Data of at most 64 bytes lives inside its tensor on the host and is not counted.
struct MemoryStats {
  int64_t allocated_bytes = 0;  // alive now
  int64_t peak_bytes = 0;  // the most alive at once; host blocks up to 4 kB count as they are now
  int64_t reserved_bytes = 0;  // held from the system for reuse, allocated_bytes included
  int64_t allocations = 0;     // since the start of the process
  int64_t frees = 0;
};

namespace internal {
struct SmallBlockTotals {
  int64_t bytes, allocations, frees;
};
// Over all threads, living and gone.
SmallBlockTotals SumSmallBlocks();
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_CORE_MEMORY_STATS_H_
