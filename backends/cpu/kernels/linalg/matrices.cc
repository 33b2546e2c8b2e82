#include "backends/cpu/kernels/linalg/matrices.h"

#include <climits>
#include <cmath>
#include <limits>

#include "switchyard/backends/common/checks.h"
#include "switchyard/core/overlap.h"

namespace sy::cpu {
namespace {

std::vector<int64_t> StridesByColumns(IntSpan sizes) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  const size_t rank = sizes.size();
  strides[rank - 2] = 1;
  strides[rank - 1] = std::max<int64_t>(1, sizes[rank - 2]);
  return strides;
}

bool IsByColumns(const Tensor& t) {
  const std::vector<int64_t> strides = StridesByColumns(t.sizes());
  return !IsComplex(t.dtype()) && std::equal(strides.begin(), strides.end(), t.strides().begin());
}

}  // namespace

// OpenBLAS's kernels of complex numbers read on past what they are given.
Tensor ByColumns(IntSpan sizes, DType dtype) {
  const std::vector<int64_t> strides = StridesByColumns(sizes);
  if (!IsComplex(dtype)) return Tensor::EmptyStrided(sizes, strides, dtype);
  constexpr int64_t kBehind = 8;
  return Tensor::Empty({NumElements(sizes) + kBehind}, dtype).AsStrided(sizes, strides, 0);
}

Tensor CopyByColumns(const Tensor& t, bool conjugates) {
  const Tensor copy = ByColumns(t.sizes(), t.dtype());
  CopyElements(copy, t);
  if (conjugates && IsComplex(t.dtype())) {
    VisitDType<kComplexTypes>(t.dtype(), [&](auto tag) {
      auto* p = copy.data<typename decltype(tag)::type>();
      for (int64_t i = 0; i < copy.numel(); ++i) p[i] = std::conj(p[i]);
    });
  }
  return copy;
}

Tensor InColumns(const Tensor& t, const Tensor& out) {
  return IsByColumns(t) && OverlapOf(t, out) == Overlap::kNo ? t : CopyByColumns(t);
}

Tensor RoomFor(const Tensor& out) {
  return IsByColumns(out) ? out : ByColumns(out.sizes(), out.dtype());
}
void Store(const Tensor& out, const Tensor& room) {
  if (!out.is_same(room)) CopyElements(out, room);
}

int WorkLength(std::string_view op, double said) {
  if (said >= 0 && said <= INT_MAX) return std::max(1, static_cast<int>(std::ceil(said)));
  Fail(ErrorCode::kInvalidArgument, op,
       {"the matrix is too large for LAPACK, which counts in 32 bits what it works in"});
}
int WorkLength(std::string_view op, float said) {
  return WorkLength(op, double{std::nextafter(said, std::numeric_limits<float>::infinity())});
}

Tensor Transposed(const Tensor& t) {
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end()),
      strides(t.strides().begin(), t.strides().end());
  const size_t rank = sizes.size();
  std::swap(sizes[rank - 1], sizes[rank - 2]);
  std::swap(strides[rank - 1], strides[rank - 2]);
  return t.AsStrided(sizes, strides, t.storage_offset());
}

void KeepTriangle(const Tensor& by_columns, bool upper) {
  const int64_t rows = by_columns.size(-2), columns = by_columns.size(-1);
  VisitDType<kMatrixTypes>(by_columns.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEachMatrix(by_columns, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* const a = MatrixAt<T>(by_columns, i);
        for (int64_t j = 0; j < columns; ++j) {
          T* const column = a + j * rows;
          if (upper) {
            std::fill(column + std::min(j + 1, rows), column + rows, T{});
          } else {
            std::fill(column, column + std::min(j, rows), T{});
          }
        }
      }
    });
  });
}

void SetIdentity(const Tensor& t) {
  const int64_t rows = t.size(-2), columns = t.size(-1);
  const Tensor eye = Tensor::Empty({rows, columns}, DType::kBool);
  for (int64_t i = 0; i < eye.numel(); ++i) eye.data<bool>()[i] = i / columns == i % columns;
  CopyElements(t, eye);
}

int LapackSize(Call call, int64_t n) {
  if (n <= INT_MAX) return static_cast<int>(n);
  FailMatrixSize(call, "LAPACK", n);
}

}  // namespace sy::cpu
