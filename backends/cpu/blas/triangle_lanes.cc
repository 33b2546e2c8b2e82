// Triangular equations of a few unknowns for one instruction set: many rows side by side.
#include "backends/cpu/blas/triangles.h"
#include "switchyard/backends/cpu/simd/io.h"

namespace sy::cpu::SY_ISA {
namespace {

// kVectors registers of rows: a column less those before it times a's numbers. All columns of so
// many rows stay in the first-level cache.
template <class T, int kVectors>
void SolveRows(const T* a, int64_t k, T* x, int64_t ldx) {
  constexpr int kLanes = Vec<T>::kLanes;
  for (int64_t j = 0; j < k; ++j) {
    T* const column = x + j * ldx;
    const T* const factors = a + j * k;
    Raw<T> sum[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[v] = LoadRaw<Raw<T>>(column + v * kLanes);
    for (int64_t i = 0; i < j; ++i) {
      const Raw<T> factor = -(factors[i] - Raw<T>{});
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v)
        sum[v] = MultiplyAdd(factor, LoadRaw<Raw<T>>(x + i * ldx + v * kLanes), sum[v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) StoreRaw(column + v * kLanes, sum[v] * factors[j]);
  }
}
template <class T>
void SolveRow(const T* a, int64_t k, T* x, int64_t ldx) {
  for (int64_t j = 0; j < k; ++j) {
    T sum = x[j * ldx];
    for (int64_t i = 0; i < j; ++i) sum -= x[i * ldx] * a[j * k + i];
    x[j * ldx] = sum * a[j * k + j];
  }
}
template <class T>
void Solve(const T* a, int64_t k, T* x, int64_t ldx, int64_t rows) {
  constexpr int kLanes = Vec<T>::kLanes, kMany = 8;
  int64_t i = 0;
  for (; i + kMany * kLanes <= rows; i += kMany * kLanes) SolveRows<T, kMany>(a, k, x + i, ldx);
  for (; i + kLanes <= rows; i += kLanes) SolveRows<T, 1>(a, k, x + i, ldx);
  for (; i < rows; ++i) SolveRow(a, k, x + i, ldx);
}

}  // namespace

extern constinit const Triangles triangles = {Solve<float>, Solve<double>};

}  // namespace sy::cpu::SY_ISA
