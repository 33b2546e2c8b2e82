// Matrix products: mm, bmm, mv, dot, addmm, addmv, addbmm, baddbmm.

#include "backends/cuda/kernels/product.h"

#include "backends/cuda/kernels/cublaslt.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/gemm_plan.h"
#include "backends/cuda/kernels/launch.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

int64_t StrideFromLast(const Tensor& t, int64_t i) {
  const int64_t d = t.dim() - 1 - i;
  if (d < 0) return 0;
  const auto at = static_cast<size_t>(d);
  return t.sizes()[at] == 1 ? 0 : t.strides()[at];
}
Matrices Of(const Tensor& t) {
  return {t.data(), {StrideFromLast(t, 2), StrideFromLast(t, 1), StrideFromLast(t, 0)}};
}
Matrices Column(const Tensor& t) { return {t.data(), {0, StrideFromLast(t, 0), 0}}; }

constexpr DTypeMask kProducts = kIntegers | kFloatingTypes | kComplexes;
constexpr DTypeMask kProductsOrEmpty = kProducts | kBool;

MatrixShape ShapeOf(const Matrices& m, int64_t rows, int64_t columns) {
  return {rows, columns, m.strides[1], m.strides[2]};
}

// False, and nothing done, where the library does not serve.
bool RunInLibrary(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                  const Matrices& a, const Matrices& b, const Addend* x, const Scalar& alpha) {
  const DType dtype = like.dtype();
  LibraryProduct p{};
  if (!Contains(kLibraryProducts, dtype) || size.k == 0 ||
      !PlanGemm(ShapeOf(out, size.m, size.n), ShapeOf(a, size.m, size.k),
                ShapeOf(b, size.k, size.n), &p.plan))
    return false;
  const Matrices &left = p.plan.swapped ? b : a, &right = p.plan.swapped ? a : b;
  const bool adds = x != nullptr && !x->beta.is_zero();
  const bool in_place = adds && x->matrices.data == out.data;
  const DType sums = Contains(kHalfTypes, dtype) ? DType::kFloat32 : dtype;
  p.dtype = dtype;
  p.batch = size.batch;
  p.left = left.data;
  p.right = right.data;
  p.result = out.data;
  p.left_step = left.strides[0];
  p.right_step = right.strides[0];
  p.result_step = out.strides[0];
  p.alpha = ImmediateOf(alpha, sums);
  p.beta = ImmediateOf(adds ? x->beta : Scalar(0), sums);
  if (adds && !in_place) CopyElements(call, like, x->tensor);
  CudaStream& stream = StreamOf(call.key);
  if (!RunLibraryProduct(p, stream)) return false;
  stream.Launched(call.op());
  return true;
}

}  // namespace

Matrices MatricesOf(const Tensor& t) { return Of(t); }

void RunProduct(Call call, const Tensor& like, const ProductSizes& size, const Matrices& out,
                const Matrices& a, const Matrices& b, const Addend* x, const Scalar& alpha) {
  if (size.batch == 0 || size.m == 0 || size.n == 0) return;
  const DType dtype = like.dtype();
  const bool scaled = x != nullptr || !alpha.is_one();
  if (dtype == DType::kBool) {
    if (size.k == 0 && !scaled) return FillElements(call, like, Scalar(0));
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): no products of bool, expected integers, floating or complex numbers"});
  }
  if (RunInLibrary(call, like, size, out, a, b, x, alpha)) return;
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
  static constexpr char kFamily = 0;
  const auto text = [&] {
    return KernelSource(
        "product", "ProductArgs",
        Join({"Product<", ElementName(dtype), ", ", scaled ? "true" : "false", ">(args)"}));
  };
  Launch(call, {&kFamily, {static_cast<uint64_t>(dtype), uint64_t{scaled}, 0}}, text,
         {tiles, 256, std::min(size.batch, kMostBatches)}, args);
}

namespace {

void Mm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  RunProduct(call, out, {1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1]}, Of(out), Of(self),
             Of(mat2));
}
void Bmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  RunProduct(call, out, {self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2]},
             Of(out), Of(self), Of(mat2));
}
void Mv(Call call, const Tensor& out, const Tensor& self, const Tensor& vec) {
  RunProduct(call, out, {1, self.sizes()[0], 1, self.sizes()[1]}, Column(out), Of(self),
             Column(vec));
}
void Dot(Call call, const Tensor& out, const Tensor& self, const Tensor& tensor) {
  const Matrices row{self.data(), {0, 0, StrideFromLast(self, 0)}};
  RunProduct(call, out, {1, 1, 1, self.numel()}, Column(out), row, Column(tensor));
}
void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, Of(self), beta};
  RunProduct(call, out, {1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1]}, Of(out), Of(mat1),
             Of(mat2), &x, alpha);
}
void Addmv(Call call, const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
           const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, Column(self), beta};
  RunProduct(call, out, {1, mat.sizes()[0], 1, mat.sizes()[1]}, Column(out), Of(mat), Column(vec),
             &x, alpha);
}
// One product after the other, each rounded. Source of the order: addbmm_impl_,
// ATen/native/LinearAlgebra.cpp.
void Addbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
            const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const int64_t batch = batch1.sizes()[0];
  const ProductSizes size{1, batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2]};
  const auto matrix = [](const Tensor& t, int64_t i) {
    Matrices m = Of(t);
    m.data = static_cast<char*>(m.data) + i * m.strides[0] * static_cast<int64_t>(t.itemsize());
    return m;
  };
  const Addend x{self, Of(self), beta}, sum{out, Of(out), 1};
  if (batch == 0) {
    const ProductSizes none{1, size.m, size.n, 0};
    return RunProduct(call, out, none, Of(out), Of(out), Of(out), &x, alpha);
  }
  for (int64_t i = 0; i < batch; ++i) {
    RunProduct(call, out, size, Of(out), matrix(batch1, i), matrix(batch2, i), i == 0 ? &x : &sum,
               alpha);
  }
}
void Baddbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
             const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const Addend x{self, Of(self), beta};
  RunProduct(call, out,
             {batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2]}, Of(out),
             Of(batch1), Of(batch2), &x, alpha);
}

const Kernel mm{"mm", "cuda", kProductsOrEmpty | kFloat8s, Mm};
const Kernel bmm{"bmm", "cuda", kProductsOrEmpty, Bmm};
const Kernel mv{"mv", "cuda", kProductsOrEmpty, Mv};
const Kernel dot{"dot", "cuda", kProducts, Dot};
const Kernel addmm{"addmm", "cuda", kProductsOrEmpty, Addmm};
const Kernel addmv{"addmv", "cuda", kProductsOrEmpty, Addmv};
const Kernel addbmm{"addbmm", "cuda", kProductsOrEmpty, Addbmm};
const Kernel baddbmm{"baddbmm", "cuda", kProductsOrEmpty, Baddbmm};

}  // namespace
}  // namespace sy::cuda
