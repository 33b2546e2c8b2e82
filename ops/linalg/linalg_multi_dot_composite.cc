// Chains of products by those of two.

#include <limits>
#include <utility>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

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
  if (n < 2) Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least 2 tensors"});
  std::vector<Tensor> m(tensors.begin(), tensors.end());
  const bool row = m[0].dim() == 1, column = m[n - 1].dim() == 1;
  if (row) m[0] = unsqueeze(m[0], 0);
  if (column) m[n - 1] = unsqueeze(m[n - 1], 1);
  for (size_t i = 0; i < n; ++i) {
    if (m[i].dim() != 2) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"tensor ", i, " must be a matrix (the first and last one may be vectors)",
            ", got sizes ", tensors[i].sizes()});
    }
    if (m[i].dtype() != m[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"all must have the same dtype, got ", m[0].dtype(), " and ", m[i].dtype()});
    }
    if (i > 0 && m[i].size(0) != m[i - 1].size(1)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"tensors ", i - 1, " and ", i, " do not fit: ", m[i - 1].sizes(), ", ", m[i].sizes()});
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
    Fail(ErrorCode::kInvalidArgument, call.op(), {"all must be matrices, got sizes ", m.sizes()});
  }
  return matrices.size() == 1 ? clone(matrices[0]) : MultiDot(call, matrices);
}
const Composite chain_matmul_body{"chain_matmul", ChainMatmul};

}  // namespace
}  // namespace sy
