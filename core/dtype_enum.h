// The element types' numbers and sets of them, without the standard library.
//
//   DTypeMask m = kFloatingTypes | Bit(DType::kBool);
//
// For code that is compiled once per instruction set: an inline function of a standard header in
// it would be merged with the others' at link time. All other code includes core/dtype.h.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_CORE_DTYPE_ENUM_H_
#define SWITCHYARD_CORE_DTYPE_ENUM_H_

#include <stddef.h>
#include <stdint.h>

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

}  // namespace sy

#endif  // SWITCHYARD_CORE_DTYPE_ENUM_H_
