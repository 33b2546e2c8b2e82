// What kernels are launched with: plain structs that the host fills in and the device reads.
//
// The host, NVRTC and tests compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ARGS_H_

#include "switchyard/backends/cuda/device/report.h"

namespace sy::cuda {

inline constexpr int kMaxDims = 12;     // after neighbours have merged
inline constexpr int kMaxOperands = 4;  // 0 is the output
inline constexpr int kMaxParams = 4;

// Division of n < 2^31 by a number that is known before, 0 < d < 2^31, by a product and a shift:
// with s = ceil(log2 d) and m = floor(2^32 (2^s - d) / d) + 1, n / d = (high(n m) + n) >> s.
// Source: T. Granlund, P. L. Montgomery, "Division by invariant integers using multiplication",
// PLDI 1994, figure 4.1.
struct Divider {
  unsigned divisor, magic, shift;
};

// A number in any element type.
struct alignas(16) Immediate {
  unsigned char bytes[16];
};

// Operands of n elements one after another, or of one element for all.
struct FlatArgs {
  long long n;
  void* data[kMaxOperands];
  Immediate inputs[kMaxOperands - 1];  // of those that are numbers
  Immediate params[kMaxParams];
};

// Positions, and how operands lie in them. Dimension 0 is the innermost; strides are in bytes.
struct Space {
  long long n;
  int rank;
  long long sizes[kMaxDims];
  Divider dividers[kMaxDims];
  long long strides[kMaxOperands][kMaxDims];
};

// Operands of any strides; a thread for each position of the space.
struct StridedArgs {
  Space space;
  void* data[kMaxOperands];
  Immediate inputs[kMaxOperands - 1];
  Immediate params[kMaxParams];
};

// A copy between operands that lie along different dimensions: `to` has its columns one after
// another, `from` its rows. Steps: bytes from row to row of `to`, from column to column of `from`.
struct TransposeArgs {
  Space space;
  void* to;
  const void* from;
  long long rows, columns, to_step, from_step;
  long long row_tiles, column_tiles;
};

// A reduction. Operands of `kept`: the input, then outputs; of `reduced`: the input, then the
// position in row-major order, which counts elements as bytes.
struct ReduceArgs {
  Space kept, reduced;
  const void* in;
  void* out[2];
  long long chunk;  // elements that a thread's group reduces; all of them, unless there are states
  void* states;     // of the chunks of each output; null: results are written
  unsigned* counters;  // of each output's chunks that are done, 0; null: ReduceStates comes after
  long long chunks;
  double parameter;
};

// Elements at positions along a dimension of `size` (device/index.h). Steps and strides: bytes.
struct IndexArgs {
  Space space;
  void* to;
  const void* index;
  const void* from;  // null: `number` instead
  void* winner;
  Immediate number, alpha;
  long long size, stride;                  // of the dim, in the tensor that is indexed
  long long count, index_step, from_step;  // of a line; or how often a block goes on
  long long dim;
  bool wraps;  // indices below 0 count from the end
  Report* report;
  int op;
};
// What elements of an index are sorted by (device/index.h). Strides: elements of what is written.
struct KeyArgs {
  Space space;
  const void* index;
  void* keys;
  long long size, stride;  // of the dim
  long long dim, end;      // end: above all places
  bool wraps;
  Report* report;
  int op;
};
// `count` sorted elements, and what moves along with each (device/index.h). Strides: bytes.
struct RunArgs {
  Space others, items;  // items: where each lies in `from`
  const void* keys;
  const long long* order;  // where each was before it was sorted; null: there
  long long count, end, stride;
  void* to;
  const void* from;  // null: `number` instead
  Immediate number, alpha, identity;
  bool with_self;
  void* parts;  // sums of parts of long runs; null: runs are not cut
};

// Lines of n elements along a dimension: operands of the space are the outputs, then the input, at
// the lines' starts. Steps: bytes from element to element.
struct LineArgs {
  Space space;
  void* out[2];
  const void* in;
  long long n, out_step[2], in_step;
};

// Rows of n elements that lie densely, normalised. Null: not there.
struct NormArgs {
  long long rows, n;
  void *out, *mean, *factor;
  const void *in, *weight, *bias;
  double eps;
};

// Elements one after another, from the words of a counter-based generator.
struct RandomArgs {
  void* out;
  long long n;
  unsigned long long seed, offset;  // the first counter
  unsigned long long tail;          // of normals: the counter from which the last 16 come
  const unsigned long long* state;  // of a captured graph: seed, and what counters start from
  double a, b;
  long long from;
  unsigned long long count;
  const void* in;    // of what is drawn by elements: as many as there are numbers
  const void* rank;  // int64, of those that draw, from 1 on; null: none does;
                     // of binomial probabilities
  void* noise;       // what is multiplied by; null: not asked for
  Report* report;
  int op;
};

// Counters that an element has of which it takes as many numbers as it needs.
constexpr int kCountersEach = 16;

// What a replay of a captured graph starts from.
struct StartArgs {
  unsigned long long* state;
  unsigned long long seed, offset;
};

// out = beta x + alpha a b, of a batch of matrices. Strides: bytes.
struct ProductArgs {
  long long batch, m, n, k;
  void* out;
  const void *x, *a, *b;                                               // x null: none
  long long out_strides[3], x_strides[3], a_strides[3], b_strides[3];  // batch, row, column
  Immediate alpha, beta;  // in the type that products are summed in
};

// start, start + step, …, one after another: of integers, or of doubles.
struct RangeArgs {
  void* out;
  long long n;
  long long start, step;
  double real_start, real_step;
};

// One operand that is looked at.
struct CheckArgs {
  Space space;
  const void* data;
  Report* report;
  int op;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ARGS_H_
