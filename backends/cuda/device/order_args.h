// What kernels that sort, select and list are launched with, as device/args.h's.
//
// The host, NVRTC and tests compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ORDER_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ORDER_ARGS_H_

#include "switchyard/backends/cuda/device/args.h"

namespace sy::cuda {

inline constexpr int kOrderThreads = 256;
inline constexpr int kDigitBits = 8;
inline constexpr int kDigits = 1 << kDigitBits;

// Rows that lie densely, sorted. Places: positions in the row; between passes unsigned, at the end
// int64.
struct SortArgs {
  long long rows, n, tiles;  // elements of a row; a row's tiles
  const void* values;
  const void* places;      // of values; null: their positions
  const long long* names;  // what is written for place p of a row at last; null: p
  void* to_values;         // null: not asked for
  void* to_places;         // null: not asked for
  void* counts;            // of digits: [rows][kDigits][tiles], then where each begins
  int shift;               // of the digit that this pass sorts by
};

// Numbers that become the sums of those before them; data[n] becomes the sum of all.
struct ScanArgs {
  void* data;
  long long n;
  void* sums;  // of the tiles
};

// Elements that a condition picks, in order (device/compact.h).
struct CompactArgs {
  long long n;
  long long* counts;  // of the tiles, then of what comes before each
  long long most;     // picked ones beyond are left out
  const void* flags;  // what the condition looks at
  const void* from;
  const long long* places;  // where elements were before they were sorted; null: there
  void* to;
  long long *inverse, *heads, *firsts;  // of groups; null: not asked for
  long long width;                      // elements of a row
  long long row, column;                // steps of `to`, in elements
  Space space;                          // of coordinates
  Report* report;
  int op;
};

// Flips and triangles. Operands of the space: out, self, and, of triangles, column - row.
struct ArrangeArgs {
  Space space;
  void* to;
  const void* from;
  long long diagonal;
};

// The positions of a triangle of rows x columns.
struct TriangleArgs {
  long long n, rows, columns, offset;
  void* to;
};

// n numbers looked up among `length` that ascend; null: not there.
struct SearchArgs {
  long long n, length;
  long long row;  // what is looked up in one row of sequences; 0: all in one
  const void* sequence;
  const long long* order;  // where elements of the sequence are
  const void* what;
  void* out;
  Report* report;
  int op;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ORDER_ARGS_H_
