#include "switchyard/backends/cpu/blas/lapack_products.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// Measured at 1000 rows: fewer multiplications cost more to share than they take.
constexpr double kGemmWorth = 1 << 21;
constexpr double kGemvWorth = 1 << 15;  // elements of the matrix, which are read once
constexpr int64_t kLeastColumns = 64;

bool IsNot(char trans) { return trans == 'N' || trans == 'n'; }
bool IsLower(char uplo) { return uplo == 'L' || uplo == 'l'; }

// The i-th of `parts` equal ranges of 0 … n.
struct Range {
  int begin, size;
};
Range PartOf(int n, int64_t i, int64_t parts) {
  const auto at = [&](int64_t p) { return static_cast<int>(n * p / parts); };
  return {at(i), at(i + 1) - at(i)};
}

// Sums of parts, of n numbers each: the first one's are y's own.
template <class T>
class Sums {
 public:
  Sums(int64_t parts, int64_t n)
      : n_(n), memory_(static_cast<size_t>((parts - 1) * (n + kBehind))) {}
  T* of(int64_t part) { return memory_.data() + (part - 1) * (n_ + kBehind); }
  void AddTo(T* y, int64_t step, int64_t parts) {
    for (int64_t part = 1; part < parts; ++part) {
      const T* const sum = of(part);
      for (int64_t i = 0; i < n_; ++i) y[i * step] += sum[i];
    }
  }

 private:
  static constexpr int64_t kBehind = 8;  // OpenBLAS's kernels of complex numbers read on
  const int64_t n_;
  std::vector<T> memory_;
};

}  // namespace

int64_t LapackParts(double multiplications, int64_t size, int64_t least) {
  constexpr int64_t kMost = 16;
  const int64_t most = std::min({static_cast<int64_t>(multiplications), size / least, kMost});
  int64_t parts = 1;
  while (2 * parts <= most) parts *= 2;
  return parts;
}

template <class T>
void SharedGemm(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
                const T* alpha, const T* a, const int* lda, const T* b, const int* ldb,
                const T* beta, T* c, const int* ldc, size_t, size_t) {
  const auto gemm = LibraryCalls<T>::own.gemm;
  const bool by_columns = *n >= *m;
  const int size = by_columns ? *n : *m;
  const int64_t parts =
      LapackParts(double(*m) * double(*n) * double(*k) / kGemmWorth, size, kLeastColumns);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto [first, count] = PartOf(size, i, parts);
      const int64_t at = first;
      if (by_columns) {
        gemm(trans_a, trans_b, m, &count, k, alpha, a, lda, b + at * (IsNot(*trans_b) ? *ldb : 1),
             ldb, beta, c + at * *ldc, ldc, 1, 1);
      } else {
        gemm(trans_a, trans_b, &count, n, k, alpha, a + at * (IsNot(*trans_a) ? 1 : *lda), lda, b,
             ldb, beta, c + at, ldc, 1, 1);
      }
    }
  });
}

// Always by columns: a thread that has the same columns in the next call has them in its cache.
template <class T>
void SharedGemv(const char* trans, const int* m, const int* n, const T* alpha, const T* a,
                const int* lda, const T* x, const int* incx, const T* beta, T* y, const int* incy,
                size_t) {
  const auto gemv = LibraryCalls<T>::own.gemv;
  const bool sums = IsNot(*trans);
  const int64_t parts = *incx < 0 || *incy < 0
                            ? 1
                            : LapackParts(double(*m) * double(*n) / kGemvWorth, *n, kLeastColumns);
  if (parts == 1) return gemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy, 1);
  Sums<T> others(sums ? parts : 1, *m);
  const int one = 1;
  const T zero(0);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto [first, count] = PartOf(*n, i, parts);
      const int64_t at = first;
      const T* const columns = a + at * *lda;
      if (!sums) {
        gemv(trans, m, &count, alpha, columns, lda, x, incx, beta, y + at * *incy, incy, 1);
      } else if (i == 0) {
        gemv(trans, m, &count, alpha, columns, lda, x, incx, beta, y, incy, 1);
      } else {
        gemv(trans, m, &count, alpha, columns, lda, x + at * *incx, incx, &zero, others.of(i), &one,
             1);
      }
    }
  });
  if (sums) others.AddTo(y, *incy, parts);
}

