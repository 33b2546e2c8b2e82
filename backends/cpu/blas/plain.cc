#include "switchyard/backends/cpu/blas/plain.h"

#include <algorithm>
#include <complex>
#include <type_traits>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kPlainTypes =
    kIntegerTypes | kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);
constexpr int64_t kGrain = 1 << 15;  // multiplications worth a thread
constexpr int64_t kColumns = 128;    // of out at a time: sums stay in L1

// Integers are multiplied without a sign, which wraps; below int, promotion would give it back.
template <class T>
auto Unsigned() {
  if constexpr (!std::is_integral_v<T>) {
    return T{};
  } else if constexpr (sizeof(T) < 4) {
    return uint32_t{};
  } else {
    return std::make_unsigned_t<T>{};
  }
}

// sum[j] += x * row[j]
template <class T, class W>
SY_INLINE void AddRow(W* sum, W x, const T* row, int64_t stride, int64_t n) {
  if (stride == 1) {
    for (int64_t j = 0; j < n; ++j) sum[j] += x * static_cast<W>(row[j]);
  } else {
    for (int64_t j = 0; j < n; ++j) sum[j] += x * static_cast<W>(row[j * stride]);
  }
}

// The columns first … first + n - 1 of one row of out.
template <class T>
SY_INLINE void RowPart(const Matrix& out, const Matrix& a, const Matrix& b, int64_t i,
                       int64_t first, int64_t n) {
  using W = decltype(Unsigned<T>());
  W sum[kColumns] = {};
  T* to = reinterpret_cast<T*>(out.data) + i * out.row_stride + first * out.column_stride;
  const T* left = reinterpret_cast<const T*>(a.data) + i * a.row_stride;
  const T* right = reinterpret_cast<const T*>(b.data) + first * b.column_stride;
  for (int64_t k = 0; k < a.columns; ++k) {
    AddRow(sum, static_cast<W>(left[k * a.column_stride]), right + k * b.row_stride,
           b.column_stride, n);
  }
  for (int64_t j = 0; j < n; ++j) to[j * out.column_stride] = static_cast<T>(sum[j]);
}

// The same for each instruction set: SSE2 cannot multiply vectors of 32-bit integers.
using RowFn = void (*)(const Matrix&, const Matrix&, const Matrix&, int64_t, int64_t, int64_t);
template <class T>
void RowPartBaseline(const Matrix& out, const Matrix& a, const Matrix& b, int64_t i, int64_t first,
                     int64_t n) {
  RowPart<T>(out, a, b, i, first, n);
}
#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2"))) void RowPartAvx2(const Matrix& out, const Matrix& a,
                                                 const Matrix& b, int64_t i, int64_t first,
                                                 int64_t n) {
  RowPart<T>(out, a, b, i, first, n);
}
template <class T>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))) void RowPartAvx512(
    const Matrix& out, const Matrix& a, const Matrix& b, int64_t i, int64_t first, int64_t n) {
  RowPart<T>(out, a, b, i, first, n);
}
#endif

}  // namespace

void PlainProduct(const Matrix& out, const Matrix& a, const Matrix& b) {
  const int64_t parts = (out.columns + kColumns - 1) / kColumns;
  VisitDType<kPlainTypes>(out.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    constexpr RowFn kRowParts[kNumIsas] = {
      RowPartBaseline<T>,
#if defined(__x86_64__)
      RowPartAvx2<T>,
      RowPartAvx512<T>,
#endif
    };
    const RowFn row_part = kRowParts[ActiveIsa()];
    // Tasks: parts of rows, those of the same columns of b together.
    const int64_t grain = std::max<int64_t>(
        1, kGrain / std::max<int64_t>(1, a.columns * std::min(out.columns, kColumns)));
    ParallelFor(parts * out.rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        const int64_t first = task / out.rows * kColumns;
        row_part(out, a, b, task % out.rows, first, std::min(kColumns, out.columns - first));
      }
    });
  });
}

}  // namespace sy::cpu
