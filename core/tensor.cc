#include "switchyard/core/tensor.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

KeyWord KeyFor(DType dtype, Device device) { return PlaceOf(device) | static_cast<KeyWord>(dtype); }

void RequireSameLength(IntSpan sizes, IntSpan strides) {
  if (sizes.size() == strides.size()) return;
  Fail(ErrorCode::kInvalidArgument,
       {"sizes ", sizes, " and strides ", strides, " differ in length"});
}

}  // namespace

Device TensorBase::device() const { return DeviceOfKey(impl_->key); }

int64_t TensorBase::Wrap(int64_t i) const {
  if (i < -dim() || i >= dim()) FailDimRange(i, dim());
  return i < 0 ? i + dim() : i;
}

bool TensorBase::is_contiguous(MemoryFormat format) const {
  switch (format) {
    case MemoryFormat::kContiguous:
    case MemoryFormat::kPreserve:
      return is_contiguous();
    case MemoryFormat::kChannelsLast:
    case MemoryFormat::kChannelsLast3d:
      break;
  }
  return IsChannelsLastContiguous(sizes(), strides(), format);
}

bool TensorBase::is_non_overlapping_and_dense() const {
  return is_contiguous() || IsNonOverlappingAndDense(sizes(), strides());
}

MemoryFormat TensorBase::suggest_memory_format() const {
  if (IsChannelsLastStrides(sizes(), strides(), MemoryFormat::kChannelsLast))
    return MemoryFormat::kChannelsLast;
  if (IsChannelsLastStrides(sizes(), strides(), MemoryFormat::kChannelsLast3d))
    return MemoryFormat::kChannelsLast3d;
  return MemoryFormat::kContiguous;
}

Tensor Tensor::Empty(IntSpan sizes, DType dtype, Device device) {
  return Tensor(internal::NewContiguous(KeyFor(dtype, device), sizes));
}

Tensor Tensor::EmptyStrided(IntSpan sizes, IntSpan strides, DType dtype, Device device) {
  RequireSameLength(sizes, strides);
  return Tensor(internal::NewStrided(KeyFor(dtype, device), sizes, strides));
}

Tensor Tensor::FromBlob(void* data, IntSpan sizes, DType dtype, std::function<void()> deleter) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  return FromBlob(data, sizes, strides, dtype, std::move(deleter));
}

Tensor Tensor::FromBlob(void* data, IntSpan sizes, IntSpan strides, DType dtype,
                        std::function<void()> deleter) {
  RequireSameLength(sizes, strides);
  const int64_t extent = StorageExtent(sizes, strides);
  const int64_t bytes = CheckedProduct("FromBlob", "the tensor in bytes", extent,
                                       static_cast<int64_t>(ItemSize(dtype)));
  auto on_free = std::make_unique<std::function<void()>>(std::move(deleter));
  TensorImpl* impl = internal::NewWithoutBytes(MakeKey(kHostRow, dtype), sizes, strides);
  impl->own.data = data;
  impl->own.nbytes = static_cast<size_t>(bytes);
  impl->own.allocator = LentAllocator();
  impl->own.context = on_free.release();
  return Tensor(impl);
}

Tensor Tensor::AsStrided(IntSpan sizes, IntSpan strides, int64_t offset) const {
  RequireSameLength(sizes, strides);
  const int64_t extent = StorageExtent(sizes, strides);
  const int64_t have = static_cast<int64_t>(impl_->storage->nbytes / itemsize());
  const bool far = extent == 0 ? offset > kMostOffset : offset > have || extent > have - offset;
  if (offset < 0 || far) {
    Fail(ErrorCode::kInvalidArgument,
         {"as_strided: sizes ", sizes, ", strides ", strides, " and storage offset ", offset,
          " reach beyond the storage, which has ", have, " elements"});
  }
  const int64_t numel = NumElements(sizes);
  TensorImpl* t = internal::NewAlias(impl_, static_cast<int>(sizes.size()));
  std::copy(sizes.begin(), sizes.end(), t->sizes());
  std::copy(strides.begin(), strides.end(), t->strides());
  t->offset = offset;
  t->numel = numel;
  internal::UpdateContiguity(t);
  return Tensor(t);
}

void Tensor::RequireAccess(int64_t rank) const {
  internal::RequireResolved(*this, "element access");
  if (is_host() && rank == dim()) {
    if (impl_->storage->data != nullptr || numel() == 0) return;
    Fail(ErrorCode::kDataDependent, {Describe(*this), " has no data"});
  }
  Fail(ErrorCode::kInvalidArgument,
       {"expected a tensor of ", rank, " dimensions on cpu, got ", Describe(*this)});
}

int64_t Tensor::OffsetOf(IntSpan position) const {
  RequireAccess(static_cast<int64_t>(position.size()));
  int64_t offset = 0;
  for (size_t i = 0; i < position.size(); ++i) {
    const int64_t n = sizes()[i], at = position[i] < 0 ? position[i] + n : position[i];
    if (at < 0 || at >= n) {
      Fail(ErrorCode::kOutOfRange, {"position ", position, " is out of range for sizes ", sizes()});
    }
    offset += at * strides()[i];
  }
  return offset;
}

namespace {

void RequireOneDevice(const TensorBase& self, const TensorBase& source, std::string_view op) {
  if (self.defined() && source.defined() && PlaceOfKey(self.key()) == PlaceOfKey(source.key()))
    return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"expected two tensors on one device, got ", Describe(self), " and ", Describe(source)});
}

}  // namespace

const Tensor& Tensor::set_(const Tensor& source) const {
  RequireOneDevice(*this, source, "set_");
  if (dtype() != source.dtype()) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_(): expected two tensors of one dtype, got ", dtype(), " and ", source.dtype()});
  }
  internal::ShareStorage(impl_, source.impl_);
  return *this;
}

void Tensor::set_data(const Tensor& source) const {
  RequireOneDevice(*this, source, "set_data");
  internal::ShareStorage(impl_, source.impl_);
}

void Tensor::FailDataType(DType asked) const {
  Fail(ErrorCode::kInvalidArgument, {"data<T>(): the tensor is ", dtype(), ", asked for ", asked});
}

std::string Describe(const TensorBase& t) {
  if (!t.defined()) return "undefined";
  const std::string kind = !t.is_strided()    ? std::string(Name(t.layout())) + " "
                           : t.is_quantized() ? "quantized "
                                              : "";
  return Join({kind, t.dtype(), t.sizes(), " on ", t.device().str()});
}

}  // namespace sy