// Of the lower triangle: each thread takes columns from the diagonal on, a few at a time, and
// multiplies what is below the diagonal from both sides while it is in the thread's cache.
template <class T>
void SharedHemv(const char* uplo, const int* n, const T* alpha, const T* a, const int* lda,
                const T* x, const int* incx, const T* beta, T* y, const int* incy, size_t) {
  const auto& own = LibraryCalls<T>::own;
  const int64_t parts =
      !IsLower(*uplo) || *incx != 1 || *incy != 1
          ? 1
          : LapackParts(double(*n) * double(*n) / (4 * kGemvWorth), *n, 2 * kLeastColumns);
  if (parts == 1) return own.hemv(uplo, n, alpha, a, lda, x, incx, beta, y, incy, 1);
  constexpr int kColumns = 64;
  // Parts of equal area.
  const auto begin_of = [&](int64_t part) {
    const double left = std::sqrt(1 - double(part) / double(parts));
    return part == parts ? *n : static_cast<int>(*n * (1 - left)) / 8 * 8;
  };
  Sums<T> others(parts, *n);
  const T one(1), zero(0);
  const int step = 1;
  const char* const back = LibraryCalls<T>::kComplex ? "C" : "T";
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* const sum = part == 0 ? y : others.of(part);
      if (part == 0) {
        if (*beta == zero)
          std::fill_n(y, *n, zero);
        else if (*beta != one)
          std::for_each(y, y + *n, [&](T& v) { v *= *beta; });
      }
      const int last = begin_of(part + 1);
      for (int j = begin_of(part); j < last; j += kColumns) {
        const int64_t at = j;
        const int columns = std::min(kColumns, last - j), below = *n - j - columns;
        const T* const block = a + at * (*lda + int64_t{1});
        own.hemv(uplo, &columns, alpha, block, lda, x + at, &step, &one, sum + at, &step, 1);
        if (below == 0) continue;
        own.gemv("N", &below, &columns, alpha, block + columns, lda, x + at, &step, &one,
                 sum + at + columns, &step, 1);
        own.gemv(back, &below, &columns, alpha, block + columns, lda, x + at + columns, &step, &one,
                 sum + at, &step, 1);
      }
    }
  });
  others.AddTo(y, 1, parts);
}

template <class T>
void SharedHer2k(const char* uplo, const char* trans, const int* n, const int* k, const T* alpha,
                 const T* a, const int* lda, const T* b, const int* ldb,
                 const typename LibraryCalls<T>::R* beta, T* c, const int* ldc, size_t, size_t) {
  const auto& own = LibraryCalls<T>::own;
  constexpr int kRows = 128;
  if (!IsLower(*uplo) || !IsNot(*trans) || double(*n) * double(*n) * double(*k) < 2 * kGemmWorth ||
      *n < 2 * kRows)
    return own.her2k(uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
  // Blocks of a column lie one below the other, from the diagonal on.
  const int64_t across = (*n + kRows - 1) / kRows, blocks = across * (across + 1) / 2;
  const char* const back = LibraryCalls<T>::kComplex ? "C" : "T";
  const T one(1), scale(*beta);
  T other = *alpha;
  if constexpr (LibraryCalls<T>::kComplex) other = std::conj(other);
  ParallelFor(blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      int64_t i = block, j = 0;
      for (; i >= across - j; ++j) i -= across - j;
      i += j;
      const int64_t row = i * kRows, column = j * kRows;
      const int rows = static_cast<int>(std::min<int64_t>(kRows, *n - row)),
                columns = static_cast<int>(std::min<int64_t>(kRows, *n - column));
      T* const at = c + row + column * *ldc;
      if (i == j) {
        own.her2k(uplo, trans, &rows, k, alpha, a + row, lda, b + row, ldb, beta, at, ldc, 1, 1);
        continue;
      }
      own.gemm("N", back, &rows, &columns, k, alpha, a + row, lda, b + column, ldb, &scale, at, ldc,
               1, 1);
      own.gemm("N", back, &rows, &columns, k, &other, b + row, ldb, a + column, lda, &one, at, ldc,
               1, 1);
    }
  });
}

#define SY_PRODUCTS(T)                                                                             \
  template void SharedGemm(const char*, const char*, const int*, const int*, const int*, const T*, \
                           const T*, const int*, const T*, const int*, const T*, T*, const int*,   \
                           size_t, size_t);                                                        \
  template void SharedGemv(const char*, const int*, const int*, const T*, const T*, const int*,    \
                           const T*, const int*, const T*, T*, const int*, size_t);                \
  template void SharedHemv(const char*, const int*, const T*, const T*, const int*, const T*,      \
                           const int*, const T*, T*, const int*, size_t);                          \
  template void SharedHer2k(const char*, const char*, const int*, const int*, const T*, const T*,  \
                            const int*, const T*, const int*, const LibraryCalls<T>::R*, T*,       \
                            const int*, size_t, size_t);
SY_PRODUCTS(float)
SY_PRODUCTS(double)
SY_PRODUCTS(std::complex<float>)
SY_PRODUCTS(std::complex<double>)

}  // namespace sy::cpu
