// Element types of tensors: names, sizes, categories, and the C++ type behind each.
//
//   DType d = DType::kBFloat16;
//   ItemSize(d) == 2;  Name(d) == "bfloat16";  IsFloating(d);
//   VisitDType<kFloatingTypes>(d, [](auto tag) { using T = typename decltype(tag)::type; … });
//
// Owns: nothing.
// Threads: any.
// Errors: ParseDType and VisitDType throw kInvalidArgument.
#ifndef SWITCHYARD_CORE_DTYPE_H_
#define SWITCHYARD_CORE_DTYPE_H_

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/core/half.h"
#include "switchyard/core/macros.h"

namespace sy {

// The order groups categories (bool, integers, floats, complex, 8-bit floats); it is not
// promotion's order.
enum class DType : uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex32,  // a pair of float16: storage, copies and promotion only
  kComplex64,
  kComplex128,
  kFloat8E4M3FN,
  kFloat8E5M2,
};
inline constexpr int kNumDTypes = 18;
// Keys give a dtype this many bits, so tables indexed by dtype have 64 entries.
inline constexpr int kDTypeBits = 6;
inline constexpr int kMaxDTypes = 1 << kDTypeBits;

// A set of dtypes, one bit each.
using DTypeMask = uint64_t;
constexpr DTypeMask Bit(DType d) { return DTypeMask{1} << static_cast<int>(d); }
template <class... D>
constexpr DTypeMask Mask(D... d) {
  return (DTypeMask{0} | ... | Bit(d));
}
inline constexpr DTypeMask kSignedTypes =
    Mask(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
// The integers every operator knows, and the wide unsigned ones that only some do.
inline constexpr DTypeMask kIntegerTypes = kSignedTypes | Bit(DType::kUInt8);
inline constexpr DTypeMask kWideUnsignedTypes =
    Mask(DType::kUInt16, DType::kUInt32, DType::kUInt64);
inline constexpr DTypeMask kHalfTypes = Mask(DType::kFloat16, DType::kBFloat16);
inline constexpr DTypeMask kFloatingTypes = kHalfTypes | Mask(DType::kFloat32, DType::kFloat64);
inline constexpr DTypeMask kComplexTypes =
    Mask(DType::kComplex64, DType::kComplex128);  // what operators compute in
inline constexpr DTypeMask kFloat8Types = Mask(DType::kFloat8E4M3FN, DType::kFloat8E5M2);
inline constexpr DTypeMask kAllTypes = (DTypeMask{1} << kNumDTypes) - 1;
// Stands for every dtype, present and future.
inline constexpr DTypeMask kAnyDType = ~DTypeMask{0};

constexpr bool Contains(DTypeMask mask, DType d) { return (mask >> static_cast<int>(d)) & 1; }
constexpr bool IsComplex(DType d) { return Contains(kComplexTypes | Bit(DType::kComplex32), d); }
constexpr bool IsFloating(DType d) { return Contains(kFloatingTypes | kFloat8Types, d); }
constexpr bool IsIntegral(DType d, bool include_bool) {
  return Contains(kIntegerTypes | kWideUnsignedTypes, d) || (include_bool && d == DType::kBool);
}
constexpr bool IsSigned(DType d) {
  return Contains(kSignedTypes | kFloatingTypes | kFloat8Types, d) || IsComplex(d);
}

inline constexpr uint8_t kItemSizes[kMaxDTypes] = {1, 1, 1, 2, 4, 8, 2,  4, 8,
                                                   2, 2, 4, 8, 4, 8, 16, 1, 1};
constexpr size_t ItemSize(DType d) { return kItemSizes[static_cast<int>(d)]; }

// "float32"; the field's own names, without a "torch." prefix.
SY_API std::string_view Name(DType d);
// Accepts "float32", "torch.float32" and the short forms "float", "double", "half", "long", "int",
// "short", "char", "byte". nullopt when unknown.
SY_API std::optional<DType> FindDType(std::string_view name);
SY_API DType ParseDType(std::string_view name);
// The numbers ATen's schemas use for dtypes in default values (`ScalarType? dtype=4`). nullopt when
// we lack it.
SY_API std::optional<DType> DTypeFromATen(int64_t code);

// The type of the real and imaginary parts; d itself when it is not complex.
constexpr DType RealType(DType d) {
  return d == DType::kComplex64    ? DType::kFloat32
         : d == DType::kComplex128 ? DType::kFloat64
         : d == DType::kComplex32  ? DType::kFloat16
                                   : d;
}
// The complex type with d's precision; d itself when it is complex.
constexpr DType ComplexType(DType d) {
  return IsComplex(d)           ? d
         : d == DType::kFloat64 ? DType::kComplex128
         : d == DType::kFloat16 ? DType::kComplex32
                                : DType::kComplex64;
}

// The type of results that must be floating when no input is. Process-wide; float32 until changed.
inline DType DefaultDType();
SY_API void SetDefaultDType(DType d);  // Errors: kInvalidArgument unless floating.

namespace internal {
extern SY_API std::atomic<DType> default_dtype;
}
inline DType DefaultDType() { return internal::default_dtype.load(std::memory_order_relaxed); }

template <class T>
struct DTypeTag {
  using type = T;
};

// DType of a C++ element type: DTypeOf<float> == DType::kFloat32.
template <class T>
inline constexpr DType DTypeOf = T::no_dtype_for_this_type;
#define SY_FORALL_DTYPES(X)            \
  X(bool, kBool)                       \
  X(uint8_t, kUInt8)                   \
  X(int8_t, kInt8)                     \
  X(int16_t, kInt16)                   \
  X(int32_t, kInt32)                   \
  X(int64_t, kInt64)                   \
  X(uint16_t, kUInt16)                 \
  X(uint32_t, kUInt32)                 \
  X(uint64_t, kUInt64)                 \
  X(Half, kFloat16)                    \
  X(BFloat16, kBFloat16)               \
  X(float, kFloat32)                   \
  X(double, kFloat64)                  \
  X(ComplexHalf, kComplex32)           \
  X(std::complex<float>, kComplex64)   \
  X(std::complex<double>, kComplex128) \
  X(Float8E4M3FN, kFloat8E4M3FN)       \
  X(Float8E5M2, kFloat8E5M2)
#define SY_DTYPE_OF(type, name) \
  template <>                   \
  inline constexpr DType DTypeOf<type> = DType::name;
SY_FORALL_DTYPES(SY_DTYPE_OF)
#undef SY_DTYPE_OF

[[noreturn]] SY_API SY_COLD void FailDTypeNotIn(DType d, DTypeMask allowed);

// Calls f(DTypeTag<T>{}) for the C++ type of d; only types in Allowed are instantiated, others are
// an error.
template <DTypeMask Allowed, class F>
decltype(auto) VisitDType(DType d, F&& f) {
  switch (d) {
#define SY_VISIT_CASE(type, name)                                             \
  case DType::name:                                                           \
    if constexpr (Contains(Allowed, DType::name)) return f(DTypeTag<type>{}); \
    break;
    SY_FORALL_DTYPES(SY_VISIT_CASE)
#undef SY_VISIT_CASE
  }
  FailDTypeNotIn(d, Allowed);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_DTYPE_H_
