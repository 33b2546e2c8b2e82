#include "switchyard/backends/cpu/blas/factors.h"

#include <algorithm>
#include <complex>
#include <type_traits>
#include <utility>

#include "switchyard/backends/cpu/blas/triangles.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Sizes up to which the library's own functions are called: measured with 1000 rows. Its triangular
// solves are at half the speed of its products.
constexpr int64_t kLeastSolve = 64, kLeastLu = 128, kLeastCholesky = 128;
// Blocks that threads share: smaller ones cost products their speed, larger ones leave threads
// without work.
constexpr int64_t kBlock = 256, kSmallBlock = 128, kFewBlocks = 2;
constexpr int64_t kWorth = 1 << 20;  // multiplications that are worth several threads

int64_t Half(int64_t n) {
  constexpr int64_t kMultiple = 32;  // for the kernels' sake
  return std::max(kMultiple, (n / 2 + kMultiple - 1) / kMultiple * kMultiple);
}
int64_t Parts(int64_t n, int64_t each) { return (n + each - 1) / each; }
int64_t BlockFor(int64_t n) { return n < kFewBlocks * kBlock ? kSmallBlock : kBlock; }

CBLAS_TRANSPOSE Named(char trans) {
  return trans == 'N' ? CblasNoTrans : trans == 'T' ? CblasTrans : CblasConjTrans;
}

// Rows i and pivots[i] - 1 change places, first … last - 1 in this order, or from the last one on.
template <class T>
void ExchangeRows(T* column, const int* pivots, int64_t first, int64_t last, bool backwards) {
  for (int64_t i = first; i < last; ++i) {
    const int64_t row = backwards ? last - 1 - (i - first) : i;
    std::swap(column[row], column[pivots[row] - 1]);
  }
}
template <class T>
void ExchangeRows(T* a, int64_t lda, int64_t columns, const int* pivots, int64_t first,
                  int64_t last) {
  constexpr int64_t kGrain = 1 << 15;  // exchanges worth a thread
  ParallelFor(columns, std::max<int64_t>(1, kGrain / (last - first)),
              [&](int64_t begin, int64_t end) {
                for (int64_t j = begin; j < end; ++j)
                  ExchangeRows(a + j * lda, pivots, first, last, false);
              });
}

// Up to kLeastSolve unknowns.
template <class T>
void SolveLeast(const Lapack<T>& lapack, bool left, Triangle triangle, int64_t m, int64_t n,
                const T* a, int64_t lda, T* b, int64_t ldb) {
  const T one(1);
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), of_a = static_cast<int>(lda),
            of_b = static_cast<int>(ldb);
  lapack.trsm(left ? "L" : "R", triangle.upper ? "U" : "L", &triangle.trans,
              triangle.unit ? "U" : "N", &rows, &columns, &one, a, &of_a, b, &of_b, 1, 1, 1, 1);
}
// Of real numbers ours is five times as quick. Unknowns to the left of the matrix in this order or,
// where the last one comes first, in the other; those to the right of it are turned.
template <class T>
void SolveLeastReal(bool left, Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda,
                    T* b, int64_t ldb) {
  static constexpr const Triangles* kIsas[kNumIsas] = SY_OF_EACH_ISA(triangles);
  const auto solve = [](auto... args) {
    if constexpr (std::is_same_v<T, float>) {
      kIsas[ActiveIsa()]->of_float(args...);
    } else {
      kIsas[ActiveIsa()]->of_double(args...);
    }
  };
  const int64_t k = left ? m : n;
  // Of the matrix that stands to the right of the unknowns.
  const bool transposed = (triangle.trans != 'N') != left;
  const bool last_first = triangle.upper == transposed;
  T factors[kLeastSolve * kLeastSolve];
  const auto at = [&](int64_t i) { return last_first ? k - 1 - i : i; };
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < j; ++i)
      factors[j * k + i] = transposed ? a[at(j) + at(i) * lda] : a[at(i) + at(j) * lda];
    factors[j * k + j] = triangle.unit ? T(1) : T(1) / a[at(j) * (lda + 1)];
  }
  if (!left) {
    return solve(factors, k, last_first ? b + (k - 1) * ldb : b, last_first ? -ldb : ldb, m);
  }
  constexpr int64_t kRows = 128;  // at a time
  T turned[kLeastSolve * kRows];
  const auto transpose = ActiveHelpers().transpose[SizeIndex(sizeof(T))];
  constexpr auto kItem = static_cast<ptrdiff_t>(sizeof(T));
  for (int64_t first = 0; first < n; first += kRows) {
    const int64_t rows = std::min(kRows, n - first);
    T* const x = b + first * ldb;
    transpose(turned, kRows * kItem, x, ldb * kItem, rows, k);
    solve(factors, k, last_first ? turned + (k - 1) * kRows : turned, last_first ? -kRows : kRows,
          rows);
    transpose(x, ldb * kItem, turned, kRows * kItem, k, rows);
  }
}
template <>
void SolveLeast(const Lapack<float>&, bool left, Triangle triangle, int64_t m, int64_t n,
                const float* a, int64_t lda, float* b, int64_t ldb) {
  SolveLeastReal(left, triangle, m, n, a, lda, b, ldb);
}
template <>
void SolveLeast(const Lapack<double>&, bool left, Triangle triangle, int64_t m, int64_t n,
                const double* a, int64_t lda, double* b, int64_t ldb) {
  SolveLeastReal(left, triangle, m, n, a, lda, b, ldb);
}

}  // namespace

