#include "switchyard/op/viewed.h"

#include <cstddef>

namespace sy {

// The ABI's tags, dtypes, rows and values are ours: ShowValue hands values over as they are.
static_assert(static_cast<int>(Tag::kNone) == SY_V_NONE);
static_assert(static_cast<int>(Tag::kBool) == SY_V_BOOL);
static_assert(static_cast<int>(Tag::kInt) == SY_V_INT);
static_assert(static_cast<int>(Tag::kUInt) == SY_V_UINT);
static_assert(static_cast<int>(Tag::kDouble) == SY_V_DOUBLE);
static_assert(static_cast<int>(Tag::kComplex) == SY_V_COMPLEX);
static_assert(static_cast<int>(Tag::kString) == SY_V_STRING);
static_assert(static_cast<int>(Tag::kTensor) == SY_V_TENSOR);
static_assert(static_cast<int>(Tag::kIntList) == SY_V_INTS);
static_assert(static_cast<int>(Tag::kDoubleList) == SY_V_DOUBLES);
static_assert(static_cast<int>(Tag::kBoolList) == SY_V_BOOLS);
static_assert(static_cast<int>(Tag::kTensorList) == SY_V_TENSORS);
static_assert(static_cast<int>(Tag::kScalarList) == SY_V_SCALARS);
static_assert(static_cast<int>(Tag::kDType) == SY_V_DTYPE);
static_assert(static_cast<int>(Tag::kDevice) == SY_V_DEVICE);
static_assert(static_cast<int>(Tag::kLayout) == SY_V_LAYOUT);
static_assert(static_cast<int>(Tag::kMemoryFormat) == SY_V_MEMORY_FORMAT);
static_assert(static_cast<int>(Tag::kGenerator) == SY_V_GENERATOR && kNumTags == 18);
static_assert(sizeof(Device) == sizeof(SyDevice) && sizeof(bool) == 1);
static_assert(offsetof(Device, index) == offsetof(SyDevice, index));

static_assert(static_cast<int>(DType::kBool) == SY_BOOL);
static_assert(static_cast<int>(DType::kUInt8) == SY_UINT8);
static_assert(static_cast<int>(DType::kInt8) == SY_INT8);
static_assert(static_cast<int>(DType::kInt16) == SY_INT16);
static_assert(static_cast<int>(DType::kInt32) == SY_INT32);
static_assert(static_cast<int>(DType::kInt64) == SY_INT64);
static_assert(static_cast<int>(DType::kUInt16) == SY_UINT16);
static_assert(static_cast<int>(DType::kUInt32) == SY_UINT32);
static_assert(static_cast<int>(DType::kUInt64) == SY_UINT64);
static_assert(static_cast<int>(DType::kFloat16) == SY_FLOAT16);
static_assert(static_cast<int>(DType::kBFloat16) == SY_BFLOAT16);
static_assert(static_cast<int>(DType::kFloat32) == SY_FLOAT32);
static_assert(static_cast<int>(DType::kFloat64) == SY_FLOAT64);
static_assert(static_cast<int>(DType::kComplex32) == SY_COMPLEX32);
static_assert(static_cast<int>(DType::kComplex64) == SY_COMPLEX64);
static_assert(static_cast<int>(DType::kComplex128) == SY_COMPLEX128);
static_assert(static_cast<int>(DType::kFloat8E4M3FN) == SY_FLOAT8_E4M3FN);
static_assert(static_cast<int>(DType::kFloat8E5M2) == SY_FLOAT8_E5M2 && kNumDTypes == 18);
static_assert(kHostRow == SY_DEVICE_HOST && kNoRow == SY_DEVICE_NONE);

static_assert(sizeof(Value) == sizeof(SyValue));
static_assert(offsetof(Value, tag) == offsetof(SyValue, tag) &&
              offsetof(Value, len) == offsetof(SyValue, length) &&
              offsetof(Value, p) == offsetof(SyValue, u));
static_assert(kContiguousFlag == SY_TENSOR_CONTIGUOUS &&
              kWrappedNumberFlag == SY_TENSOR_WRAPPED_NUMBER);

}  // namespace sy

namespace sy::internal {

namespace {

SY_INLINE void Complete(SyTensor& v, const Allocator* own) {
  const auto* x = static_cast<const TensorImpl*>(v.ref);
  const StorageImpl* s = x->storage;
  const int64_t offset = x->offset * static_cast<int64_t>(ItemSize(x->dtype()));
  const auto data = reinterpret_cast<uintptr_t>(s->data);
  const uintptr_t first = data == 0 ? 0 : data + static_cast<uintptr_t>(offset);
  const KeyWord key = x->key;
  const bool on_host = RowOfKey(key) == kHostRow;
  const bool shown = s->allocator == own && s->allocator != nullptr;
  v.byte_offset = static_cast<uint64_t>(offset);
  if (on_host) {
    v.data = reinterpret_cast<void*>(first);
    return;
  }
  StoreWord(&v.device, RowOfKey(key) | uint64_t{static_cast<uint32_t>(IndexOfKey(key))} << 32);
  v.buffer = shown ? static_cast<const SyBuffer*>(s->context) : nullptr;
  v.data = reinterpret_cast<void*>(shown && first >> kNumberedDataBit != 1 ? first : 0);
}

}  // namespace

void ShowPlace(SyTensor& v, const Allocator* own) { Complete(v, own); }

void ShowOthers(std::span<SyTensor> views, std::span<SyValue> args, const Allocator* own) {
  bool undefined = false;
  for (SyTensor& v : views) {
    Complete(v, own);
    undefined |= v.ref == &undefined_tensor;
  }
  if (!undefined) [[likely]]
    return;
  for (SyValue& a : args) {
    if (a.tag == SY_V_TENSOR && a.u.tensor->ref == &undefined_tensor) a = ShowValue(Value());
  }
}

}  // namespace sy::internal
