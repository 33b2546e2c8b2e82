// The element types' numbers and sets of them, without the standard library.
//
//   DTypeMask m = kFloatingTypes | Bit(DType::kBool);
//
// For code that is compiled once per instruction set: an inline function of a standard header in
// it would be merged with the others' at link time. All other code includes core/dtype.h.
//
// All dtypes, by the number that a DType has here:
//
//        Name()          bytes  C++ type               ATen's number  computed in
//    0   bool              1    bool                        11        integers 0 and 1
//    1   uint8             1    uint8_t                      0        itself
//    2   int8              1    int8_t                       1        itself
//    3   int16             2    int16_t                      2        itself
//    4   int32             4    int32_t                      3        itself
//    5   int64             8    int64_t                      4        itself
//    6   uint16            2    uint16_t                    27        itself, where served
//    7   uint32            4    uint32_t                    28        itself, where served
//    8   uint64            8    uint64_t                    29        itself, where served
//    9   float16           2    Half                         5        float32
//   10   bfloat16          2    BFloat16                    15        float32
//   11   float32           4    float                        6        itself
//   12   float64           8    double                       7        itself
//   13   complex32         4    ComplexHalf                  8        complex64, where served
//   14   complex64         8    std::complex<float>          9        itself
//   15   complex128       16    std::complex<double>        10        itself
//   16   float8_e4m3fn     1    Float8E4M3FN                24        float32, where served
//   17   float8_e5m2       1    Float8E5M2                  23        float32, where served
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_DTYPE_ENUM_H_
#define SWITCHYARD_CORE_DTYPE_ENUM_H_

#include <stddef.h>
#include <stdint.h>

namespace sy {

// The order groups categories (bool, integers, floats, complex, 8-bit floats); it is not
// promotion's order.
enum class DType : uint8_t {
  // 1 byte, 0 or 1.
  kBool,
  // Integers that every operator knows, 1 to 8 bytes.
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  // Unsigned ones that few operators know, as in ATen.
  kUInt16,
  kUInt32,
  kUInt64,
  // Floats; the 16-bit ones are stored so and computed in float32.
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex32,  // a pair of float16: storage, copies and promotion only
  kComplex64,  // pairs of float32, of float64
  kComplex128,
  kFloat8E4M3FN,
  kFloat8E5M2,
};
inline constexpr int kNumDTypes = 18;
// Keys give a dtype this many bits, so tables indexed by dtype have 64 entries. kMaxDTypes bounds
// what a later dtype may have as number.
inline constexpr int kDTypeBits = 6;
inline constexpr int kMaxDTypes = 1 << kDTypeBits;

// A set of dtypes, one bit each: Mask(DType::kInt8, DType::kInt16), kFloatingTypes | Bit(…).
using DTypeMask = uint64_t;
constexpr DTypeMask Bit(DType d) { return DTypeMask{1} << static_cast<int>(d); }
template <class... D>
constexpr DTypeMask Mask(D... d) {
  return (DTypeMask{0} | ... | Bit(d));
}
// Signed integers.
inline constexpr DTypeMask kSignedTypes =
    Mask(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
// The integers every operator knows, and the wide unsigned ones that only some do.
inline constexpr DTypeMask kIntegerTypes = kSignedTypes | Bit(DType::kUInt8);
inline constexpr DTypeMask kWideUnsignedTypes =
    Mask(DType::kUInt16, DType::kUInt32, DType::kUInt64);
inline constexpr DTypeMask kHalfTypes = Mask(DType::kFloat16, DType::kBFloat16);
// Floats that operators compute with; the 8-bit ones are for storage and are not among them.
inline constexpr DTypeMask kFloatingTypes = kHalfTypes | Mask(DType::kFloat32, DType::kFloat64);
inline constexpr DTypeMask kComplexTypes =
    Mask(DType::kComplex64, DType::kComplex128);  // what operators compute in
inline constexpr DTypeMask kFloat8Types = Mask(DType::kFloat8E4M3FN, DType::kFloat8E5M2);
// Every dtype of the enum.
inline constexpr DTypeMask kAllTypes = (DTypeMask{1} << kNumDTypes) - 1;
// Stands for every dtype, present and future.
inline constexpr DTypeMask kAnyDType = ~DTypeMask{0};

// d: a dtype of the enum, or a number up to kMaxDTypes - 1.
constexpr bool Contains(DTypeMask mask, DType d) { return (mask >> static_cast<int>(d)) & 1; }
// complex32 too, though operators do not compute in it.
constexpr bool IsComplex(DType d) { return Contains(kComplexTypes | Bit(DType::kComplex32), d); }
// 8-bit floats too; complex types not.
constexpr bool IsFloating(DType d) { return Contains(kFloatingTypes | kFloat8Types, d); }
// ATen's isIntegralType, which takes the same flag.
constexpr bool IsIntegral(DType d, bool include_bool) {
  return Contains(kIntegerTypes | kWideUnsignedTypes, d) || (include_bool && d == DType::kBool);
}
// Whether there are numbers below 0; not of bool.
constexpr bool IsSigned(DType d) {
  return Contains(kSignedTypes | kFloatingTypes | kFloat8Types, d) || IsComplex(d);
}

// Bytes of an element, in the order of the enum.
inline constexpr uint8_t kItemSizes[kMaxDTypes] = {1, 1, 1, 2, 4, 8, 2,  4, 8,
                                                   2, 2, 4, 8, 4, 8, 16, 1, 1};
// In bytes: 1 … 16.
constexpr size_t ItemSize(DType d) { return kItemSizes[static_cast<int>(d)]; }

// The type of the real and imaginary parts; d itself when it is not complex.
constexpr DType RealType(DType d) {
  return d == DType::kComplex64    ? DType::kFloat32
         : d == DType::kComplex128 ? DType::kFloat64
         : d == DType::kComplex32  ? DType::kFloat16
                                   : d;
}
// The complex type with d's precision; d itself when it is complex. complex64 for what has none, as
// bfloat16 and integers.
constexpr DType ComplexType(DType d) {
  return IsComplex(d)           ? d
         : d == DType::kFloat64 ? DType::kComplex128
         : d == DType::kFloat16 ? DType::kComplex32
                                : DType::kComplex64;
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_DTYPE_ENUM_H_
