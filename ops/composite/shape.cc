// Shapes by other operators: reshape and its like, narrow by a tensor, stack.

#include "switchyard/core/shape.h"

#include <array>

#include "ops/composite/checks.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

Tensor Reshape(Call call, const Tensor& self, IntSpan shape) {
  std::array<int64_t, kMaxRank> sizes, strides;
  if (shape.size() > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): at most ", kMaxRank, " dimensions, got ", shape.size()});
  }
  InferSize(shape, self.numel(), sizes.data(), call.op());
  const IntSpan wanted(sizes.data(), shape.size());
  const bool viewable =
      ViewStrides(self.sizes(), self.strides(), self.numel(), wanted, strides.data());
  return view(viewable ? self : clone(self, MemoryFormat::kContiguous), wanted);
}
const Composite reshape_body{"reshape", Reshape};

Tensor ReshapeAs(Call, const Tensor& self, const Tensor& other) {
  return reshape(self, other.sizes());
}
Tensor Ravel(Call, const Tensor& self) { return reshape(contiguous(self), {-1}); }
const Composite reshape_as_body{"reshape_as", ReshapeAs};
const Composite ravel_body{"ravel", Ravel};

Tensor Flatten(Call call, const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t rank = self.dim(), n = rank == 0 ? 1 : rank;
  for (int64_t d : {start_dim, end_dim}) {
    if (d >= -n && d < n) continue;
    Fail(ErrorCode::kOutOfRange, {call.op(), "(): dim ", d, " is out of range: expected ", -n,
                                  " to ", n - 1, " for a ", rank, "-d tensor"});
  }
  const int64_t first = WrapDim(start_dim, rank), last = WrapDim(end_dim, rank);
  if (first > last) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): start_dim ", start_dim, " must not come after end_dim ", end_dim});
  }
  if (rank == 0) return reshape(self, {1});
  if (first == last) return self;
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().begin() + first);
  int64_t flat = 1;
  for (int64_t d = first; d <= last; ++d) flat *= self.sizes()[static_cast<size_t>(d)];
  sizes.push_back(flat);
  sizes.insert(sizes.end(), self.sizes().begin() + last + 1, self.sizes().end());
  return reshape(self, sizes);
}
const Composite flatten_body{"flatten.using_ints", Flatten};

template <int kRank>
Tensor AtLeast(Call, const Tensor& self) {
  constexpr int64_t kOnes[] = {1, 1, 1};
  if (self.dim() >= kRank) return self;
  if (self.dim() == 0) return reshape(self, IntSpan(kOnes, kRank));
  const Tensor t = self.dim() == 1 ? unsqueeze(self, 0) : self;
  return kRank == 3 ? unsqueeze(t, -1) : t;
}
template <int kRank>
std::vector<Tensor> AllAtLeast(Call call, TensorList tensors) {
  std::vector<Tensor> list;
  for (const Tensor& t : tensors) list.push_back(AtLeast<kRank>(call, t));
  return list;
}
const Composite atleast_1d_body{"atleast_1d", AtLeast<1>};
const Composite atleast_2d_body{"atleast_2d", AtLeast<2>};
const Composite atleast_3d_body{"atleast_3d", AtLeast<3>};
const Composite atleast_1d_list_body{"atleast_1d.Sequence", AllAtLeast<1>};
const Composite atleast_2d_list_body{"atleast_2d.Sequence", AllAtLeast<2>};
const Composite atleast_3d_list_body{"atleast_3d.Sequence", AllAtLeast<3>};

Tensor NarrowTensor(Call call, const Tensor& self, int64_t dim, const Tensor& start,
                    int64_t length) {
  if (start.dim() != 0 || !IsIntegral(start.dtype(), false)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): start must be a 0-d integer tensor, got ", Describe(start)});
  }
  return narrow(self, dim, item(start).To<int64_t>(), length);
}
const Composite narrow_tensor_body{"narrow.Tensor", NarrowTensor};

Tensor Argwhere(Call, const Tensor& self) { return nonzero(self); }
const Composite argwhere_body{"argwhere", Argwhere};

// The sizes of one tensor with the size at dim of another.
std::vector<int64_t> SizesWith(const Tensor& t, int64_t dim, const Tensor& other) {
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes[static_cast<size_t>(dim)] = other.size(dim);
  return sizes;
}
// As positions from 0 to n - 1, around which others wrap.
Tensor WrappedPositions(const Tensor& indices, int64_t n) {
  if (indices.numel() == 0) return indices;
  const bool fit = indices.is_host() && item(min(indices)).To<int64_t>() >= 0 &&
                   item(max(indices)).To<int64_t>() < n;
  return fit ? indices : remainder(indices, n);
}
Tensor TakeAlongDim(Call call, const Tensor& self, const Tensor& indices,
                    std::optional<int64_t> dim) {
  if (indices.dtype() != DType::kInt64) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): indices must be int64, got ", indices.dtype()});
  }
  if (!dim) return gather(reshape(self, {-1}), 0, reshape(indices, {-1}));
  const int64_t d = WrapDimOf(call, *dim, self);
  if (indices.dim() != self.dim()) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): indices must have as many dimensions as self, ", self.dim(), ", got ",
          indices.dim()});
  }
  std::array<int64_t, kMaxRank> sizes;
  const auto expanded = [&](const Tensor& t, const Tensor& other) {
    const int rank = Broadcast(t.sizes(), SizesWith(other, d, t), sizes.data(), call.op());
    return expand(t, IntSpan(sizes.data(), static_cast<size_t>(rank)));
  };
  if (self.size(d) == 0 && indices.numel() != 0) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): dimension ", d, " of sizes ", self.sizes(), " has no positions"});
  }
  const Tensor index = expanded(WrappedPositions(indices, self.size(d)), self);
  return gather(expanded(self, indices), d, index);
}
const Composite take_along_dim_body{"take_along_dim", TakeAlongDim};

std::vector<Tensor> Unsqueezed(Call call, TensorList tensors, int64_t dim) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): expected at least one tensor"});
  dim = WrapDim(dim, tensors[0].dim() + 1);
  std::vector<Tensor> list;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!SameSizes(tensors[i].sizes(), tensors[0].sizes())) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): all tensors must have the same sizes, got ", tensors[0].sizes(),
            " for tensor 0 and ", tensors[i].sizes(), " for tensor ", i});
    }
    list.push_back(unsqueeze(tensors[i], dim));
  }
  return list;
}
Tensor Stack(Call call, TensorList tensors, int64_t dim) {
  const std::vector<Tensor> list = Unsqueezed(call, tensors, dim);
  return cat(list, WrapDim(dim, list[0].dim()));
}
void StackOut(Call call, TensorList tensors, int64_t dim, const Tensor& out) {
  const std::vector<Tensor> list = Unsqueezed(call, tensors, dim);
  cat_out(out, list, WrapDim(dim, list[0].dim()));
}
const Composite stack_body{"stack", Stack};
const Composite stack_out_body{"stack.out", StackOut};

}  // namespace
}  // namespace sy
