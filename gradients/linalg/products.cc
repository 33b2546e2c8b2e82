// Gradients of products of matrices and vectors. With C = A B, a gradient G of C is G Bᴴ for A and
// Aᴴ G for B.
#include <cstdint>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/gradients/numbers.h"
#include "switchyard/gradients/refused.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// G Bᴴ and Aᴴ G times a number.
Tensor LeftFactor(const Tensor& g, const Tensor& b, const Scalar& alpha) {
  return Times(matmul(g, mH(b)), alpha);
}
Tensor RightFactor(const Tensor& g, const Tensor& a, const Scalar& alpha) {
  return Times(matmul(mH(a), g), alpha);
}

Tensor MmSelf(const Grad& g, Unsaved, const Tensor& mat2) { return mm(g, mH(mat2)); }
Tensor MmMat2(const Grad& g, const Tensor& self, Unsaved) { return mm(mH(self), g); }
const Gradient mm_grad{"mm", For("self", MmSelf), For("mat2", MmMat2)};

Tensor BmmSelf(const Grad& g, Unsaved, const Tensor& mat2) { return bmm(g, mH(mat2)); }
Tensor BmmMat2(const Grad& g, const Tensor& self, Unsaved) { return bmm(mH(self), g); }
const Gradient bmm_grad{"bmm", For("self", BmmSelf), For("mat2", BmmMat2)};

Tensor MvSelf(const Grad& g, Unsaved, const Tensor& vec) { return outer(g, conj(vec)); }
Tensor MvVec(const Grad& g, const Tensor& self, Unsaved) { return mv(mH(self), g); }
const Gradient mv_grad{"mv", For("self", MvSelf), For("vec", MvVec)};

Tensor DotSelf(const Grad& g, Unsaved, const Tensor& tensor) { return mul(g, conj(tensor)); }
Tensor DotTensor(const Grad& g, const Tensor& self, Unsaved) { return mul(g, conj(self)); }
const Gradient dot_grad{"dot", For("self", DotSelf), For("tensor", DotTensor)};

// A batch with one matrix or vector is folded into a matrix of more rows, so that the gradient of
// the one is one product, and not a sum over the batch. linalg_matmul's body is that of matmul.
Tensor Matmul(const Tensor& self, const Tensor& other) {
  if (self.dim() == 2 && other.dim() == 2) return mm(self, other);
  if (self.dim() >= 3 && (other.dim() == 1 || other.dim() == 2) && other.size(0) == self.size(-1) &&
      self.numel() != 0) {
    std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
    const Tensor rows = reshape(self, {-1, self.size(-1)});
    if (other.dim() == 1) return view(mv(rows, other), sizes);
    sizes.push_back(other.size(1));
    return view(mm(rows, other), sizes);
  }
  if (other.dim() >= 3 && (self.dim() == 1 || self.dim() == 2)) {
    const Tensor product = matmul(mT(other), self.dim() == 2 ? t(self) : self);
    return self.dim() == 2 ? mT(product) : product;
  }
  return linalg_matmul(self, other);
}
const Decomposition matmul_parts{"matmul", Matmul};

// vdot conjugates its first vector.
Tensor VdotSelf(const Grad& g, Unsaved, const Tensor& other) { return mul(conj(g), other); }
Tensor VdotOther(const Grad& g, const Tensor& self, Unsaved) { return mul(g, self); }
const Gradient vdot_grad{"vdot", For("self", VdotSelf), For("other", VdotOther)};

// beta self + alpha A B: addmm, addmv, addr and those of batches.
Tensor AddSelf(const Grad& g, Unsaved, Unsaved, Unsaved, const Scalar& beta, Unsaved) {
  return Times(g, beta);
}
Tensor AddLeft(const Grad& g, Unsaved, Unsaved, const Tensor& right, Unsaved, const Scalar& alpha) {
  return LeftFactor(g, right, alpha);
}
Tensor AddRight(const Grad& g, Unsaved, const Tensor& left, Unsaved, Unsaved, const Scalar& alpha) {
  return RightFactor(g, left, alpha);
}
const Gradient addmm_grad{"addmm", For("self", AddSelf), For("mat1", AddLeft),
                          For("mat2", AddRight)};
const Gradient baddbmm_grad{"baddbmm", For("self", AddSelf), For("batch1", AddLeft),
                            For("batch2", AddRight)};
// The sum over the batch has one gradient for all: it is broadcast.
const Gradient addbmm_grad{"addbmm", For("self", AddSelf), For("batch1", AddLeft),
                           For("batch2", AddRight)};

Tensor AddmmActivation(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                       const Scalar& beta, const Scalar& alpha, bool use_gelu) {
  const Tensor sum = addmm(self, mat1, mat2, beta, alpha);
  return use_gelu ? gelu(sum) : relu(sum);
}
const Decomposition addmm_activation_parts{"_addmm_activation", AddmmActivation};

Tensor AddmvMat(const Grad& g, Unsaved, Unsaved, const Tensor& vec, Unsaved, const Scalar& alpha) {
  return Times(outer(g, conj(vec)), alpha);
}
Tensor AddmvVec(const Grad& g, Unsaved, const Tensor& mat, Unsaved, Unsaved, const Scalar& alpha) {
  return Times(mv(mH(mat), g), alpha);
}
const Gradient addmv_grad{"addmv", For("self", AddSelf), For("mat", AddmvMat),
                          For("vec", AddmvVec)};

Tensor AddrVec1(const Grad& g, Unsaved, Unsaved, const Tensor& vec2, Unsaved, const Scalar& alpha) {
  return Times(mv(g, conj(vec2)), alpha);
}
Tensor AddrVec2(const Grad& g, Unsaved, const Tensor& vec1, Unsaved, Unsaved, const Scalar& alpha) {
  return Times(mv(mT(g), conj(vec1)), alpha);
}
const Gradient addr_grad{"addr", For("self", AddSelf), For("vec1", AddrVec1),
                         For("vec2", AddrVec2)};

// By elements, as ATen's, whose sums 16-bit numbers show.
Tensor Outer(const Tensor& self, const Tensor& vec2) {
  RequireFit(self.dim() == 1 && vec2.dim() == 1);
  return mul(unsqueeze(self, 1), vec2);
}
const Decomposition outer_parts{"outer", Outer};
const Decomposition ger_parts{"ger", Outer};

Tensor CrossSelf(const Grad& g, Unsaved, const Tensor& other, int64_t dim) {
  return linalg_cross(conj(other), g, dim);
}
Tensor CrossOther(const Grad& g, const Tensor& self, Unsaved, int64_t dim) {
  return linalg_cross(g, conj(self), dim);
}
const Gradient linalg_cross_grad{"linalg_cross", For("self", CrossSelf), For("other", CrossOther)};

}  // namespace
}  // namespace sy
