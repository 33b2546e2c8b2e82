// Products of matrices and vectors by other operators.

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

void AddbmmInPlace(Call, const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                   const Scalar& beta, const Scalar& alpha) {
  addbmm_out(self, self, batch1, batch2, beta, alpha);
}
const Composite addbmm_in_place_body{"addbmm_", AddbmmInPlace};

// --- outer
void RequireVectors(Call call, const Tensor& a, const Tensor& b) {
  if (a.dim() == 1 && b.dim() == 1) return;
  Fail(ErrorCode::kInvalidArgument,
       {call.op(), "(): both must be vectors, got sizes ", a.sizes(), " and ", b.sizes()});
}
Tensor Outer(Call call, const Tensor& self, const Tensor& vec2) {
  RequireVectors(call, self, vec2);
  return mul(unsqueeze(self, 1), vec2);
}
void OuterOut(Call call, const Tensor& self, const Tensor& vec2, const Tensor& out) {
  RequireVectors(call, self, vec2);
  mul_out(out, unsqueeze(self, 1), vec2);
}
const Composite outer_body{"outer", Outer};
const Composite outer_out_body{"outer.out", OuterOut};
const Composite ger_body{"ger", Outer};
const Composite ger_out_body{"ger.out", OuterOut};

// --- linear
Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (input.dim() == 0 || weight.dim() == 0 || weight.dim() > 2) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): input must be at least 1-d and weight 1-d or 2-d, got sizes ",
          input.sizes(), " and ", weight.sizes()});
  }
  const Tensor turned = weight.dim() == 2 ? transpose(weight, 0, 1) : weight;
  if (!bias.defined()) return matmul(input, turned);
  if (input.dim() == 2 && weight.dim() == 2) return addmm(bias, input, turned);
  // Rows of all batches as one matrix, where that takes no copy and the bias is one for each row.
  if (input.dim() > 2 && weight.dim() == 2 && bias.dim() == 1 && input.is_contiguous() &&
      input.numel() != 0) {
    std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
    sizes.back() = weight.size(0);
    return view(addmm(bias, view(input, {-1, input.size(-1)}), turned), sizes);
  }
  return add_(matmul(input, turned), bias);
}
const Composite linear_body{"linear", Linear};

// --- tensordot, inner
Tensor Tensordot(Call call, const Tensor& self, const Tensor& other, IntSpan dims_self,
                 IntSpan dims_other) {
  if (dims_self.size() != dims_other.size()) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): as many dims of both must be given, got ",
                                       dims_self, " and ", dims_other});
  }
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): both must have the same dtype, got ",
                                       self.dtype(), " and ", other.dtype()});
  }
  // A dimension of size 1 on one side is summed away on the other.
  Tensor a = self, b = other;
  int64_t summed = 1;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int64_t da = dims_self[i], db = dims_other[i], na = self.size(da), nb = other.size(db);
    if (nb == 1) {
      a = sum(a, IntSpan(&da, 1), true, a.dtype());
    } else if (na == 1) {
      b = sum(b, IntSpan(&db, 1), true, b.dtype());
    } else if (na != nb) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): dim ", da, " of self has size ", na, ", dim ", db, " of other ", nb});
    } else {
      summed *= na;
    }
  }
  const auto mask = [&](const Tensor& t, IntSpan dims) {
    return dims.empty() ? uint64_t{0} : DimMask(dims, t.dim(), call.op());
  };
  const uint64_t of_a = mask(self, dims_self), of_b = mask(other, dims_other);
  std::vector<int64_t> order_a, order_b(dims_other.size()), sizes;
  int64_t rows = 1, columns = 1;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if ((of_a >> d & 1) != 0) continue;
    order_a.push_back(d);
    sizes.push_back(a.size(d));
    rows *= a.size(d);
  }
  for (size_t i = 0; i < dims_other.size(); ++i) {
    order_a.push_back(WrapDim(dims_self[i], a.dim()));
    order_b[i] = WrapDim(dims_other[i], b.dim());
  }
  for (int64_t d = 0; d < b.dim(); ++d) {
    if ((of_b >> d & 1) != 0) continue;
    order_b.push_back(d);
    sizes.push_back(b.size(d));
    columns *= b.size(d);
  }
  const Tensor left = reshape(permute(a, order_a), {rows, summed}),
               right = reshape(permute(b, order_b), {summed, columns});
  return reshape(mm(left, right), sizes);
}
const Composite tensordot_body{"tensordot", Tensordot};

Tensor Inner(Call call, const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return mul(self, other);
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): both must have the same dtype, got ",
                                       self.dtype(), " and ", other.dtype()});
  }
  if (self.size(-1) != other.size(-1)) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): the last dimensions must match, got sizes ",
                                       self.sizes(), " and ", other.sizes()});
  }
  if (self.dtype() == DType::kBool && self.dim() == 1 && other.dim() == 1)
    return any(logical_and(self, other));
  constexpr int64_t kLast = -1;
  return Tensordot(call, self, other, IntSpan(&kLast, 1), IntSpan(&kLast, 1));
}
const Composite inner_body{"inner", Inner};

// --- Sums of products along one dimension
Tensor Vdot(Call, const Tensor& self, const Tensor& other) {
  return dot(IsComplex(self.dtype()) ? conj_physical(self) : self, other);
}
const Composite vdot_body{"vdot", Vdot};

