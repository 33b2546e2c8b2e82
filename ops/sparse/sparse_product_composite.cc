// Products of sparse matrices, by _sparse_mm, which devices may have kernels for: what stands here
// gathers rows and adds them up.
#include <utility>

#include "ops/sparse/grid_composite.h"
#include "ops/sparse/held_composite.h"
#include "switchyard/ops/sparse/product.h"

namespace sy {
namespace {

// Of two sparse matrices of which a gradient is recorded: what the strided product holds where
// theirs holds something.
Tensor RecordedMm(const Tensor& a, const Tensor& b) {
  return sparse_mask(_sparse_mm(a, to_dense(b)), _sparse_mm(detach(a), detach(b)));
}

// On every device: rows of the strided matrix times the values, added to the result's rows.
Tensor SparseMm(Call call, const Tensor& sparse, const Tensor& dense) {
  RequireProduct(call.op(), sparse, dense);
  if (!sparse.is_strided() && !dense.is_strided() && (IsRecorded(sparse) || IsRecorded(dense)))
    return RecordedMm(sparse, dense);
  if (sparse.is_strided() || !dense.is_strided()) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"expected a sparse and a strided matrix on ", sparse.device().str(), ", got ",
          Describe(sparse), " and ", Describe(dense)});
  }
  const SparseState& s = *FindSparse(sparse);
  if (HasBlocks(s.layout)) return SparseMm(call, to_sparse(sparse), dense);
  const std::vector<Tensor> at = PositionLists(s);
  const Tensor out = new_zeros(dense, {sparse.sizes()[0], dense.sizes()[1]});
  index_add_(out, 0, at[0], mul(index_select(dense, 0, at[1]), unsqueeze(s.values, 1)));
  return out;
}

Tensor Mm(Call call, const Tensor& self, const Tensor& mat2) {
  RequireProduct(call.op(), self, mat2);
  if (!self.is_strided()) return _sparse_mm(self, mat2);
  const Tensor turned = _sparse_mm(transpose(mat2, 0, 1), contiguous(transpose(self, 0, 1)));
  return contiguous(transpose(turned, 0, 1));
}

// beta * self + product; with beta 0 nothing of self counts.
Tensor Added(Call call, const Tensor& self, const Tensor& product, const Scalar& beta,
             const Scalar& alpha) {
  const bool one = alpha.To<std::complex<double>>() == 1.0;
  const Tensor scaled = one ? product : mul(product, alpha);
  if (beta.To<std::complex<double>>() == 0.0) {
    if (!SameSizes(self.sizes(), product.sizes()) && self.is_strided())
      static_cast<void>(expand(self, product.sizes()));  // refuses what does not expand
    return scaled;
  }
  const Tensor all = self.is_strided() ? expand(self, product.sizes()) : self;
  const Tensor base = beta.To<std::complex<double>>() == 1.0 ? all : mul(all, beta);
  if (!base.is_strided() && scaled.is_strided()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"a sparse self needs a sparse product, got ", Describe(self)});
  }
  return add(base, scaled);
}
Tensor Addmm(Call call, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
             const Scalar& beta, const Scalar& alpha) {
  if (mat1.is_strided() && mat2.is_strided()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"a sparse self needs sparse matrices, got ", Describe(mat1), " and ", Describe(mat2)});
  }
  return Added(call, self, mm(mat1, mat2), beta, alpha);
}

Tensor Mv(Call call, const Tensor& self, const Tensor& vec) {
  if (vec.dim() != 1 || !vec.is_strided()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"vec must be a strided vector, got ", Describe(vec)});
  }
  return select(mm(self, unsqueeze(vec, 1)), 1, 0);
}
Tensor Addmv(Call call, const Tensor& self, const Tensor& mat, const Tensor& vec,
             const Scalar& beta, const Scalar& alpha) {
  return Added(call, self, mv(mat, vec), beta, alpha);
}

