// Matrix products of tensors of any rank, by those of vectors, matrices and batches.
// Source: _matmul_impl in ATen/native/LinearAlgebra.cpp, whose choice between folding a batch into
// a matrix and expanding it decides nothing but speed.

#include <algorithm>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// [batch.., n, k] with leading dimensions that lie in memory like one: one matrix of more rows.
bool FoldsWithoutCopy(const Tensor& a) {
  if (a.numel() == 0) return true;
  for (int64_t i = 0; i + 2 < a.dim(); ++i) {
    if (a.strides()[i] != a.strides()[i + 1] * a.sizes()[i + 1]) return false;
  }
  return true;
}

Tensor Folded(const Tensor& a, const Tensor& b) {
  const int64_t k = a.size(-1);
  std::vector<int64_t> sizes(a.sizes().begin(), a.sizes().end() - 1);
  const Tensor rows = reshape(a, {NumElements(sizes), k});
  if (b.dim() == 1) return view(mv(rows, b), sizes);
  sizes.push_back(b.size(1));
  return view(mm(rows, b), sizes);
}

// At least one of them has 3 or more dimensions.
Tensor Batched(Call call, const Tensor& a, const Tensor& b) {
  const Tensor left = a.dim() == 1 ? unsqueeze(a, 0) : a,
               right = b.dim() == 1 ? unsqueeze(b, 1) : b;
  const int64_t m = left.size(-2), k = left.size(-1), n = right.size(-1);
  if (right.size(-2) != k) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"inner dimensions differ: self is ", a.sizes(), ", other is ", b.sizes()});
  }
  const IntSpan batch_a = left.sizes().first(left.sizes().size() - 2),
                batch_b = right.sizes().first(right.sizes().size() - 2);
  std::vector<int64_t> batch(std::max(batch_a.size(), batch_b.size()));
  Broadcast(batch_a, batch_b, batch.data(), call.op());
  const int64_t count = NumElements(batch);
  const auto matrices = [&](const Tensor& t, int64_t rows, int64_t columns) {
    std::vector<int64_t> sizes = batch;
    sizes.insert(sizes.end(), {rows, columns});
    // What is a batch of matrices already, sparse ones among them, stays what it is.
    if (batch.size() == 1 && SameSizes(t.sizes(), sizes)) return t;
    return reshape(expand(t, sizes), {count, rows, columns});
  };
  const Tensor product = bmm(matrices(left, m, k), matrices(right, k, n));
  std::vector<int64_t> sizes = batch;
  if (a.dim() > 1) sizes.push_back(m);
  if (b.dim() > 1) sizes.push_back(n);
  return view(product, sizes);
}

Tensor Matmul(Call call, const Tensor& self, const Tensor& other) {
  const int64_t da = self.dim(), db = other.dim();
  if (da == 0 || db == 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"both must be at least 1-d, got sizes ", self.sizes(), " and ", other.sizes()});
  }
  if (da == 1 && db == 1) return dot(self, other);
  if (da == 2 && db == 1) return mv(self, other);
  if (da == 1 && db == 2) return squeeze(mm(unsqueeze(self, 0), other), 0);
  if (da == 2 && db == 2) return mm(self, other);
  if (da >= 3 && db <= 2 && FoldsWithoutCopy(self)) return Folded(self, other);
  return Batched(call, self, other);
}

void MatmulOut(Call call, const Tensor& self, const Tensor& other, const Tensor& out) {
  const int64_t da = self.dim(), db = other.dim();
  if (da == 2 && db == 2) {
    mm_out(out, self, other);
    return;
  }
  if (da == 2 && db == 1) {
    mv_out(out, self, other);
    return;
  }
  if (da == 1 && db == 2 && !out.is_contiguous()) {
    // As ATen: out becomes a matrix of one row, which makes it dense, and loses that row again.
    mm_out(out, unsqueeze(self, 0), other);
    squeeze_(out, 0);
    return;
  }
  const Tensor result = Matmul(call, self, other);
  if (out.dtype() != result.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out must be ", result.dtype(), ", got ", out.dtype()});
  }
  if (!SameSizes(out.sizes(), result.sizes())) resize_(out, result.sizes());
  copy_(out, result);
}

const Composite matmul_body{"matmul", Matmul};
const Composite matmul_out_body{"matmul.out", MatmulOut};
const Composite linalg_matmul_body{"linalg_matmul", Matmul};
const Composite linalg_matmul_out_body{"linalg_matmul.out", MatmulOut};

}  // namespace
}  // namespace sy
