#include "switchyard/backends/cpu/blas/lapack_reflectors.h"

#include <algorithm>

#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr int kFewColumns = 16;  // up to which LAPACK's own, a vector after the other, are as quick

size_t Squared(const int* n) { return static_cast<size_t>(*n) * static_cast<size_t>(*n); }

// V's triangle of the first k rows (or, stored by rows, columns), with the ones and zeros that are
// not stored.
template <class T>
void CopyTriangle(bool by_columns, int64_t k, const T* v, int64_t ldv, T* to) {
  for (int64_t j = 0; j < k; ++j) {
    T* const column = to + j * k;
    const T* const from = v + j * ldv;
    if (by_columns) {
      std::fill_n(column, j, T(0));
      std::copy(from + j + 1, from + k, column + j + 1);
    } else {
      std::copy_n(from, j, column);
      std::fill(column + j + 1, column + k, T(0));
    }
    column[j] = T(1);
  }
}

}  // namespace

template <class T>
void SharedLarfb(const char* side, const char* trans, const char* direct, const char* storev,
                 const int* m, const int* n, const int* k, const T* v, const int* ldv, const T* t,
                 const int* ldt, T* c, const int* ldc, T* work, const int* ldwork, size_t, size_t,
                 size_t, size_t) {
  constexpr double kWorth = 1 << 20;
  constexpr int64_t kLeast = 64;
  const auto larfb = LibraryCalls<T>::own.larfb;
  const bool left = *side == 'L' || *side == 'l';
  const int64_t size = left ? *n : *m;
  const int64_t parts = LapackParts(double(*m) * double(*n) * double(*k) / kWorth, size, kLeast);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = size * i / parts;
      const int count = static_cast<int>(size * (i + 1) / parts - first);
      larfb(side, trans, direct, storev, left ? m : &count, left ? &count : n, k, v, ldv, t, ldt,
            c + first * (left ? *ldc : 1), ldc, work + first, ldwork, 1, 1, 1, 1);
    }
  });
}

template <class T>
void BlockedLarft(const char* direct, const char* storev, const int* n, const int* k, T* v,
                  const int* ldv, const T* tau, T* t, const int* ldt, size_t, size_t) {
  const auto& own = LibraryCalls<T>::own;
  const bool forward = *direct == 'F' || *direct == 'f',
             by_columns = *storev == 'C' || *storev == 'c';
  if (!forward || *k <= kFewColumns || *k > *n)
    return own.larft(direct, storev, n, k, v, ldv, tau, t, ldt, 1, 1);
  std::vector<T> triangle(Squared(k)), products(Squared(k));
  CopyTriangle(by_columns, *k, v, *ldv, triangle.data());
  products = triangle;
  // V^H V, or of rows V V^H.
  const T one(1);
  const int rest = *n - *k;
  const char* const back = LibraryCalls<T>::kComplex ? "C" : "T";
  if (by_columns) {
    own.trmm("L", "L", back, "U", k, k, &one, triangle.data(), k, products.data(), k, 1, 1, 1, 1);
  } else {
    own.trmm("R", "U", back, "U", k, k, &one, triangle.data(), k, products.data(), k, 1, 1, 1, 1);
  }
  if (rest > 0) {
    const T* const others = v + (by_columns ? *k : int64_t{*k} * *ldv);
    own.gemm(by_columns ? back : "N", by_columns ? "N" : back, k, k, &rest, &one, others, ldv,
             others, ldv, &one, products.data(), k, 1, 1);
  }
  const int step = 1;
  for (int j = 0; j < *k; ++j) {
    T* const column = t + int64_t{j} * *ldt;
    for (int i = 0; i < j; ++i) column[i] = -tau[j] * products[static_cast<size_t>(i + j * *k)];
    own.trmv("U", "N", "N", &j, t, ldt, column, &step, 1, 1, 1);
    column[j] = tau[j];
  }
}

template <class T>
void BlockedGeqr2(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, int* info) {
  const auto& own = LibraryCalls<T>::own;
  if (*n <= kFewColumns || *m < *n) return own.geqr2(m, n, a, lda, tau, work, info);
  std::vector<T> t(Squared(n));
  own.geqrt3(m, n, a, lda, t.data(), n, info);
  for (int i = 0; i < *n; ++i) tau[i] = t[static_cast<size_t>(i) * static_cast<size_t>(*n + 1)];
}

// Q = E - V T V1^H, E the first columns of the identity, V1 the triangle of V: T V1^H is upper.
template <class T>
void BlockedOrg2r(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,
                  T* work, int* info) {
  const auto& own = LibraryCalls<T>::own;
  if (*k <= kFewColumns || *n != *k || *m < *n) return own.org2r(m, n, k, a, lda, tau, work, info);
  std::vector<T> t(Squared(k));
  BlockedLarft("F", "C", m, k, a, lda, tau, t.data(), k, 1, 1);
  const T one(1), minus(-1);
  own.trmm("R", "L", LibraryCalls<T>::kComplex ? "C" : "T", "U", k, k, &one, a, lda, t.data(), k, 1,
           1, 1, 1);
  for (int64_t j = 0; j < *k; ++j) {
    T* const column = a + j * *lda;
    std::fill_n(column, j, T(0));
    column[j] = one;
  }
  own.trmm("R", "U", "N", "N", m, k, &minus, t.data(), k, a, lda, 1, 1, 1, 1);
  for (int64_t j = 0; j < *k; ++j) a[j * (*lda + int64_t{1})] += one;
  *info = 0;
}

#define SY_REFLECTORS(T)                                                                        \
  template void SharedLarfb(const char*, const char*, const char*, const char*, const int*,     \
                            const int*, const int*, const T*, const int*, const T*, const int*, \
                            T*, const int*, T*, const int*, size_t, size_t, size_t, size_t);    \
  template void BlockedLarft(const char*, const char*, const int*, const int*, T*, const int*,  \
                             const T*, T*, const int*, size_t, size_t);                         \
  template void BlockedGeqr2(const int*, const int*, T*, const int*, T*, T*, int*);             \
  template void BlockedOrg2r(const int*, const int*, const int*, T*, const int*, const T*, T*,  \
                             int*);
SY_REFLECTORS(float)
SY_REFLECTORS(double)
SY_REFLECTORS(std::complex<float>)
SY_REFLECTORS(std::complex<double>)

}  // namespace sy::cpu