// Of a batch of sparse matrices one: they lie along its diagonal.
Tensor Diagonal(Call call, const Tensor& batch) {
  const SparseState& s = *FindSparse(batch);
  const int64_t b = batch.sizes()[0], n = batch.sizes()[1], k = batch.sizes()[2];
  if (s.layout == Layout::kSparse) {
    const Tensor which = select(s.indices, 0, 0);
    const Tensor at =
        stack({add(select(s.indices, 0, 1), which, n), add(select(s.indices, 0, 2), which, k)});
    return MakeCoo(call, IntVector{b * n, b * k}, at, s.values, s.coalesced);
  }
  const int64_t nnz = s.nnz(), outer = s.indices.sizes()[1] - 1;
  const bool by_rows = HasCompressedRows(s.layout);
  const int64_t inner = GridSizes(batch, s)[by_rows ? 2 : 1];
  const Tensor which = unsqueeze(arange(b, Like(s.indices, DType::kInt64)), 1);
  const Tensor ends = reshape(add(slice(s.indices, 1, 1, outer + 1), which, nnz), {b * outer}),
               plain = reshape(add(s.plain_indices, which, inner), {b * nnz});
  const Tensor values = reshape(s.values, Joined({b * nnz}, s.values.sizes().subspan(2)));
  return MakeCompressed(call, s.layout, IntVector{b * n, b * k}, cat({new_zeros(ends, {1}), ends}),
                        plain, values, 0);
}

Tensor Bmm(Call call, const Tensor& self, const Tensor& mat2) {
  if (self.is_strided() && !mat2.is_strided() && self.dim() == 3 && mat2.dim() == 3) {
    const Tensor turned = Bmm(call, transpose(mat2, 1, 2), transpose(self, 1, 2));
    return contiguous(transpose(turned, 1, 2));
  }
  if (self.is_strided() || !mat2.is_strided() || self.dim() != 3 || mat2.dim() != 3 ||
      FindSparse(self)->dense_dim != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a batch of sparse matrices and one of strided ones, got ", Describe(self),
          " and ", Describe(mat2)});
  }
  const int64_t b = self.sizes()[0], n = self.sizes()[1], k = self.sizes()[2], m = mat2.sizes()[2];
  if (mat2.sizes()[0] != b || mat2.sizes()[1] != k) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes do not fit: ", self.sizes(), " and ", mat2.sizes()});
  }
  return view(mm(Diagonal(call, self), reshape(mat2, {b * k, m})), {b, n, m});
}

