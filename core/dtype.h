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

#include "switchyard/core/dtype_enum.h"
#include "switchyard/core/half.h"
#include "switchyard/core/macros.h"

namespace sy {

// "float32"; the field's own names, without a "torch." prefix.
SY_API std::string_view Name(DType d);
// Accepts "float32", "torch.float32" and the short forms "float", "double", "half", "long", "int",
// "short", "char", "byte". nullopt when unknown.
SY_API std::optional<DType> FindDType(std::string_view name);
SY_API DType ParseDType(std::string_view name);
// The numbers ATen's schemas use for dtypes in default values (`ScalarType? dtype=4`). nullopt when
// we lack it.
SY_API std::optional<DType> DTypeFromATen(int64_t code);

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
