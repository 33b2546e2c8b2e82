// Makes self, for all who hold it, another view of the memory of `source`: with source's geometry,
// or with sizes, strides and an offset that count from source's first element, for which the memory
// grows where it is too short. Without a source self becomes empty, with memory of its own.
// set_data takes the dtype of new_data too. is_set_to says whether two tensors show the same memory
// in the same way.
//   source: self's dtype and device; with sizes: contiguous   →   self
// Errors: kInvalidArgument for another dtype or device, a source with gaps, sizes and strides of
// different lengths or below 0, and memory that was lent and is too short; kOutOfMemory.
// Example: sy::set_(x, y)
// Source: ATen set_, set_data, is_set_to.
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// The errors of tensors' own functions, with the operator's name.
template <class F>
void Named(Call call, F f) {
  try {
    f();
  } catch (const Error& e) {
    Fail(e.code(), call.op(), {e.reason()});
  }
}

void Set(Call call, const Tensor& self) {
  Named(call, [&] { self.set_(Tensor::Empty({0}, self.dtype(), self.device())); });
}
void SetSource(Call call, const Tensor& self, const Tensor& source) {
  Named(call, [&] { self.set_(source); });
}
void SetData(Call call, const Tensor& self, const Tensor& new_data) {
  Named(call, [&] { self.set_data(new_data); });
}

void SetSourceAt(Call call, const Tensor& self, const Tensor& source, int64_t storage_offset,
                 IntSpan size, IntSpan stride) {
  if (!source.is_contiguous() || storage_offset < 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a contiguous source and a storage_offset of at least 0, got sizes ",
          source.sizes(), ", strides ", source.strides(), " and ", storage_offset});
  }
  if (self.dtype() != source.dtype() || PlaceOfKey(self.key()) != PlaceOfKey(source.key())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a source of self's dtype and device, got ", Describe(self), " and ",
          Describe(source)});
  }
  Named(call, [&] {
    std::vector<int64_t> strides(stride.begin(), stride.end());
    if (stride.empty()) {
      strides.resize(size.size());
      ContiguousStrides(size, strides.data());
    }
    if (strides.size() != size.size()) {
      Fail(ErrorCode::kInvalidArgument,
           {"expected as many strides as sizes, got ", stride, " and ", size});
    }
    const int64_t extent = StorageExtent(size, strides);
    const int64_t offset = CheckedSum(call, "the offset", source.storage_offset(), storage_offset);
    const int64_t reach = extent == 0 ? 0 : CheckedSum(call, "the reach", offset, extent);
    internal::GrowStorage(
        source.impl()->storage,
        static_cast<size_t>(CheckedProduct(call, "the memory in bytes", reach,
                                           static_cast<int64_t>(source.itemsize()))),
        source.device().type, IndexOfKey(source.key()));
    self.set_(source.AsStrided(size, strides, offset));
  });
}

bool IsSetTo(Call, const Tensor& self, const Tensor& tensor) {
  if (!self.shares_storage_with(tensor)) return false;
  return self.storage_offset() == tensor.storage_offset() &&
         SameSizes(self.sizes(), tensor.sizes()) && SameSizes(self.strides(), tensor.strides());
}

}  // namespace

const Operator set_op{"set_(Tensor(a!) self) -> Tensor(a!)", KeyRule::kFirst,
                      Tags(OperatorTag::kInplaceView)};
const Composite set_body{"set_", Set};
const Operator set_source_op{"set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)",
                             KeyRule::kFirst, Tags(OperatorTag::kInplaceView)};
const Composite set_source_body{"set_.source_Tensor", SetSource};
const Operator set_source_at_op{
    "set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, "
    "SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kInplaceView)};
const Composite set_source_at_body{"set_.source_Tensor_storage_offset", SetSourceAt};
const Operator set_data_op{"set_data(Tensor(a!) self, Tensor new_data) -> ()", KeyRule::kFirst};
const Composite set_data_body{"set_data", SetData};
const Operator is_set_to_op{"is_set_to(Tensor self, Tensor tensor) -> bool", KeyRule::kFirst};
const Composite is_set_to_body{"is_set_to", IsSetTo};

}  // namespace sy
