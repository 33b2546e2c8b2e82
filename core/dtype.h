// Element types of tensors: names, sizes, categories, and the C++ type behind each.
//
//   DType d = DType::kBFloat16;
//   ItemSize(d) == 2;  Name(d) == "bfloat16";  IsFloating(d);
//   VisitDType<kFloatingTypes>(d, [](auto tag) { using T = typename decltype(tag)::type; … });
//
// What is known without a name, sizes, categories and sets, is in core/dtype_enum.h. ATen calls a
// dtype ScalarType, and numbers them otherwise.
// Owns: nothing.
// Threads: any.
// Errors: ParseDType throws kInvalidArgument, VisitDType kNotImplemented.
#ifndef SWITCHYARD_CORE_DTYPE_H_
#define SWITCHYARD_CORE_DTYPE_H_

#include <atomic>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/core/dtype_enum.h"
#include "switchyard/core/half.h"
#include "switchyard/core/macros.h"

namespace sy {

// "float32"; the field's own names, without a "torch." prefix. Lives for the process.
SY_API std::string_view Name(DType d);
// Accepts "float32", "torch.float32" and the short forms "float", "double", "half", "long", "int",
// "short", "char", "byte", "chalf", "cfloat", "cdouble". nullopt when unknown.
SY_API std::optional<DType> FindDType(std::string_view name);
// The same. Errors: kInvalidArgument for what FindDType does not know, listing all names.
SY_API DType ParseDType(std::string_view name);
// The numbers ATen's schemas use for dtypes in default values (`ScalarType? dtype=4`). nullopt when
// we lack it.
SY_API std::optional<DType> DTypeFromATen(int64_t code);

// The type of results that must be floating when no input is. Process-wide; float32 until changed.
// Calls that run while it is set may see either.
inline DType DefaultDType();
SY_API void SetDefaultDType(DType d);  // Errors: kInvalidArgument unless floating.

namespace internal {
extern SY_API std::atomic<DType> default_dtype;
}
inline DType DefaultDType() { return internal::default_dtype.load(std::memory_order_relaxed); }

// What VisitDType calls with: an empty object that carries a type.
template <class T>
struct DTypeTag {
  using type = T;
};

// DType of a C++ element type: DTypeOf<float> == DType::kFloat32. For other types it does not
// compile: long long and char have none.
template <class T>
inline constexpr DType DTypeOf = T::no_dtype_for_this_type;
// X(C++ type, enumerator) for each dtype, in the order of the enum.
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

#define SY_IS_ELEMENT(type, name) std::same_as<T, type> ||
// The C++ types of elements: what Tensor::at, accessor and FromBlob take.
template <class T>
concept ElementType = SY_FORALL_DTYPES(SY_IS_ELEMENT)
false;
#undef SY_IS_ELEMENT

// kNotImplemented, naming d and what is allowed.
[[noreturn]] SY_API SY_COLD void FailDTypeNotIn(DType d, DTypeMask allowed);

// Calls f(DTypeTag<T>{}) for the C++ type of d; only types in Allowed are instantiated, others are
// an error (kNotImplemented). Returns what f returns, which is of one type for all.
// Cost: one jump; the code of f once for each type in Allowed.
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
