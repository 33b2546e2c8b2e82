#include "switchyard/backends/cpu/blas/blocks.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGemmGrain = 1 << 18;  // multiplications worth a thread: about 5 µs at 50 a ns
constexpr int64_t kGemvGrain = 1 << 15;  // elements of the matrix worth a thread
// From this many multiplications on oneDNN is the faster one where it has the product, below
// OpenBLAS: measured with backends/cpu:gemm_benchmark.
constexpr int64_t kOneDnnFrom = 100 * 100 * 100;
constexpr int64_t kBlock = 32;  // rows and columns of blocks are multiples, for the kernels' sake
// Rows and columns of blocks that do not depend on the number of threads: smaller ones cost up to a
// fifth of the speed (128), larger ones leave threads without work.
constexpr int64_t kFixedBlock = 256;
constexpr int64_t kGemvParts = 64;  // at most, whatever the number of threads

constexpr std::complex<float> kOneC(1), kZeroC(0);
constexpr std::complex<double> kOneZ(1), kZeroZ(0);

CBLAS_TRANSPOSE TransposeOf(const Matrix& m) { return m.by_rows() ? CblasNoTrans : CblasTrans; }
int LeadingOf(const Matrix& m) {
  return static_cast<int>(m.by_rows() ? m.leading() : m.transposed().leading());
}

// Whether rows, or columns, follow one another.
bool IsDense(const Matrix& m) {
  return m.by_rows() ? m.leading() == m.columns : m.transposed().leading() == m.rows;
}

bool IsOneDnns(const Matrix& out, const Matrix& a, const Matrix& b) {
  return out.dtype == DType::kFloat32 && out.numel() * a.columns >= kOneDnnFrom && IsDense(out) &&
         IsDense(a) && IsDense(b) && OneDnnMultiplies(DType::kFloat32);
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
  if ((out.dtype == DType::kBFloat16 || IsOneDnns(out, a, b)) &&
      OneDnnProduct(out.dtype, ta == CblasTrans, tb == CblasTrans, m, n, k, a.data, lda, b.data,
                    ldb, out.data, ldc))
    return;
  switch (out.dtype) {
    case DType::kFloat32:
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

// The vector, in memory of its own with room behind it where it is complex: OpenBLAS's kernels of
// complex numbers read on past its end.
class GemvOperand {
 public:
  explicit GemvOperand(const Matrix& b) : matrix_(b) {
    if (!IsComplex(b.dtype)) return;
    constexpr size_t kBehind = 64;
    const size_t item = b.item(), n = static_cast<size_t>(b.rows);
    memory_.reset(new char[n * item + kBehind]);
    for (size_t i = 0; i < n; ++i)
      std::memcpy(memory_.get() + i * item, b.data + i * item * static_cast<size_t>(b.row_stride),
                  item);
    matrix_ = Matrix::RowMajor(memory_.get(), b.dtype, b.rows, 1);
  }
  const Matrix& matrix() const { return matrix_; }

 private:
  std::unique_ptr<char[]> memory_;
  Matrix matrix_;
};

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

int64_t Parts(int64_t n, int64_t each) { return (n + each - 1) / each; }

// The i-th of `parts` ranges of 0 … n that begin at multiples of `multiple`.
std::pair<int64_t, int64_t> Part(int64_t n, int64_t i, int64_t parts, int64_t multiple) {
  const int64_t blocks = Parts(n, multiple);
  return {std::min(n, i * blocks / parts * multiple),
          std::min(n, (i + 1) * blocks / parts * multiple)};
}

// By sizes and layout alone, so that results do not depend on the number of threads: that costs a
// product with a vector nothing.
void CutGemv(const OpenBlas& blas, const Matrix& out, const Matrix& a, const Matrix& b) {
  const int64_t m = out.rows, k = a.columns;
  const int64_t least = a.by_rows() ? 8 : 64;  // rows: a column's part is some cache lines long
  const int64_t parts = std::clamp<int64_t>(std::min(m * k / kGemvGrain, m / least), 1, kGemvParts);
  const GemvOperand vector(b);
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto [first, last] = Part(m, i, parts, 8);
      if (first == last) continue;
      Gemv(blas, out.block(first, 0, last - first, 1), a.block(first, 0, last - first, k),
           vector.matrix());
    }
  });
}

}  // namespace

bool HasLibrary() { return OpenBlas::Get() != nullptr; }

bool IsNativeBFloat16(const Matrix& out, const Matrix& a) {
  return out.dtype == DType::kBFloat16 && out.rows > 1 && out.columns > 1 &&
         out.numel() * a.columns >= kOneDnnFrom && HasLibrary() &&
         OneDnnMultiplies(DType::kBFloat16);
}

void LibraryProduct(const Matrix& out, const Matrix& a, const Matrix& b) {
  const OpenBlas& blas = *OpenBlas::Get();
  const int64_t m = out.rows, n = out.columns, k = a.columns;
  if (n == 1) return CutGemv(blas, out, a, b);
  const bool fixed = are_deterministic_algorithms_enabled();
  const int64_t threads = std::min<int64_t>(NumThreads(), OpenBlas::kMaxThreads);
  const int64_t worth = std::clamp<int64_t>(m * n / 64 * k / (kGemmGrain / 64), 1, threads);
  if (worth == 1 && (!fixed || std::max(m, n) <= kFixedBlock)) return Gemm(blas, out, a, b);
  const int64_t parts = fixed ? Parts(m, kFixedBlock) : worth;
  Grid grid = fixed ? Grid{parts, Parts(n, kFixedBlock)} : BestGrid(m, n, parts);
  // oneDNN takes whole rows of out.
  if (IsOneDnns(out, a, b) && m >= parts * kBlock) grid = {parts, 1};
  const int64_t blocks = grid.rows * grid.columns;
  ParallelFor(blocks, Parts(blocks, worth), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto [r0, r1] = Part(m, i / grid.columns, grid.rows, kBlock);
      const auto [c0, c1] = Part(n, i % grid.columns, grid.columns, kBlock);
      if (r0 == r1 || c0 == c1) continue;
      Gemm(blas, out.block(r0, c0, r1 - r0, c1 - c0), a.block(r0, 0, r1 - r0, k),
           b.block(0, c0, k, c1 - c0));
    }
  });
}

}  // namespace sy::cpu
