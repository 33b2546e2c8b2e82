// Matrix products: mm, bmm, mv, dot, addmm, addmv, baddbmm.

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/launch.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// A batch of matrices in memory: strides of batch, rows and columns, in elements.
struct Matrices {
  void* data;
  int64_t strides[3];
};
int64_t StrideFromLast(const Tensor& t, int64_t i) {
  const int64_t d = t.dim() - 1 - i;
  if (d < 0) return 0;
  const auto at = static_cast<size_t>(d);
  return t.sizes()[at] == 1 ? 0 : t.strides()[at];
}
// t broadcasts to [batch, rows, columns].
Matrices Of(const Tensor& t) {
  return {t.data(), {StrideFromLast(t, 2), StrideFromLast(t, 1), StrideFromLast(t, 0)}};
}
Matrices Column(const Tensor& t) { return {t.data(), {0, StrideFromLast(t, 0), 0}}; }

struct Sizes {
  int64_t batch, m, n, k;
};

constexpr DTypeMask kProducts = kIntegers | kFloatingTypes | kComplexes;
constexpr DTypeMask kProductsOrEmpty = kProducts | kBool;

void Run(Call call, const Tensor& like, const Sizes& size, const Matrices& out, const Matrices& a,
         const Matrices& b, const Matrices* x = nullptr, const Scalar& beta = 0,
         const Scalar& alpha = 1) {
  if (size.batch == 0 || size.m == 0 || size.n == 0) return;
  const DType dtype = like.dtype();
  const bool scaled = x != nullptr || !alpha.is_one();
  if (dtype == DType::kBool) {
    if (size.k == 0 && !scaled) return FillElements(call, like, Scalar(0));
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): no products of bool, expected integers, floating or complex numbers"});
  }
  const auto item = static_cast<int64_t>(like.itemsize());
  ProductArgs args{};
  args.batch = size.batch;
  args.m = size.m;
  args.n = size.n;
  args.k = size.k;
  args.out = out.data;
  args.a = a.data;
  args.b = b.data;
  args.x = x == nullptr || beta.is_zero() ? nullptr : x->data;
  for (int i = 0; i < 3; ++i) {
    args.out_strides[i] = out.strides[i] * item;
    args.a_strides[i] = a.strides[i] * item;
    args.b_strides[i] = b.strides[i] * item;
    args.x_strides[i] = args.x == nullptr ? 0 : x->strides[i] * item;
  }
  const DType sums = Contains(kHalfTypes, dtype) ? DType::kFloat32 : dtype;
  args.alpha = ImmediateOf(alpha, sums);
  args.beta = ImmediateOf(beta, sums);
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

void Mm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  Run(call, out, {1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1]}, Of(out), Of(self),
      Of(mat2));
}
void Bmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2) {
  Run(call, out, {self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2]}, Of(out),
      Of(self), Of(mat2));
}
void Mv(Call call, const Tensor& out, const Tensor& self, const Tensor& vec) {
  Run(call, out, {1, self.sizes()[0], 1, self.sizes()[1]}, Column(out), Of(self), Column(vec));
}
void Dot(Call call, const Tensor& out, const Tensor& self, const Tensor& tensor) {
  const Matrices row{self.data(), {0, 0, StrideFromLast(self, 0)}};
  Run(call, out, {1, 1, 1, self.numel()}, Column(out), row, Column(tensor));
}
void Addmm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
           const Scalar& beta, const Scalar& alpha) {
  const Matrices x = Of(self);
  Run(call, out, {1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1]}, Of(out), Of(mat1),
      Of(mat2), &x, beta, alpha);
}
void Addmv(Call call, const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec,
           const Scalar& beta, const Scalar& alpha) {
  const Matrices x = Column(self);
  Run(call, out, {1, mat.sizes()[0], 1, mat.sizes()[1]}, Column(out), Of(mat), Column(vec), &x,
      beta, alpha);
}
void Baddbmm(Call call, const Tensor& out, const Tensor& self, const Tensor& batch1,
             const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  const Matrices x = Of(self);
  Run(call, out, {batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2]},
      Of(out), Of(batch1), Of(batch2), &x, beta, alpha);
}

const Kernel mm{"mm", "cuda", kProductsOrEmpty, Mm};
const Kernel bmm{"bmm", "cuda", kProductsOrEmpty, Bmm};
const Kernel mv{"mv", "cuda", kProductsOrEmpty, Mv};
const Kernel dot{"dot", "cuda", kProducts, Dot};
const Kernel addmm{"addmm", "cuda", kProductsOrEmpty, Addmm};
const Kernel addmv{"addmv", "cuda", kProductsOrEmpty, Addmv};
const Kernel baddbmm{"baddbmm", "cuda", kProductsOrEmpty, Baddbmm};

}  // namespace
}  // namespace sy::cuda
