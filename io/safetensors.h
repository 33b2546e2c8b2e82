// What safetensors' header calls dtypes, and in what order its writer lays tensors out.
// Source: huggingface/safetensors, safetensors/src/tensor.rs.
#ifndef IO_SAFETENSORS_H_
#define IO_SAFETENSORS_H_

#include <array>
#include <optional>
#include <string_view>

#include "switchyard/core/dtype.h"

namespace sy::io {

struct SafetensorsType {
  std::string_view name;
  int bits;
  std::optional<DType> dtype;
};

// As the writer sorts tensors, by this and then by name.
inline constexpr std::array kSafetensorsTypes = {
    SafetensorsType{"U64", 64, DType::kUInt64},
    SafetensorsType{"I64", 64, DType::kInt64},
    SafetensorsType{"F64", 64, DType::kFloat64},
    SafetensorsType{"C64", 64, DType::kComplex64},
    SafetensorsType{"F32", 32, DType::kFloat32},
    SafetensorsType{"U32", 32, DType::kUInt32},
    SafetensorsType{"I32", 32, DType::kInt32},
    SafetensorsType{"BF16", 16, DType::kBFloat16},
    SafetensorsType{"F16", 16, DType::kFloat16},
    SafetensorsType{"U16", 16, DType::kUInt16},
    SafetensorsType{"I16", 16, DType::kInt16},
    SafetensorsType{"F8_E8M0", 8, {}},
    SafetensorsType{"F8_E4M3", 8, DType::kFloat8E4M3FN},
    SafetensorsType{"F8_E5M2", 8, DType::kFloat8E5M2},
    SafetensorsType{"I8", 8, DType::kInt8},
    SafetensorsType{"U8", 8, DType::kUInt8},
    SafetensorsType{"F6_E3M2", 6, {}},
    SafetensorsType{"F6_E2M3", 6, {}},
    SafetensorsType{"F4", 4, {}},
    SafetensorsType{"BOOL", 8, DType::kBool},
};

// The header's length is a little-endian number of so many bytes before it.
inline constexpr size_t kSafetensorsLength = 8;
// The official reader's limit, in bytes.
inline constexpr uint64_t kSafetensorsMostHeader = 100'000'000;

}  // namespace sy::io

#endif  // IO_SAFETENSORS_H_
