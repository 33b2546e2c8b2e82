#include "switchyard/op/viewed.h"

namespace sy::internal {

void ShowPlace(SyTensor& v, const Allocator* own) {
  const auto* x = static_cast<const TensorImpl*>(v.ref);
  const StorageImpl* s = x->storage;
  const int64_t offset = x->offset * static_cast<int64_t>(ItemSize(x->dtype()));
  v.byte_offset = static_cast<uint64_t>(offset);
  v.data = s->data == nullptr ? nullptr : static_cast<char*>(s->data) + offset;
  if (RowOfKey(x->key) == kHostRow) return;
  v.device = RowOfKey(x->key);
  v.index = IndexOfKey(x->key);
  const bool shown = s->allocator != nullptr && s->allocator == own;
  v.buffer = shown ? static_cast<const SyBuffer*>(s->context) : nullptr;
  const bool numbered = reinterpret_cast<uintptr_t>(v.data) >> kNumberedDataBit == 1;
  if (!shown || numbered) v.data = nullptr;
}

void ShowOthers(std::span<SyTensor> views, std::span<SyValue> args, const Allocator* own) {
  for (SyTensor& v : views) ShowPlace(v, own);
  for (SyValue& a : args) {
    if (a.tag == SY_V_TENSOR && a.u.tensor->ref == &undefined_tensor) a = ShowValue(Value());
  }
}

}  // namespace sy::internal
