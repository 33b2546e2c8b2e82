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

// Rows that lie densely, sorted. Positions: in the row; between passes unsigned, at the end
// int64.
struct SortArgs {
  long long rows, n, tiles;  // elements of a row; a row's tiles
  const void* values;
  const void* places;      // of values; null: their positions
  long long keep;          // of each sorted row; the rest is left out
  const long long* names;  // what is written for place p of a row at last; null: p
  void* to_values;         // null: not asked for
  void* to_places;         // null: not asked for
  void* counts;            // of digits: [rows][kDigits][tiles], then where each begins
  int shift;               // of the digit that this pass sorts by
};

// The first elements of rows, or one of each (device/select.h).
enum class Median : int { kNone, kWithNaN, kWithoutNaN };
inline constexpr int kSelectList = 2048;
struct SelectArgs {
  long long rows, n;
  long long chunks;  // of a row
  long long k;
  Median median;  // then k follows from the row
  const void* values;
  const long long* names;  // what is written for place p of a row; null: p
  void* to_values;         // null: not asked for
  long long* to_places;    // null: not asked for
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

// Rows of a matrix in the order of `places`, which a network of comparisons sorts.
struct RowSortArgs {
  long long n, size, width;  // size: a power of two, of places; those that are n come last
  long long run, apart;      // of this step
  const void* values;
  long long* places;
};

// Numbers counted in bins between ascending edges (device/histogram.h).
enum class BinSearch : int { kLinear, kNear, kBinary };
struct HistogramArgs {
  long long n, bins;
  const void* x;
  const double* edges;  // bins + 1
  unsigned long long* counts;
  void* keys;  // of each number: its bin, or `end`; unsigned
  BinSearch search;
  long long stride;  // from number to number: of points, one of their coordinates
  long long end;     // above all keys
  bool first;        // of the coordinates: keys of others go on with those before
};
// A histogram that is scaled so that its integral is 1.
struct DensityArgs {
  long long bins;
  double* histogram;
  const double* edges;
};

// Rows of probabilities, from which positions are drawn.
struct MultinomialArgs {
  long long rows, n, samples;
  const void* probabilities;
  void* out;
  unsigned long long seed, offset;  // the first counter
  const unsigned long long* state;  // as RandomArgs'
  Report* report;
  int op;
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
