// Inner loops of reductions and the tables in which the engine finds them.
//
//   ReduceSet of an operator → the table of the instruction set in use → the loops of a dtype
//
// A loop sees a block of contiguous rows and leaves one state per row or per column. States lie in
// arrays, one per part (a value; a value and its position): s[0][j], s[1][j].
// No header of the standard library: files that are compiled once per instruction set include this.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_LOOP_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_LOOP_H_

#include "switchyard/backends/cpu/engine/loop.h"

namespace sy::cpu {

inline constexpr int kMaxParts = 2;
// Positions within a column are counted in lanes as narrow as a byte.
inline constexpr int64_t kMaxColumn = 124;

struct ReduceBlock {
  const void* in;
  ptrdiff_t row_stride;  // bytes between rows
  size_t rows, n;        // n contiguous elements in each row
  int64_t at, step;      // position of a reduced line's first element, and from each to the next
};

struct ReduceLoops {
  // States of rows: s[·][i] is what row i reduces to.
  void (*along)(void* const* s, const ReduceBlock& block);
  // States of columns, of at most kMaxColumn elements.
  void (*across)(void* const* s, const ReduceBlock& block);
  // a[·][j] becomes a and b combined, which stand for n_a and n_b elements.
  void (*combine)(void* const* a, void* const* b, size_t n, double n_a, double n_b);
  // n states of no elements; null where there is no such thing.
  void (*empty)(void* const* s, size_t n);
};

struct ReduceTable {
  ReduceLoops loops[kNumDTypes];
};

// The dtype in whose loops a reduction in `d` may run instead: integers wrap in int64 as they would
// in their own width.
constexpr DType WidenedSum(DType d) { return IsIntegral(d, true) ? DType::kInt64 : Widened(d); }

// Of these, the ones that widen on their way into registers; others are converted before.
inline constexpr DTypeMask kReadBytes = Bit(DType::kBool) | Bit(DType::kUInt8);

// What a state's parts are, of loops that run in a dtype.
struct StateParts {
  int8_t num_parts;
  DType dtypes[kMaxParts];
};

// A reduction's loops on all instruction sets.
struct ReduceSet {
  const ReduceTable* tables[kNumIsas];
  DTypeMask dtypes;         // of computation, that there are loops for
  DTypeMask direct;         // those that have loops of their own
  bool located;             // the second part is a position
  DType reads[kNumDTypes];  // what elements are converted to
  StateParts parts[kNumDTypes];

  using PartsOf = StateParts (*)(DType);
  constexpr ReduceSet(const ReduceTable* const (&of_isa)[kNumIsas], PartsOf parts_of, bool located_,
                      DTypeMask direct_, DTypeMask widened)
      : tables{}, dtypes(direct_ | widened), direct(direct_), located(located_) {
    for (int i = 0; i < kNumIsas; ++i) tables[i] = of_isa[i];
    for (int i = 0; i < kNumDTypes; ++i) {
      const DType d = static_cast<DType>(i);
      const DType wide = Contains(widened, d) ? WidenedSum(d) : d;
      reads[i] = Contains(widened & kReadBytes, d) ? d : wide;
      parts[i] = parts_of(wide);
    }
  }
};

// Where the loops of reduction R of ops/formulas/reduce.h are: a file of backends/cpu/loops/reduce
// defines them (simd/reduce_register.h).
//
//   Reduce(kReduceLoops<f::Sum>, call.dtype(), self, DimMask(dim), {{&out, 0}});
template <class R>
struct ReductionLoops {
  static const ReduceSet set;
};
template <class R>
inline constexpr const ReduceSet& kReduceLoops = ReductionLoops<R>::set;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_REDUCE_LOOP_H_
