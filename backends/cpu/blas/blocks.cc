#include "switchyard/backends/cpu/blas/blocks.h"

#include <algorithm>

#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/backends/cpu/parallel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGemmGrain = 1 << 18;  // multiplications worth a thread: about 5 µs at 50 a ns
constexpr int64_t kGemvGrain = 1 << 15;  // elements of the matrix worth a thread
// From this many multiplications on oneDNN is the faster one, below OpenBLAS: measured with
// backends/cpu:index_linalg_benchmark (64: 97 against 113 GFLOP/s, 128: 114 against 100).
constexpr int64_t kOneDnnFrom = 100 * 100 * 100;
constexpr int64_t kBlock = 32;  // rows and columns of blocks are multiples, for the kernels' sake

constexpr std::complex<float> kOneC(1), kZeroC(0);
constexpr std::complex<double> kOneZ(1), kZeroZ(0);

CBLAS_TRANSPOSE TransposeOf(const Matrix& m) { return m.by_rows() ? CblasNoTrans : CblasTrans; }
int LeadingOf(const Matrix& m) {
  return static_cast<int>(m.by_rows() ? m.leading() : m.transposed().leading());
}

void Gemm(const OpenBlas& blas, const Matrix& out, const Matrix& a, const Matrix& b) {
  const int m = static_cast<int>(out.rows), n = static_cast<int>(out.columns),
            k = static_cast<int>(a.columns), lda = LeadingOf(a), ldb = LeadingOf(b),
            ldc = LeadingOf(out);
  const CBLAS_TRANSPOSE ta = TransposeOf(a), tb = TransposeOf(b);
  const auto run = [&](auto gemm, const auto* x, auto one, auto zero) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(x)>>;
    gemm(CblasRowMajor, ta, tb, m, n, k, one, x, lda, reinterpret_cast<const T*>(b.data), ldb, zero,
         reinterpret_cast<T*>(out.data), ldc);
  };
  switch (out.dtype) {
    case DType::kFloat32:
      if (out.numel() * a.columns >= kOneDnnFrom &&
          OneDnnGemm(ta == CblasTrans, tb == CblasTrans, m, n, k, a.data, lda, b.data, ldb,
                     out.data, ldc))
        return;
      return run(blas.sgemm, reinterpret_cast<const float*>(a.data), 1.0f, 0.0f);
    case DType::kFloat64:
      return run(blas.dgemm, reinterpret_cast<const double*>(a.data), 1.0, 0.0);
    case DType::kComplex64:
      blas.cgemm(CblasRowMajor, ta, tb, m, n, k, &kOneC, a.data, lda, b.data, ldb, &kZeroC,
                 out.data, ldc);
      return;
    default:
      blas.zgemm(CblasRowMajor, ta, tb, m, n, k, &kOneZ, a.data, lda, b.data, ldb, &kZeroZ,
                 out.data, ldc);
  }
}

// out and b: one column.
void Gemv(const OpenBlas& blas, const Matrix& out, const Matrix& a, const Matrix& b) {
  const Matrix stored = a.by_rows() ? a : a.transposed();
  const int m = static_cast<int>(stored.rows), n = static_cast<int>(stored.columns),
            lda = LeadingOf(a);
  const int incx = b.rows == 1 ? 1 : static_cast<int>(b.row_stride);
  const int incy = out.rows == 1 ? 1 : static_cast<int>(out.row_stride);
  const CBLAS_TRANSPOSE t = TransposeOf(a);
  const auto as = [](auto tag, const Matrix& x) {
    return reinterpret_cast<decltype(tag)*>(x.data);
  };
  switch (out.dtype) {
    case DType::kFloat32:
      blas.sgemv(CblasRowMajor, t, m, n, 1, as(0.0f, a), lda, as(0.0f, b), incx, 0, as(0.0f, out),
                 incy);
      return;
    case DType::kFloat64:
      blas.dgemv(CblasRowMajor, t, m, n, 1, as(0.0, a), lda, as(0.0, b), incx, 0, as(0.0, out),
                 incy);
      return;
    case DType::kComplex64:
      blas.cgemv(CblasRowMajor, t, m, n, &kOneC, a.data, lda, b.data, incx, &kZeroC, out.data,
                 incy);
      return;
    default:
      blas.zgemv(CblasRowMajor, t, m, n, &kOneZ, a.data, lda, b.data, incx, &kZeroZ, out.data,
                 incy);
  }
}

struct Grid {
  int64_t rows, columns;
};

// Of all ways to cut into that many blocks, the one that reads least: the squarest.
Grid BestGrid(int64_t m, int64_t n, int64_t blocks) {
  Grid best{blocks, 1};
  for (int64_t rows = 1; rows <= blocks; ++rows) {
    if (blocks % rows != 0) continue;
    const Grid g{rows, blocks / rows};
    const auto reads = [&](const Grid& x) { return m * x.columns + n * x.rows; };
    if (reads(g) < reads(best)) best = g;
  }
  return best;
}

// The i-th of `parts` ranges of 0 … n that begin at multiples of kBlock.
std::pair<int64_t, int64_t> Part(int64_t n, int64_t i, int64_t parts) {
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  return {std::min(n, i * blocks / parts * kBlock), std::min(n, (i + 1) * blocks / parts * kBlock)};
}

}  // namespace

bool HasLibrary() { return OpenBlas::Get() != nullptr; }

void LibraryProduct(const Matrix& out, const Matrix& a, const Matrix& b) {
  const OpenBlas& blas = *OpenBlas::Get();
  const int64_t m = out.rows, n = out.columns, k = a.columns;
  const int64_t max_threads = std::min<int64_t>(NumThreads(), OpenBlas::kMaxThreads);
  if (n == 1) {
    const int64_t parts = std::clamp<int64_t>(m * k / kGemvGrain, 1, max_threads);
    ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      const auto [first, last] = std::pair(begin * m / parts, end * m / parts);
      if (first == last) return;
      Gemv(blas, out.block(first, 0, last - first, 1), a.block(first, 0, last - first, k), b);
    });
    return;
  }
  const int64_t parts = std::clamp<int64_t>(m * n / 64 * k / (kGemmGrain / 64), 1, max_threads);
  const Grid grid = BestGrid(m, n, parts);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    if (begin == 0 && end == parts) return Gemm(blas, out, a, b);
    for (int64_t i = begin; i < end; ++i) {
      const auto [r0, r1] = Part(m, i / grid.columns, grid.rows);
      const auto [c0, c1] = Part(n, i % grid.columns, grid.columns);
      if (r0 == r1 || c0 == c1) continue;
      Gemm(blas, out.block(r0, c0, r1 - r0, c1 - c0), a.block(r0, 0, r1 - r0, k),
           b.block(0, c0, k, c1 - c0));
    }
  });
}

}  // namespace sy::cpu