// Rows of the product that are not empty: [rows], [rows, m].
std::pair<Tensor, Tensor> HeldRows(Call call, const Tensor& mat1, const Tensor& mat2) {
  RequireProduct(call.op(), mat1, mat2);
  const Tensor sorted = coalesce(to_sparse(mat1));
  const SparseState& s = *FindSparse(sorted);
  const auto [rows, inverse, counts] = unique_consecutive(select(s.indices, 0, 0), true);
  const Tensor at = stack({inverse, select(s.indices, 0, 1)});
  const Tensor packed =
      MakeCoo(call, IntVector{rows.sizes()[0], mat1.sizes()[1]}, at, s.values, true);
  return {rows, mm(packed, mat2)};
}
Tensor Hspmm(Call call, const Tensor& mat1, const Tensor& mat2) {
  const auto [rows, products] = HeldRows(call, mat1, mat2);
  return MakeCoo(call, IntVector{mat1.sizes()[0], mat2.sizes()[1]}, unsqueeze(rows, 0), products,
                 true);
}
Tensor Smm(Call call, const Tensor& self, const Tensor& mat2) {
  const auto [rows, products] = HeldRows(call, self, mat2);
  const int64_t n = rows.sizes()[0], m = mat2.sizes()[1];
  const Tensor row = reshape(expand(unsqueeze(rows, 1), {n, m}), {n * m});
  const Tensor column = reshape(expand(arange(m, Like(rows, DType::kInt64)), {n, m}), {n * m});
  return MakeCoo(call, IntVector{self.sizes()[0], m}, stack({row, column}),
                 reshape(products, {n * m}), true);
}
Tensor Sspaddmm(Call call, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                const Scalar& beta, const Scalar& alpha) {
  const SparseState& s = RequireCoo(call, self);
  const Tensor product = Smm(call, mat1, mat2);
  const SparseState& p = *FindSparse(product);
  if (!SameSizes(self.sizes(), product.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have the product's sizes ", product.sizes(), ", got ", self.sizes()});
  }
  return MakeCoo(call, self.sizes(), cat({s.indices, p.indices}, 1),
                 cat({mul(s.values, beta), mul(p.values, alpha)}), false);
}

// On every device: both rows of each position, multiplied and added up. Of batches, with the
// batches' rows one after the other.
Tensor SampledAddmm(Call call, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                    const Scalar& beta, const Scalar& alpha) {
  const SparseState& s = *FindSparse(self);
  const int64_t rank = self.dim();
  if (!mat1.is_strided() || !mat2.is_strided() || s.dense_dim != 0 || rank > 3) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a matrix self, or a batch of them, and strided mat1 and mat2, got ",
          Describe(self), ", ", Describe(mat1), " and ", Describe(mat2)});
  }
  if (rank == 3) {
    if (mat1.dim() != 3 || mat2.dim() != 3 || mat1.sizes()[0] != self.sizes()[0] ||
        mat2.sizes()[0] != self.sizes()[0] || mat1.sizes()[1] != self.sizes()[1] ||
        mat2.sizes()[2] != self.sizes()[2]) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected as many matrices of self's sizes ", self.sizes(), ", got ", mat1.sizes(),
            " and ", mat2.sizes()});
    }
    const Tensor all =
        SampledAddmm(call, Diagonal(call, self), flatten(mat1, 0, 1),
                     transpose(flatten(transpose(mat2, 1, 2), 0, 1), 0, 1), beta, alpha);
    return WithValues(call, self, view(FindSparse(all)->values, s.values.sizes()));
  }
  RequireProduct(call.op(), mat1, mat2);
  if (self.sizes()[0] != mat1.sizes()[0] || self.sizes()[1] != mat2.sizes()[1] ||
      self.dtype() != mat1.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have the product's sizes and dtype, ", mat1.dtype(), "[", mat1.sizes()[0],
          ", ", mat2.sizes()[1], "], got ", Describe(self)});
  }
  const std::vector<Tensor> at = PositionLists(s);
  const Tensor products =
      sum(mul(index_select(mat1, 0, at[0]), index_select(transpose(mat2, 0, 1), 0, at[1])), {1});
  const Tensor scaled = mul(products, alpha);
  if (beta.To<std::complex<double>>() == 0.0) return WithValues(call, self, scaled);
  return WithValues(call, self, add(scaled, mul(s.values, beta)));
}

Tensor StridedMm(Call, const Tensor& sparse, const Tensor& dense) { return mm(sparse, dense); }
Tensor StridedAddmm(Call, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                    const Scalar& beta, const Scalar& alpha) {
  return addmm(self, mat1, mat2, beta, alpha);
}
Tensor StridedSampledAddmm(Call call, const Tensor& self, const Tensor&, const Tensor&,
                           const Scalar&, const Scalar&) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected a sparse_csr self, got ", Describe(self)});
}

const LayoutKernel sparse_mm{"_sparse_mm", kAnySparse, SparseMm};
const LayoutKernel mm_sparse{"mm", kAnySparse, Mm};
const LayoutKernel addmm_sparse{"addmm", kAnySparse, Addmm};
const LayoutKernel mv_sparse{"mv", kAnySparse, Mv};
const LayoutKernel addmv_sparse{"addmv", kAnySparse, Addmv};
const LayoutKernel bmm_sparse{"bmm", kAnySparse, Bmm};
const LayoutBody matmul_sparse{"matmul", kAnySparse};
const LayoutBody linear_sparse{"linear", kAnySparse};
const Composite sparse_mm_body{"_sparse_mm", StridedMm};
const Composite sparse_addmm_body{"_sparse_addmm", StridedAddmm};
const LayoutBody sparse_addmm_sparse{"_sparse_addmm", kAnySparse};
const Composite smm_body{"smm", Smm};
const LayoutBody smm_sparse{"smm", kAnySparse};
const Composite hspmm_body{"hspmm", Hspmm};
const LayoutBody hspmm_sparse{"hspmm", kAnySparse};
const Composite sspaddmm_body{"sspaddmm", Sspaddmm};
const LayoutBody sspaddmm_sparse{"sspaddmm", kAnySparse};
const Composite sampled_addmm_body{"sparse_sampled_addmm", StridedSampledAddmm};
const LayoutKernel sampled_addmm_sparse{"sparse_sampled_addmm", kCsr, SampledAddmm};

}  // namespace
}  // namespace sy
