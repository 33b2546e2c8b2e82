#include "switchyard/core/dtype.h"

#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "switchyard/core/dtype_names.h"
#include "switchyard/core/error.h"

namespace sy {
namespace {

constexpr std::array<std::string_view, kNumDTypes> kNames = {
    "bool",    "uint8",     "int8",      "int16",      "int32",         "int64",
    "uint16",  "uint32",    "uint64",    "float16",    "bfloat16",      "float32",
    "float64", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2"};

constexpr std::pair<std::string_view, DType> kAliases[] = {
    {"float", DType::kFloat32},    {"double", DType::kFloat64},     {"half", DType::kFloat16},
    {"long", DType::kInt64},       {"int", DType::kInt32},          {"short", DType::kInt16},
    {"char", DType::kInt8},        {"byte", DType::kUInt8},         {"chalf", DType::kComplex32},
    {"cfloat", DType::kComplex64}, {"cdouble", DType::kComplex128}, {"quint8", DType::kUInt8},
    {"qint8", DType::kInt8},       {"qint32", DType::kInt32}};

}  // namespace

constinit std::atomic<DType> internal::default_dtype{DType::kFloat32};

std::string_view Name(DType d) { return kNames[static_cast<size_t>(d)]; }

std::string DTypeNames(DTypeMask dtypes, std::string_view between) {
  std::string names;
  for (int i = 0; i < kNumDTypes; ++i) {
    if (!Contains(dtypes, static_cast<DType>(i))) continue;
    if (!names.empty()) names += between;
    names += kNames[i];
  }
  return names;
}

std::optional<DType> FindDType(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (int i = 0; i < kNumDTypes; ++i) {
    if (kNames[i] == name) return static_cast<DType>(i);
  }
  for (const auto& [alias, dtype] : kAliases) {
    if (alias == name) return dtype;
  }
  return std::nullopt;
}

DType ParseDType(std::string_view name) {
  if (auto d = FindDType(name)) return *d;
  Fail(ErrorCode::kInvalidArgument,
       {"unknown dtype '", name, "'; expected one of ", DTypeNames(kAnyDType)});
}

std::optional<DType> DTypeFromATen(int64_t code) {
  // c10/core/ScalarType.h, in its order; entries we lack (quantised types and the like) are -1.
  constexpr int8_t kNone = -1;
  constexpr auto k = [](DType d) { return static_cast<int8_t>(d); };
  static constexpr int8_t kCodes[] = {k(DType::kUInt8),
                                      k(DType::kInt8),
                                      k(DType::kInt16),
                                      k(DType::kInt32),
                                      k(DType::kInt64),
                                      k(DType::kFloat16),
                                      k(DType::kFloat32),
                                      k(DType::kFloat64),
                                      k(DType::kComplex32),
                                      k(DType::kComplex64),
                                      k(DType::kComplex128),
                                      k(DType::kBool),
                                      kNone,
                                      kNone,
                                      kNone,
                                      k(DType::kBFloat16),
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone,
                                      k(DType::kFloat8E5M2),
                                      k(DType::kFloat8E4M3FN),
                                      kNone,
                                      kNone,
                                      k(DType::kUInt16),
                                      k(DType::kUInt32),
                                      k(DType::kUInt64)};
  if (code < 0 || code >= static_cast<int64_t>(std::size(kCodes)) || kCodes[code] == kNone)
    return std::nullopt;
  return static_cast<DType>(kCodes[code]);
}

void SetDefaultDType(DType d) {
  if (!Contains(kFloatingTypes, d)) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_default_dtype(): expected a floating point dtype, got ", d});
  }
  internal::default_dtype.store(d, std::memory_order_relaxed);
}

void FailDTypeNotIn(DType d, DTypeMask allowed) {
  Fail(ErrorCode::kNotImplemented,
       {"not implemented for ", d, "; expected one of ", DTypeNames(allowed)});
}

}  // namespace sy
