// Tensors of device memory that the program has.

#include <utility>
#include <vector>

#include "backends/cuda/memory.h"
#include "backends/cuda/runtime/borrowed.h"
#include "backends/cuda/runtime/device_state.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"

namespace sy::cuda {
namespace {

constexpr const char* kName = "cuda::FromBlob";

// Where the driver knows of memory that has them; it lies on another device, or is not the device's
// alone, where it says so.
void RequireBytes(const DeviceState& device, void* data, size_t bytes) {
  const auto address = reinterpret_cast<CUdeviceptr>(data);
  const InUse on = device.Use();
  int where = -1;
  if (Driver().PointerGetAttribute(&where, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) !=
      CUDA_SUCCESS) {
    Fail(ErrorCode::kInvalidArgument, kName,
         {"data is no memory of a cuda device: expected some of ", device.device().str()});
  }
  if (where != device.index()) {
    Fail(ErrorCode::kInvalidArgument, kName,
         {"data lies on cuda:", where, ": expected ", device.device().str()});
  }
  CUdeviceptr start = 0;
  size_t size = 0;
  if (Driver().PointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) !=
          CUDA_SUCCESS ||
      Driver().PointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS)
    return;  // memory whose extent the driver does not know
  if (const size_t there = size - static_cast<size_t>(address - start); there < bytes) {
    Fail(ErrorCode::kInvalidArgument, kName,
         {"data has ", there, " bytes: expected ", bytes, " for these sizes and strides"});
  }
}

}  // namespace

Tensor FromBlob(void* data, IntSpan sizes, IntSpan strides, DType dtype, int device_index,
                std::function<void()> deleter) {
  DeviceState& device = DeviceState::Of(device_index);
  if (sizes.size() != strides.size()) {
    Fail(ErrorCode::kInvalidArgument, kName,
         {"strides ", strides, " for sizes ", sizes, ": expected as many"});
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0 && strides[i] >= 0) continue;
    Fail(ErrorCode::kInvalidArgument, kName,
         {"sizes ", sizes, " and strides ", strides, ": expected none below 0"});
  }
  const auto item = static_cast<int64_t>(ItemSize(dtype));
  const auto bytes = static_cast<size_t>(
      CheckedProduct(kName, "the tensor in bytes", StorageExtent(sizes, strides), item));
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(item) != 0) {
    Fail(ErrorCode::kInvalidArgument, kName,
         {"data is no multiple of ", item, ", the bytes of an element of ", dtype});
  }
  if (bytes != 0) RequireBytes(device, data, bytes);
  const KeyWord key = MakeKey(CudaRow(), dtype, device_index);
  const Tensor t(internal::NewWithoutBytes(key, sizes, strides));
  StorageImpl& s = t.impl()->own;
  const Allocation lent = BorrowedMemory().Take(data, device, std::move(deleter));
  s.data = lent.data;
  s.context = lent.context;
  s.allocator = &BorrowedMemory();
  s.nbytes = bytes;
  return t;
}

Tensor FromBlob(void* data, IntSpan sizes, DType dtype, int device_index,
                std::function<void()> deleter) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  return FromBlob(data, sizes, strides, dtype, device_index, std::move(deleter));
}

}  // namespace sy::cuda
