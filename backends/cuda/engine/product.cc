#include "backends/cuda/engine/product.h"

#include <algorithm>

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/engine/cublaslt.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/gemm_plan.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

int64_t StrideFromLast(const Tensor& t, int64_t i) {
  const int64_t d = t.dim() - 1 - i;
  if (d < 0) return 0;
  const auto at = static_cast<size_t>(d);
  return t.sizes()[at] == 1 ? 0 : t.strides()[at];
}

MatrixShape ShapeOf(const Matrices& m, int64_t rows, int64_t columns) {
  return {rows, columns, m.strides[1], m.strides[2]};
}

// Whether what is added is a vector of the result's dtype, which the library adds to each column of
// what it computes.
bool IsBias(const Addend& x, const LibraryProduct& p, const ProductSizes& size, DType dtype) {
  constexpr DTypeMask kServed = kHalfTypes | Bit(DType::kFloat32);
  const int64_t along = x.matrices.strides[p.plan.swapped ? 2 : 1],
                across = x.matrices.strides[p.plan.swapped ? 1 : 2];
  const int64_t n = p.plan.result.rows;
  return size.batch == 1 && Contains(kServed, dtype) && x.tensor.dtype() == dtype &&
         x.beta.is_one() && across == 0 && (along == 1 || n == 1) &&
         reinterpret_cast<uintptr_t>(x.matrices.data) % 16 == 0;
}

// False, and nothing done, where the library does not serve.
bool RunInLibrary(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                  const Matrices& a, const Matrices& b, const Addend* x, const Scalar& alpha,
                  bool relu) {
  const DType dtype = like.dtype();
  LibraryProduct p{};
  if (!Contains(kLibraryProducts, dtype) || size.k == 0 ||
      !PlanGemm(ShapeOf(out, size.m, size.n), ShapeOf(a, size.m, size.k),
                ShapeOf(b, size.k, size.n), &p.plan) ||
      FindLt() == nullptr)
    return false;
  const Matrices &left = p.plan.swapped ? b : a, &right = p.plan.swapped ? a : b;
  const bool adds = x != nullptr && !x->beta.is_zero();
  const bool in_place = adds && x->matrices.data == out.data;
  const DType sums = Contains(kHalfTypes, dtype) ? DType::kFloat32 : dtype;
  p.left_type = p.right_type = p.result_type = dtype;
  p.batch = size.batch;
  p.relu = relu;
  p.left = left.data;
  p.right = right.data;
  p.result = out.data;
  p.left_step = left.strides[0];
  p.right_step = right.strides[0];
  p.result_step = out.strides[0];
  p.alpha = ImmediateOf(alpha, sums);
  const bool is_bias = adds && !in_place && IsBias(*x, p, size, dtype);
  if (is_bias) {
    p.bias = x->matrices.data;
    p.bias_type = dtype;
  }
  p.beta = ImmediateOf(adds && !is_bias ? x->beta : Scalar(0), sums);
  if (adds && !is_bias && !in_place) CopyElements(call, like, x->tensor);
  CudaStream& stream = StreamOf(call.key);
  if (RunLibraryProduct(call.op(), stream, p)) return true;
  if (!is_bias) return false;
  p.bias = nullptr;  // as any other addend
  p.beta = ImmediateOf(x->beta, sums);
  CopyElements(call, like, x->tensor);
  return RunLibraryProduct(call.op(), stream, p);
}

}  // namespace

Matrices MatricesOf(const Tensor& t) {
  return {t.data(), {StrideFromLast(t, 2), StrideFromLast(t, 1), StrideFromLast(t, 0)}};
}
Matrices ColumnOf(const Tensor& t) { return {t.data(), {0, StrideFromLast(t, 0), 0}}; }
Matrices RowOf(const Tensor& t) { return {t.data(), {0, 0, StrideFromLast(t, 0)}}; }

bool RunProduct(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                const Matrices& a, const Matrices& b, const Addend* x, const Scalar& alpha,
                bool relu) {
  if (size.batch == 0 || size.m == 0 || size.n == 0) return true;
  const DType dtype = like.dtype();
  const bool scaled = x != nullptr || !alpha.is_one();
  if (dtype == DType::kBool) {
    if (size.k != 0 || scaled) FailBoolProduct(call.op());
    FillElements(call, like, Scalar(0));
    return false;
  }
  constexpr DTypeMask kClamped = kHalfTypes | Bit(DType::kFloat32);
  const bool clamps = relu && Contains(kClamped, dtype);
  if (RunInLibrary(call, like, size, out, a, b, x, alpha, clamps)) return clamps;
  if (clamps && RunInLibrary(call, like, size, out, a, b, x, alpha, /*relu=*/false)) return false;
  const auto item = static_cast<int64_t>(like.itemsize());
  ProductArgs args{};
  args.batch = size.batch;
  args.m = size.m;
  args.n = size.n;
  args.k = size.k;
  args.out = out.data;
  args.a = a.data;
  args.b = b.data;
  args.x = x == nullptr || x->beta.is_zero() ? nullptr : x->matrices.data;
  for (int i = 0; i < 3; ++i) {
    args.out_strides[i] = out.strides[i] * item;
    args.a_strides[i] = a.strides[i] * item;
    args.b_strides[i] = b.strides[i] * item;
    args.x_strides[i] = args.x == nullptr ? 0 : x->matrices.strides[i] * item;
  }
  const DType sums = Contains(kHalves | kFloat8s, dtype) ? DType::kFloat32 : dtype;
  args.alpha = ImmediateOf(alpha, sums);
  args.beta = ImmediateOf(x == nullptr ? Scalar(0) : x->beta, sums);
  constexpr int64_t kTile = 16, kMostBatches = 65535;
  const int64_t tiles = ((size.m + kTile - 1) / kTile) * ((size.n + kTile - 1) / kTile);
  Launch(call, Specialised("product", "ProductArgs", "Product").Element(dtype).Flag(scaled),
         {tiles, 256, std::min(size.batch, kMostBatches)}, args);
  return false;
}

}  // namespace sy::cuda
