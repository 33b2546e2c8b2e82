#include "switchyard/core/sparse.h"

#include <utility>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {

SparseState::~SparseState() = default;

int64_t SparseState::nnz() const {
  if (layout == Layout::kSparse) return values.sizes()[0];
  return plain_indices.sizes()[static_cast<size_t>(plain_indices.dim() - 1)];
}

Layout TensorBase::SparseLayout() const { return FindSparse(*this)->layout; }

Tensor MakeSparse(IntSpan sizes, std::unique_ptr<SparseState> state) {
  const std::vector<int64_t> strides(sizes.size());
  const KeyWord key = (state->values.key() & (kPlaceMask | kGradBit)) | kSparseBit;
  Tensor t(internal::NewWithoutBytes(key, sizes, strides));
  t.impl()->flags &= static_cast<uint8_t>(~kContiguousFlag);
  Attach(t, std::move(state));
  return t;
}

const SparseState* FindSparse(const TensorBase& t) {
  if (t.is_strided()) return nullptr;
  return Attached<SparseState>(t);
}

namespace {

std::unique_ptr<SparseState> CopyOfState(const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  return std::make_unique<SparseState>(s.layout, s.sparse_dim, s.dense_dim, s.indices,
                                       s.plain_indices, s.values, s.coalesced);
}

}  // namespace

Tensor SparseAlias(const Tensor& t) { return MakeSparse(t.sizes(), CopyOfState(t)); }

void BecomeSparse(const Tensor& t, const Tensor& from) {
  if (PlaceOfKey(t.key()) != PlaceOfKey(from.key())) {
    Fail(ErrorCode::kInvalidArgument,
         {"expected sparse tensors on one device, got ", Describe(t), " and ", Describe(from)});
  }
  std::unique_ptr<SparseState> copy = CopyOfState(from);
  internal::SetGeometry(t.impl(), from.sizes(), from.strides(), 0);
  t.impl()->flags &= static_cast<uint8_t>(~kContiguousFlag);
  t.impl()->key = (WithDType(t.key(), from.dtype()) & ~kGradBit) | (from.key() & kGradBit);
  t.impl()->storage->CountWrite();
  Attach(t, std::move(copy));
}

}  // namespace sy
