// LU of small matrices for one instruction set: a column after the other, rows side by side.
#include "backends/cpu/blas/small_lu.h"
#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/reduce_state.h"

namespace sy::cpu::SY_ISA {
namespace {

// The matrix with whole registers of rows, those behind its own being 0.
template <class T>
class Columns {
 public:
  static constexpr int kLanes = Vec<T>::kLanes;
  Columns(const T* a, int64_t m, int64_t n, int64_t lda)
      : m_(m), n_(n), rows_((m + kLanes - 1) / kLanes * kLanes) {
    for (int64_t j = 0; j < n; ++j) {
      const T* const from = a + j * lda;
      T* const to = at(j);
      int64_t i = 0;
      for (; i + kLanes <= m; i += kLanes) StoreRaw(to + i, LoadRaw<Raw<T>>(from + i));
      for (; i < m; ++i) to[i] = from[i];
      for (; i < rows_; ++i) to[i] = 0;
    }
  }
  void Store(T* a, int64_t lda) const {
    for (int64_t j = 0; j < n_; ++j) {
      const T* const from = x_ + j * rows_;
      T* const to = a + j * lda;
      int64_t i = 0;
      for (; i + kLanes <= m_; i += kLanes) StoreRaw(to + i, LoadRaw<Raw<T>>(from + i));
      for (; i < m_; ++i) to[i] = from[i];
    }
  }

  // The row of column k's largest number, from row k on; NaN counts for less than any.
  int64_t Pivot(int64_t k) {
    const T* const column = at(k);
    const auto size = [&](int64_t i) {
      const Raw<T> x = LoadRaw<Raw<T>>(column + i);
      return Rows(i) < static_cast<Index>(k) ? Raw<T>{} - 1 : x < 0 ? -x : x;
    };
    const int64_t first = FirstOf(k);
    Raw<T> largest = Raw<T>{} - 1;
    for (int64_t i = first; i < rows_; i += kLanes) largest = size(i) > largest ? size(i) : largest;
    largest = Fold<kLanes / 2>(largest, [](auto a, auto b) { return a > b ? a : b; }) - Raw<T>{};
    Raw<Index> row = Raw<Index>{} + static_cast<Index>(rows_);
    for (int64_t i = rows_ - kLanes; i >= first; i -= kLanes)
      row = size(i) == largest ? Rows(i) : row;
    const int64_t found = Fold<kLanes / 2>(row, [](auto a, auto b) { return a < b ? a : b; });
    return found >= k && found < m_ ? found : k;  // where all are NaN, what is masked was found
  }
  void Exchange(int64_t i, int64_t k) {
    for (int64_t j = 0; j < n_; ++j) {
      T* const column = at(j);
      const T x = column[i];
      column[i] = column[k];
      column[k] = x;
    }
  }
  // Column k below its diagonal becomes L's; what it stands for is taken from the columns after it.
  // False where the pivot is 0.
  bool Eliminate(int64_t k) {
    const int64_t first = FirstOf(k);
    const auto below = Rows(first) > static_cast<Index>(k);
    T* const factors = at(k);
    const T pivot = factors[k];
    if (pivot != 0) {
      Raw<T> x = LoadRaw<Raw<T>>(factors + first);
      StoreRaw(factors + first, below ? x / pivot : x);
      for (int64_t i = first + kLanes; i < rows_; i += kLanes)
        StoreRaw(factors + i, LoadRaw<Raw<T>>(factors + i) / pivot);
    }
    const Raw<T> first_factors = LoadRaw<Raw<T>>(factors + first);
    for (int64_t j = k + 1; j < n_; ++j) {
      T* const column = at(j);
      const Raw<T> minus = -(column[k] - Raw<T>{});
      const Raw<T> x = LoadRaw<Raw<T>>(column + first);
      StoreRaw(column + first, below ? MultiplyAdd(first_factors, minus, x) : x);
      for (int64_t i = first + kLanes; i < rows_; i += kLanes)
        StoreRaw(column + i,
                 MultiplyAdd(LoadRaw<Raw<T>>(factors + i), minus, LoadRaw<Raw<T>>(column + i)));
    }
    return pivot != 0;
  }

 private:
  using Index = Int<sizeof(T)>;
  T* at(int64_t j) { return x_ + j * rows_; }
  static int64_t FirstOf(int64_t row) { return row / kLanes * kLanes; }
  // The numbers of the rows of a register that begins at row i.
  static Raw<Index> Rows(int64_t i) {
    static constexpr Numbers kFirst = {};
    return LoadRaw<Raw<Index>>(kFirst.of) + static_cast<Index>(i);
  }
  struct Numbers {
    Index of[kLanes];
    constexpr Numbers() : of() {
      for (int i = 0; i < kLanes; ++i) of[i] = static_cast<Index>(i);
    }
  };
  // Of all lanes, by halves.
  template <int kBy, class R, class F>
  static auto Fold(R x, F combine) {
    if constexpr (kBy == 0) {
      return x[0];
    } else {
      return Fold<kBy / 2>(combine(x, Shuffle<RotateLanes<kBy, kLanes>>(x, x)), combine);
    }
  }

  alignas(SY_VECTOR_BYTES) T x_[kSmallLu * (kSmallLu + kLanes)];
  const int64_t m_, n_, rows_;
};

template <class T>
int Factor(T* a, int64_t m, int64_t n, int64_t lda, int* pivots) {
  Columns<T> columns(a, m, n, lda);
  int info = 0;
  for (int64_t k = 0; k < m && k < n; ++k) {
    const int64_t pivot = columns.Pivot(k);
    pivots[k] = static_cast<int>(pivot + 1);
    if (pivot != k) columns.Exchange(pivot, k);
    if (!columns.Eliminate(k) && info == 0) info = static_cast<int>(k + 1);
  }
  columns.Store(a, lda);
  return info;
}

}  // namespace

extern constinit const SmallLu small_lu = {Factor<float>, Factor<double>};

}  // namespace sy::cpu::SY_ISA
