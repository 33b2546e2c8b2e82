// What PyTorch calls dtypes and typed storages.
// Source: torch/storage.py (_dtype_to_storage_type_map); NumPy has no part in this.
#ifndef IO_TORCH_TYPES_H_
#define IO_TORCH_TYPES_H_

#include <array>
#include <string_view>

#include "switchyard/core/dtype.h"

namespace sy::io {

struct TorchStorage {
  std::string_view name;
  DType dtype;
};
// Other dtypes lie in an UntypedStorage, and tensors say which.
inline constexpr std::array kTorchStorages = {
    TorchStorage{"BoolStorage", DType::kBool},
    TorchStorage{"ByteStorage", DType::kUInt8},
    TorchStorage{"CharStorage", DType::kInt8},
    TorchStorage{"ShortStorage", DType::kInt16},
    TorchStorage{"IntStorage", DType::kInt32},
    TorchStorage{"LongStorage", DType::kInt64},
    TorchStorage{"HalfStorage", DType::kFloat16},
    TorchStorage{"BFloat16Storage", DType::kBFloat16},
    TorchStorage{"FloatStorage", DType::kFloat32},
    TorchStorage{"DoubleStorage", DType::kFloat64},
    TorchStorage{"ComplexFloatStorage", DType::kComplex64},
    TorchStorage{"ComplexDoubleStorage", DType::kComplex128},
};

}  // namespace sy::io

#endif  // IO_TORCH_TYPES_H_
