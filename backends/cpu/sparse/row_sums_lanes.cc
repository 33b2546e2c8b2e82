// Sums of a strided matrix's rows, for one instruction set: of some columns at a time, which stay
// in registers.
#include "backends/cpu/sparse/row_sums.h"
#include "switchyard/backends/cpu/simd/raw.h"

namespace sy::cpu::SY_ISA {
namespace {

// kN registers of columns from k on. R: a register of T's, or one T.
template <class R, int kN, bool kBlocks, class T>
void Columns(const RowSums<T>& s, int64_t first, int64_t last, int64_t k) {
  constexpr int64_t kLanes = sizeof(R) / sizeof(T);
  const int64_t height = kBlocks ? s.height : 1, width = kBlocks ? s.width : 1;
  const int64_t* const columns = s.columns - s.begin[first];
  for (int64_t i = first; i < last; ++i) {
    for (int64_t row = 0; row < height; ++row) {
      R sums[kN] = {};
      for (int64_t j = s.begin[i]; j < s.begin[i + 1]; ++j) {
        const T* value = s.values + (j * height + row) * width;
        const T* from = s.from + columns[j] * width * s.down + k;
        for (int64_t t = 0; t < width; ++t, from += s.down) {
          const R v = value[t] - R{};
#pragma GCC unroll 8
          for (int n = 0; n < kN; ++n) sums[n] += v * LoadRaw<R>(from + n * kLanes);
        }
      }
      T* const to = s.to + (i * height + row) * s.to_columns + k;
#pragma GCC unroll 8
      for (int n = 0; n < kN; ++n) StoreRaw(to + n * kLanes, sums[n]);
    }
  }
}

// From column k on, where fewer than two registers are left: the last ones, some of them once more,
// or, of matrices that are narrower, half a register.
template <int kLanes, bool kBlocks, class T>
void LastColumns(const RowSums<T>& s, int64_t first, int64_t last, int64_t k) {
  if constexpr (kLanes == 1) {
    if (k < s.to_columns) Columns<T, 1, kBlocks>(s, first, last, k);
  } else {
    if (s.to_columns < kLanes) return LastColumns<kLanes / 2, kBlocks>(s, first, last, k);
    using R = Raw<T, kLanes>;
    for (; k + kLanes <= s.to_columns; k += kLanes) Columns<R, 1, kBlocks>(s, first, last, k);
    if (k < s.to_columns) Columns<R, 1, kBlocks>(s, first, last, s.to_columns - kLanes);
  }
}

template <bool kBlocks, class T>
void AllColumns(const RowSums<T>& s, int64_t first, int64_t last) {
  using R = Raw<T>;
  constexpr int kLanes = sizeof(R) / sizeof(T);
  const int64_t n = s.to_columns;
  int64_t k = 0;
  for (; k + 8 * kLanes <= n; k += 8 * kLanes) Columns<R, 8, kBlocks>(s, first, last, k);
  for (; k + 4 * kLanes <= n; k += 4 * kLanes) Columns<R, 4, kBlocks>(s, first, last, k);
  for (; k + 2 * kLanes <= n; k += 2 * kLanes) Columns<R, 2, kBlocks>(s, first, last, k);
  LastColumns<kLanes, kBlocks>(s, first, last, k);
}

template <class T>
void Rows(const RowSums<T>& s, int64_t first, int64_t last) {
  if (s.height == 1 && s.width == 1) return AllColumns<false>(s, first, last);
  AllColumns<true>(s, first, last);
}

}  // namespace

extern constinit const RowSumLoops row_sums = {&Rows<float>, &Rows<double>};

}  // namespace sy::cpu::SY_ISA