template <class T>
void Factors<T>::Subtract(char trans_a, char trans_b, int64_t m, int64_t n, int64_t k, const T* a,
                          int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc) const {
  if (m == 0 || n == 0 || k == 0) return;
  const T minus(-1), one(1);
  const auto run = [&](auto gemm, auto minus, auto one) {
    gemm(CblasColMajor, Named(trans_a), Named(trans_b), static_cast<int>(m), static_cast<int>(n),
         static_cast<int>(k), minus, a, static_cast<int>(lda), b, static_cast<int>(ldb), one, c,
         static_cast<int>(ldc));
  };
  if constexpr (std::is_same_v<T, float>) {
    run(blas_.sgemm, minus, one);
  } else if constexpr (std::is_same_v<T, double>) {
    run(blas_.dgemm, minus, one);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    run(blas_.cgemm, &minus, &one);
  } else {
    run(blas_.zgemm, &minus, &one);
  }
}

template <class T>
void Factors<T>::SubtractBlocks(char trans_b, bool lower_alone, int64_t m, int64_t n, int64_t k,
                                const T* a, int64_t lda, const T* b, int64_t ldb, T* c,
                                int64_t ldc) const {
  if (m * n * k < kWorth && !lower_alone)
    return Subtract('N', trans_b, m, n, k, a, lda, b, ldb, c, ldc);
  const int64_t rows = lower_alone ? kSmallBlock : BlockFor(m),
                columns = lower_alone ? kSmallBlock : BlockFor(n), down = Parts(m, rows),
                across = Parts(n, columns);
  // Of a lower triangle, blocks of a column lie one below the other, from the diagonal on.
  const int64_t blocks = lower_alone ? across * (across + 1) / 2 : down * across;
  ParallelFor(blocks, std::max<int64_t>(1, kWorth / (rows * columns * k)),
              [&](int64_t begin, int64_t end) {
                for (int64_t block = begin; block < end; ++block) {
                  int64_t i = block % down, j = block / down;
                  if (lower_alone) {
                    for (i = block, j = 0; i >= across - j; ++j) i -= across - j;
                    i += j;
                  }
                  const int64_t row = i * rows, column = j * columns;
                  Subtract('N', trans_b, std::min(rows, m - row), std::min(columns, n - column), k,
                           a + row, lda, trans_b == 'N' ? b + column * ldb : b + column, ldb,
                           c + row + column * ldc, ldc);
                }
              });
}

template <class T>
void Factors<T>::SolvePart(bool left, Triangle triangle, int64_t m, int64_t n, const T* a,
                           int64_t lda, T* b, int64_t ldb) const {
  const int64_t k = left ? m : n;
  if (k <= kLeastSolve) return SolveLeast(lapack_, left, triangle, m, n, a, lda, b, ldb);
  // Which half of the unknowns does not need the other one.
  const bool is_lower = triangle.upper == (triangle.trans != 'N'), first_first = is_lower == left;
  const int64_t half = Half(k);
  const T* const corner = triangle.upper ? a + half * lda : a + half;
  const auto solve = [&](bool first) {
    const int64_t at = first ? 0 : half, size = first ? half : k - half;
    T* const part = left ? b + at : b + at * ldb;
    SolvePart(left, triangle, left ? size : m, left ? n : size, a + at * (lda + 1), lda, part, ldb);
  };
  solve(first_first);
  T *const done = first_first ? b : b + half * (left ? 1 : ldb), *const next =
                                                                     first_first
                                                                         ? b + half *
                                                                                   (left ? 1 : ldb)
                                                                         : b;
  const int64_t known = first_first ? half : k - half, unknown = k - known;
  if (left) {
    Subtract(triangle.trans, 'N', unknown, n, known, corner, lda, done, ldb, next, ldb);
  } else {
    Subtract('N', triangle.trans, m, unknown, known, done, ldb, corner, lda, next, ldb);
  }
  solve(!first_first);
}

