// matmul_backward and linear_backward by products.

#include <span>
#include <tuple>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireMask(Call call, ::std::span<const bool> mask, size_t n) {
  if (mask.size() == n) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"the mask must have ", static_cast<int64_t>(n), " entries, got ",
        static_cast<int64_t>(mask.size())});
}
void RequireOneDType(Call call, const Tensor& a, const Tensor& b, const Tensor& c) {
  if (a.dtype() == b.dtype() && a.dtype() == c.dtype()) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"all tensors must have one dtype, got ", a.dtype(), ", ", b.dtype(), " and ", c.dtype()});
}

// The sizes of matmul(a, b) of matrices and batches of them.
::std::vector<int64_t> ProductSizes(Call call, const Tensor& a, const Tensor& b) {
  const IntSpan x = a.sizes(), y = b.sizes();
  const size_t n = x.size() - 2, m = y.size() - 2;
  if (x[n + 1] != y[m]) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes do not fit: self is ", x, ", other is ", y});
  }
  int64_t room[kMaxRank];
  const int rank = Broadcast(x.first(n), y.first(m), room, call.op());
  ::std::vector<int64_t> sizes(room, room + rank);
  sizes.push_back(x[n]);
  sizes.push_back(y[m + 1]);
  return sizes;
}

// The conjugate transpose of what are matrices.
Tensor Adjoint(const Tensor& t) { return conj(transpose(t, -2, -1)); }

::std::tuple<Tensor, Tensor> MatmulBackward(Call call, const Tensor& grad, const Tensor& self,
                                            const Tensor& other, ::std::span<const bool> mask) {
  RequireMask(call, mask, 2);
  RequireOneDType(call, grad, self, other);
  if (self.dim() == 0 || other.dim() == 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self and other must have at least 1 dimension, got sizes ", self.sizes(), " and ",
          other.sizes()});
  }
  // Vectors are matrices of one row, or of one column.
  const Tensor a = self.dim() == 1 ? unsqueeze(self, 0) : self,
               b = other.dim() == 1 ? unsqueeze(other, 1) : other;
  const ::std::vector<int64_t> whole = ProductSizes(call, a, b);
  ::std::vector<int64_t> given = whole;
  if (other.dim() == 1) given.pop_back();
  if (self.dim() == 1) given.erase(given.end() - (other.dim() == 1 ? 1 : 2));
  if (!SameSizes(grad.sizes(), given)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"grad must have sizes ", IntSpan(given), ", got ", grad.sizes()});
  }
  const Tensor g = reshape(grad, whole);
  const auto sized = [](const Tensor& t, const Tensor& like, const Tensor& matrices) {
    return reshape(sum_to_size(t, matrices.sizes()), like.sizes());
  };
  return {mask[0] ? sized(matmul(g, Adjoint(b)), self, a) : Tensor(),
          mask[1] ? sized(matmul(Adjoint(a), g), other, b) : Tensor()};
}

::std::tuple<Tensor, Tensor, Tensor> LinearBackward(Call call, const Tensor& self,
                                                    const Tensor& grad_output, const Tensor& weight,
                                                    ::std::span<const bool> output_mask) {
  RequireMask(call, output_mask, 3);
  RequireOneDType(call, self, grad_output, weight);
  const IntSpan x = self.sizes(), g = grad_output.sizes(), w = weight.sizes();
  const size_t outer = x.empty() ? 0 : x.size() - 1;
  if (x.empty() || w.size() != 2 || g.size() != x.size() || x[outer] != w[1] || g[outer] != w[0] ||
      !SameSizes(x.first(outer), g.first(outer))) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes must be [.., k], [.., n] and [n, k], got ", x, ", ", g, " and ", w});
  }
  int64_t rows = 1;
  for (size_t d = 0; d < outer; ++d) rows *= x[d];
  const Tensor inputs = reshape(self, {rows, w[1]}), grads = reshape(grad_output, {rows, w[0]});
  return {output_mask[0] ? reshape(mm(grads, conj(weight)), x) : Tensor(),
          output_mask[1] ? mm(transpose(grads, 0, 1), conj(inputs)) : Tensor(),
          output_mask[2] ? to(sum(grads, {0}), self.dtype()) : Tensor()};
}

const Composite matmul_backward_body{"matmul_backward", MatmulBackward};
const Composite linear_backward_body{"linear_backward", LinearBackward};

}  // namespace
}  // namespace sy
