#include "switchyard/registry/viewed.h"

namespace sy::internal {

void ShowPlace(TensorView& v, const Allocator* own) {
  const TensorImpl* x = v.tensor;
  const StorageImpl* s = x->storage;
  const int64_t offset = x->offset * static_cast<int64_t>(ItemSize(x->dtype()));
  v.byte_offset = static_cast<uint64_t>(offset);
  v.data = s->data == nullptr ? nullptr : static_cast<char*>(s->data) + offset;
  if (RowOfKey(x->key) == kHostRow) return;
  v.device = RowOfKey(x->key);
  v.index = IndexOfKey(x->key);
  const bool shown = s->allocator != nullptr && s->allocator == own;
  v.buffer = shown ? s->context : nullptr;
  const bool numbered = reinterpret_cast<uintptr_t>(v.data) >> kNumberedDataBit == 1;
  if (!shown || numbered) v.data = nullptr;
}

void ShowOthers(std::span<TensorView> views, std::span<Value> args, const Allocator* own) {
  for (TensorView& v : views) ShowPlace(v, own);
  for (Value& a : args) {
    if (a.tag != Tag::kTensor || static_cast<const TensorView*>(a.p)->tensor != &undefined_tensor)
      continue;
    a = Value();
  }
}

}  // namespace sy::internal
