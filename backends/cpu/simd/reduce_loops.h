// Loops of a reduction: along rows, across rows, and combining states.
//
//   ReduceBy<f::Sum, float>::kLoops   ReduceLoops (engine/reduce_loop.h)
//
// Along: four chains of lanes, so that the processor need not wait for each addition; their states
// combine in a tree. Across: rows are added to an array of states in the first-level cache, four
// rows per pass.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_LOOPS_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_LOOPS_H_

#include "switchyard/backends/cpu/engine/reduce_loop.h"
#include "switchyard/backends/cpu/simd/reduce_state.h"

namespace sy::cpu::SY_ISA {

template <class Red, class T>
struct ReduceBy {
  using State = StateOf<Red::kState, T>;
  using In = typename State::In;
  using Lanes = typename State::Lanes;
  using One = typename State::One;
  static constexpr size_t kLanes = In::kLanes;
  static constexpr bool kLocated = Red::kState == StateKind::kLocated;
  // Positions in lanes of one byte count so many vectors.
  static constexpr size_t kMaxRow = kLocated && sizeof(T) == 1 ? 124 * kLanes : ~size_t{0};

  static void Along(void* const* s, const ReduceBlock& b) {
    if constexpr (!kLocated) {
      if (b.n < kLanes) {  // without what vectors need to begin with
        const char* row = static_cast<const char*>(b.in);
        for (size_t i = 0; i < b.rows; ++i, row += b.row_stride)
          State::StoreOne(s, i, OneByOne(row, 0, b.n));
        return;
      }
    }
    Rows(s, b);
  }

  static void Across(void* const* s, const ReduceBlock& b) {
    const char* row = static_cast<const char*>(b.in);
    size_t r = 0;
    if (b.rows >= 4) {
      Pass<true, 4>(s, row, b.row_stride, b.n, 0);
      for (r = 4; r + 4 <= b.rows; r += 4)
        Pass<false, 4>(s, row + static_cast<ptrdiff_t>(r) * b.row_stride, b.row_stride, b.n, r);
    } else {
      Pass<true, 1>(s, row, b.row_stride, b.n, 0);
      r = 1;
    }
    for (; r < b.rows; ++r)
      Pass<false, 1>(s, row + static_cast<ptrdiff_t>(r) * b.row_stride, b.row_stride, b.n, r);
    if constexpr (kLocated) {
      // In place, from the end: positions become wider than they were.
      for (size_t j = b.n; j-- > 0;) {
        One one = State::LoadOne(s, j);
        one.at.v = b.at + one.at.v * b.step;
        State::StoreWide(s, j, one);
      }
    }
  }

  static void Combine(void* const* a, void* const* b, size_t n, double n_a, double n_b) {
    size_t j = 0;
    if constexpr (kLocated) {
      for (; j < n; ++j) {
        State::StoreWide(a, j,
                         Red().Combine(State::LoadWide(a, j), State::LoadWide(b, j), n_a, n_b));
      }
    } else {
      for (; j + kLanes <= n; j += kLanes)
        State::Store(a, j, Red().Combine(State::Load(a, j), State::Load(b, j), n_a, n_b));
      for (; j < n; ++j)
        State::StoreOne(a, j, Red().Combine(State::LoadOne(a, j), State::LoadOne(b, j), n_a, n_b));
    }
  }

  static void Empty(void* const* s, size_t n) {
    if constexpr (Red::kState == StateKind::kValue && Red::kEmpty >= 0) {
      for (size_t j = 0; j < n; ++j) State::StoreOne(s, j, Constant<One>(Red::kEmpty));
    } else if constexpr (Red::kState == StateKind::kMoments) {
      const Num<double> zero(0.0);
      for (size_t j = 0; j < n; ++j) State::StoreOne(s, j, {zero, zero});
    }
  }

  static constexpr ReduceLoops kLoops = {&Along, &Across, &Combine,
                                         Red::kEmpty >= 0 ? &Empty : nullptr};

 private:
  __attribute__((noinline)) static void Rows(void* const* s, const ReduceBlock& b) {
    const char* row = static_cast<const char*>(b.in);
    for (size_t i = 0; i < b.rows; ++i, row += b.row_stride) {
      if constexpr (kLocated) {
        One r = Row(row, b.n < kMaxRow ? b.n : kMaxRow);
        for (size_t j = kMaxRow; j < b.n; j += kMaxRow) {
          One part = Row(row + j * sizeof(T), b.n - j < kMaxRow ? b.n - j : kMaxRow);
          part.at.v += static_cast<int64_t>(j);
          r = Red().Combine(r, part, 1, 1);
        }
        r.at.v = b.at + r.at.v * b.step;
        State::StoreWide(s, i, r);
      } else {
        State::StoreOne(s, i, Row(row, b.n));
      }
    }
  }

