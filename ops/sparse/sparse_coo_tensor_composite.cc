// sparse_coo_tensor: checks, and the tensor.
#include <algorithm>
#include <optional>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

void RequireLayout(Call call, Optional<Layout> layout) {
  if (layout.value_or(Layout::kSparse) == Layout::kSparse) return;
  Fail(ErrorCode::kInvalidArgument, call.op(), {"layout must be sparse_coo, got ", Name(*layout)});
}

Tensor OfSize(Call call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  RequireLayout(call, layout);
  for (const int64_t n : size) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"negative size in ", size});
  }
  const auto rows = static_cast<int64_t>(size.size());
  const Tensor none = empty({0}, {.dtype = dtype, .device = device, .pin_memory = pin_memory});
  return MakeCoo(call, size, NoIndices(none, rows), none, true);
}

// indices as int64 and values as asked for, on one device.
struct Parts {
  Tensor indices, values;
  Parts(Call call, const Tensor& given_indices, const Tensor& given_values, Optional<DType> dtype,
        Optional<Layout> layout, Optional<Device> device) {
    RequireLayout(call, layout);
    if (!given_indices.is_strided() || !given_values.is_strided()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected strided indices and values, got ", Describe(given_indices), " and ",
            Describe(given_values)});
    }
    const DType d = dtype.value_or(given_values.dtype());
    const Device where = device.value_or(given_values.device());
    values = to(given_values, where, d);
    if (values.dim() == 0) values = unsqueeze(values, 0);
    indices = to(given_indices, where, DType::kInt64);
    if (indices.dim() == 1) indices = unsqueeze(indices, 0);
    if (indices.dim() != 2) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"indices must be sparse_dim x nnz, got sizes ", given_indices.sizes()});
    }
    if (indices.sizes()[1] != values.sizes()[0]) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"indices and values must have same nnz, but got nnz from indices: ", indices.sizes()[1],
            ", nnz from values: ", values.sizes()[0]});
    }
  }
};

void RequireSizes(Call call, const Parts& p, IntSpan size) {
  const int64_t sparse = p.indices.sizes()[0], dense = p.values.dim() - 1;
  if (static_cast<int64_t>(size.size()) != sparse + dense) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = ", size.size(),
          ", sparse_dim = ", sparse, ", dense_dim = ", dense});
  }
  const IntSpan expected = p.values.sizes().subspan(1),
                got = size.subspan(static_cast<size_t>(sparse));
  if (!SameSizes(got, expected)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"values has incorrect size, expected [", p.values.sizes()[0], "] and then ", got,
          ", got ", p.values.sizes()});
  }
  for (const int64_t n : size) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"negative size in ", size});
  }
}

// The largest position of each sparse dimension, after a look whether one is negative.
IntVector LargestPositions(Call call, const Tensor& indices) {
  IntVector largest(static_cast<size_t>(indices.sizes()[0]), -1);
  if (indices.numel() == 0) return largest;
  const Tensor low = amin(indices, {1}), high = amax(indices, {1});
  for (size_t d = 0; d < largest.size(); ++d) {
    const auto at = static_cast<int64_t>(d), least = select(low, 0, at).item<int64_t>();
    if (least < 0) {
      Fail(ErrorCode::kIndexOutOfRange, call.op(),
           {"found negative index ", least, " for dim ", d});
    }
    largest[d] = select(high, 0, at).item<int64_t>();
  }
  return largest;
}

bool IsCoalescedBySize(const Parts& p, Optional<bool> is_coalesced) {
  return is_coalesced.value_or(p.values.sizes()[0] < 2);
}

Tensor OfIndices(Call call, const Tensor& indices, const Tensor& values, Optional<DType> dtype,
                 Optional<Layout> layout, Optional<Device> device, Optional<bool> /*pin_memory*/,
                 Optional<bool> is_coalesced) {
  const Parts p(call, indices, values, dtype, layout, device);
  IntVector size = LargestPositions(call, p.indices);
  for (int64_t& n : size) ++n;
  size = Joined(size, p.values.sizes().subspan(1));
  return MakeCooAsSaid(call, size, p.indices, p.values, IsCoalescedBySize(p, is_coalesced));
}

Tensor OfIndicesAndSize(Call call, const Tensor& indices, const Tensor& values, IntSpan size,
                        Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> /*pin_memory*/, Optional<bool> is_coalesced) {
  const Parts p(call, indices, values, dtype, layout, device);
  RequireSizes(call, p, size);
  if (HasData(p.indices)) {
    const IntVector largest = LargestPositions(call, p.indices);
    for (size_t d = 0; d < largest.size(); ++d) {
      if (largest[d] < size[d]) continue;
      Fail(ErrorCode::kIndexOutOfRange, call.op(),
           {"size is inconsistent with indices: for dim ", d, ", size is ", size[d],
            " but found index ", largest[d]});
    }
  }
  return MakeCooAsSaid(call, size, p.indices, p.values, IsCoalescedBySize(p, is_coalesced));
}

Tensor Unsafe(Call call, const Tensor& indices, const Tensor& values, IntSpan size,
              Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
              Optional<bool> /*pin_memory*/, Optional<bool> is_coalesced) {
  const Parts p(call, indices, values, dtype, layout, device);
  RequireSizes(call, p, size);
  return MakeCooAsSaid(call, size, p.indices, p.values, IsCoalescedBySize(p, is_coalesced));
}

const Composite size_body{"sparse_coo_tensor.size", OfSize};
const Composite indices_body{"sparse_coo_tensor.indices", OfIndices};
const Composite indices_size_body{"sparse_coo_tensor.indices_size", OfIndicesAndSize};
const Composite unsafe_body{"_sparse_coo_tensor_unsafe", Unsafe};

}  // namespace
}  // namespace sy