Tensor Vecdot(Call call, const Tensor& x, const Tensor& y, int64_t dim) {
  for (const Tensor* t : {&x, &y}) {
    if (IsFloating(t->dtype()) || IsComplex(t->dtype())) continue;
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): both must be floating or complex, got ", t->dtype()});
  }
  if (x.dtype() != y.dtype()) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): both must have the same dtype, got ", x.dtype(), " and ", y.dtype()});
  }
  const Tensor left = IsComplex(x.dtype()) ? conj_physical(x) : x;
  if (x.dim() == 1 && y.dim() == 1) return dot(left, y);
  return sum(mul(left, y), IntSpan(&dim, 1));
}
const Composite vecdot_body{"linalg_vecdot", Vecdot};

// Without dim, along the first dimension of 3 elements.
int64_t CrossDim(Call call, const Tensor& self, Optional<int64_t> dim) {
  if (dim) return *dim;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 3) return d;
  }
  Fail(ErrorCode::kInvalidArgument,
       {call.op(), "(): self has no dimension of 3 elements; its sizes are ", self.sizes()});
}
Tensor Cross(Call call, const Tensor& self, const Tensor& other, Optional<int64_t> dim) {
  return linalg_cross(self, other, CrossDim(call, self, dim));
}
void CrossOut(Call call, const Tensor& self, const Tensor& other, Optional<int64_t> dim,
              const Tensor& out) {
  linalg_cross_out(out, self, other, CrossDim(call, self, dim));
}
const Composite cross_body{"cross", Cross};
const Composite cross_out_body{"cross.out", CrossOut};

// --- Chains of products

// The order in which multiplying takes the least work.
// Source: T. H. Cormen et al., Introduction to Algorithms, 15.2, MATRIX-CHAIN-ORDER.
class Chain {
 public:
  explicit Chain(std::vector<Tensor> matrices)
      : m_(std::move(matrices)), n_(m_.size()), cost_(n_ * n_), split_(n_ * n_) {
    for (size_t length = 2; length <= n_; ++length) {
      for (size_t i = 0; i + length <= n_; ++i) {
        const size_t j = i + length - 1;
        cost_[i * n_ + j] = std::numeric_limits<double>::infinity();
        for (size_t k = i; k < j; ++k) {
          const double work = static_cast<double>(m_[i].size(0)) *
                              static_cast<double>(m_[k].size(1)) *
                              static_cast<double>(m_[j].size(1));
          const double cost = cost_[i * n_ + k] + cost_[(k + 1) * n_ + j] + work;
          if (cost >= cost_[i * n_ + j]) continue;
          cost_[i * n_ + j] = cost;
          split_[i * n_ + j] = k;
        }
      }
    }
  }
  Tensor Product() const { return Product(0, n_ - 1); }

 private:
  Tensor Product(size_t i, size_t j) const {
    if (i == j) return m_[i];
    const size_t k = split_[i * n_ + j];
    return mm(Product(i, k), Product(k + 1, j));
  }
  std::vector<Tensor> m_;
  size_t n_;
  std::vector<double> cost_;
  std::vector<size_t> split_;
};

Tensor MultiDot(Call call, TensorList tensors) {
  const size_t n = tensors.size();
  if (n < 2) Fail(ErrorCode::kInvalidArgument, {call.op(), "(): expected at least 2 tensors"});
  std::vector<Tensor> m(tensors.begin(), tensors.end());
  const bool row = m[0].dim() == 1, column = m[n - 1].dim() == 1;
  if (row) m[0] = unsqueeze(m[0], 0);
  if (column) m[n - 1] = unsqueeze(m[n - 1], 1);
  for (size_t i = 0; i < n; ++i) {
    if (m[i].dim() != 2) {
      Fail(
          ErrorCode::kInvalidArgument,
          {call.op(), "(): tensor ", i, " must be a matrix (the first and last one may be vectors)",
           ", got sizes ", tensors[i].sizes()});
    }
    if (m[i].dtype() != m[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument, {call.op(), "(): all must have the same dtype, got ",
                                         m[0].dtype(), " and ", m[i].dtype()});
    }
    if (i > 0 && m[i].size(0) != m[i - 1].size(1)) {
      Fail(ErrorCode::kInvalidArgument, {call.op(), "(): tensors ", i - 1, " and ", i,
                                         " do not fit: ", m[i - 1].sizes(), ", ", m[i].sizes()});
    }
  }
  std::vector<int64_t> sizes;
  if (!row) sizes.push_back(m[0].size(0));
  if (!column) sizes.push_back(m[n - 1].size(1));
  return view(Chain(std::move(m)).Product(), sizes);
}
const Composite multi_dot_body{"linalg_multi_dot", MultiDot};

Tensor ChainMatmul(Call call, TensorList matrices) {
  for (const Tensor& m : matrices) {
    if (m.dim() == 2) continue;
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): all must be matrices, got sizes ", m.sizes()});
  }
  return matrices.size() == 1 ? clone(matrices[0]) : MultiDot(call, matrices);
}
const Composite chain_matmul_body{"chain_matmul", ChainMatmul};

}  // namespace
}  // namespace sy