  template <class S>
  static SY_FN S Constant(int v) {
    if constexpr (requires { typename S::Real; }) {
      return S(double(v));
    } else {
      return S(typename S::Element(v));
    }
  }

  static SY_FN Lanes LoadFirst(const void* row, size_t vector) {
    return State::template First<Red>(In::Load(row, vector * kLanes), Step{long(vector), 1});
  }
  static SY_FN Lanes Add(Lanes s, const void* row, size_t vector, size_t count) {
    return Red().Add(s, In::Load(row, vector * kLanes), Step{long(vector), long(count)});
  }

  // `vectors` of them, at least one.
  static SY_FN Lanes Vectors(const void* row, size_t vectors) {
    if (vectors < 8) {
      Lanes a = LoadFirst(row, 0);
      for (size_t k = 1; k < vectors; ++k) a = Add(a, row, k, k + 1);
      return a;
    }
    Lanes a = LoadFirst(row, 0), b = LoadFirst(row, 1), c = LoadFirst(row, 2),
          d = LoadFirst(row, 3);
    size_t i = 4, count = 1;
    while (i + 4 <= vectors) {
      ++count;
      a = Add(a, row, i, count);
      b = Add(b, row, i + 1, count);
      c = Add(c, row, i + 2, count);
      d = Add(d, row, i + 3, count);
      i += 4;
    }
    const auto n = static_cast<double>(count);
    a = Red().Combine(Red().Combine(a, b, n, n), Red().Combine(c, d, n, n), 2 * n, 2 * n);
    for (; i < vectors; ++i) a = Red().Combine(a, LoadFirst(row, i), static_cast<double>(i), 1);
    return a;
  }

  // n elements, at least one; a located state's position is that in the row.
  static SY_FN One Row(const void* row, size_t n) {
    const size_t vectors = n / kLanes;
    const size_t i = vectors * kLanes;
    if (vectors == 0) return OneByOne(row, 0, n);
    if constexpr (Red::kState == StateKind::kValue) {
      // The rest first: its chain is as long as the vectors' and need not wait for them.
      const One rest = OneByOne(row, i < n ? i : n - 1, n);
      const One r = State::template Fold<Red>(Vectors(row, vectors), static_cast<double>(vectors));
      const auto before = static_cast<double>(i), after = static_cast<double>(n - i);
      return i < n ? Red().Combine(r, rest, before, after) : r;
    } else {
      One r = State::template Fold<Red>(Vectors(row, vectors), static_cast<double>(vectors));
      for (size_t j = i; j < n; ++j)
        r = Red().Add(r, In::LoadOne(row, j), Step{long(j), long(j + 1)});
      return r;
    }
  }

  // Elements i … n - 1, at least one.
  static SY_FN One OneByOne(const void* row, size_t i, size_t n) {
    One r = State::template FirstOne<Red>(In::LoadOne(row, i), Step{long(i), 1});
    while (++i < n) r = Red().Add(r, In::LoadOne(row, i), Step{long(i), long(i + 1)});
    return r;
  }

  // kRows rows, the first one the at-th of the block, into the states; kStart: which begin there.
  template <bool kStart, int kRows>
  static SY_FN void Pass(void* const* s, const char* row, ptrdiff_t stride, size_t n, size_t at) {
    size_t j = 0;
    for (; j + kLanes <= n; j += kLanes) {
      Lanes a =
          kStart ? State::template First<Red>(In::Load(row, j), Step{0, 1}) : State::Load(s, j);
#pragma GCC unroll 4
      for (int k = kStart; k < kRows; ++k)
        a = Red().Add(a, In::Load(row + k * stride, j), StepOf(at + static_cast<size_t>(k)));
      State::Store(s, j, a);
    }
    for (; j < n; ++j) {
      One a = kStart ? State::template FirstOne<Red>(In::LoadOne(row, j), Step{0, 1})
                     : State::LoadOne(s, j);
#pragma GCC unroll 4
      for (int k = kStart; k < kRows; ++k)
        a = Red().Add(a, In::LoadOne(row + k * stride, j), StepOf(at + static_cast<size_t>(k)));
      State::StoreOne(s, j, a);
    }
  }
  static SY_FN Step StepOf(size_t at) { return {long(at), long(at) + 1}; }
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_LOOPS_H_