template <class T>
void Factors<T>::SolveLeft(Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda, T* b,
                           int64_t ldb) const {
  const int64_t each = BlockFor(n);
  ParallelFor(Parts(n, each), std::max<int64_t>(1, kWorth / (m * m * each)),
              [&](int64_t begin, int64_t end) {
                for (int64_t j = begin * each; j < std::min(n, end * each); j += each)
                  SolvePart(true, triangle, m, std::min(each, n - j), a, lda, b + j * ldb, ldb);
              });
}

template <class T>
void Factors<T>::SolveRight(Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda, T* b,
                            int64_t ldb) const {
  const int64_t each = BlockFor(m);
  ParallelFor(Parts(m, each), std::max<int64_t>(1, kWorth / (n * n * each)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin * each; i < std::min(m, end * each); i += each)
                  SolvePart(false, triangle, std::min(each, m - i), n, a, lda, b + i, ldb);
              });
}

template <class T>
int Factors<T>::Cholesky(int64_t n, T* a, int64_t lda) const {
  if (n <= kLeastCholesky) {
    const int size = static_cast<int>(n), of_a = static_cast<int>(lda);
    int info = 0;
    lapack_.potrf("L", &size, a, &of_a, &info, 1);
    return info;
  }
  const int64_t half = Half(n), rest = n - half;
  T *const below = a + half, *const last = a + half * (lda + 1);
  if (const int info = Cholesky(half, a, lda); info != 0) return info;
  SolveRight({.upper = false, .trans = 'C'}, rest, half, a, lda, below, lda);
  SubtractBlocks('C', true, rest, rest, half, below, lda, below, lda, last, lda);
  const int info = Cholesky(rest, last, lda);
  return info == 0 ? 0 : info + static_cast<int>(half);
}

template <class T>
int Factors<T>::Lu(int64_t m, int64_t n, T* a, int64_t lda, int* pivots) const {
  if (n > m) {  // U goes on to the right
    const int info = Lu(m, m, a, lda, pivots);
    T* const right = a + m * lda;
    ExchangeRows(right, lda, n - m, pivots, 0, m);
    SolveLeft({.unit = true}, m, n - m, a, lda, right, lda);
    return info;
  }
  if (n <= kLeastLu) {
    const int rows = static_cast<int>(m), columns = static_cast<int>(n),
              of_a = static_cast<int>(lda);
    int info = 0;
    lapack_.getrf(&rows, &columns, a, &of_a, pivots, &info);
    return info;
  }
  const int64_t half = Half(n), rest = n - half;
  T *const right = a + half * lda, *const last = right + half;
  const int first_info = Lu(m, half, a, lda, pivots);
  ExchangeRows(right, lda, rest, pivots, 0, half);
  SolveLeft({.unit = true}, half, rest, a, lda, right, lda);
  SubtractBlocks('N', false, m - half, rest, half, a + half, lda, right, lda, last, lda);
  const int info = Lu(m - half, rest, last, lda, pivots + half);
  for (int64_t i = half; i < n; ++i) pivots[i] += static_cast<int>(half);
  ExchangeRows(a, lda, half, pivots, half, n);
  if (first_info != 0) return first_info;
  return info == 0 ? 0 : info + static_cast<int>(half);
}

template <class T>
void Factors<T>::LuSolve(char trans, int64_t n, int64_t columns, const T* lu, int64_t lda,
                         const int* pivots, T* b, int64_t ldb) const {
  const int64_t each = BlockFor(columns);
  ParallelFor(Parts(columns, each), 1, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * each; first < std::min(columns, end * each); first += each) {
      const int64_t count = std::min(each, columns - first);
      T* const part = b + first * ldb;
      const auto exchange = [&](bool backwards) {
        for (int64_t j = 0; j < count; ++j) ExchangeRows(part + j * ldb, pivots, 0, n, backwards);
      };
      const Triangle lower{.upper = false, .trans = trans, .unit = true},
          upper{.upper = true, .trans = trans};
      if (trans == 'N') exchange(false);
      SolvePart(true, trans == 'N' ? lower : upper, n, count, lu, lda, part, ldb);
      SolvePart(true, trans == 'N' ? upper : lower, n, count, lu, lda, part, ldb);
      if (trans != 'N') exchange(true);
    }
  });
}

template class Factors<float>;
template class Factors<double>;
template class Factors<std::complex<float>>;
template class Factors<std::complex<double>>;

}  // namespace sy::cpu
