// Scalar: one number of any kind, as passed to operators; and its checked conversion to element
// types.
//
//   Scalar s = 2;  s.kind() == Scalar::kInt;  s.To<float>() == 2.0f;
//   Scalar(300).Fits(DType::kUInt8) == false;
//
// Trivially copyable, 24 bytes. A float becomes a double, exactly; an unsigned number that int64
// holds becomes an int.
//
// What fits (Fits, CheckedTo), x: it does:
//
//             bool  uint8  int64  float16  float32  complex64  float8_e4m3fn
//   300        x            x        x        x         x           x
//   -1         x      x     x        x        x         x           x
//   2.5        x      x     x        x        x         x           x
//   255.5      x            x        x        x         x           x
//   1e5        x            x                 x         x
//   inf        x                     x        x         x
//   nan        x                     x        x         x           x
//   2j         x                                        x
// Owns: nothing.
// Threads: any.
// Errors: CheckedTo throws kInvalidArgument when the value does not fit.
// Source: kinds and conversions follow c10::Scalar.
#ifndef SWITCHYARD_CORE_SCALAR_H_
#define SWITCHYARD_CORE_SCALAR_H_

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "switchyard/core/dtype.h"
#include "switchyard/core/macros.h"

namespace sy {

class Scalar {
 public:
  // kUInt: from 2^63 on, where the 64 bits of int_ are those of the unsigned number.
  enum Kind : uint8_t { kBool, kInt, kUInt /* past int64 */, kDouble, kComplex };

  // The integer 0.
  constexpr Scalar() : Scalar(int64_t{0}) {}
  // True or False: promotes as bool.
  template <std::same_as<bool> T>  // a template, so that pointers do not become numbers
  constexpr Scalar(T b) : kind_(kBool), int_(b) {}
  // Any integer type of up to 64 bits, by value.
  template <std::integral T>
  requires(!std::same_as<T, bool>) constexpr Scalar(T i)
      : kind_(std::is_unsigned_v<T> && static_cast<int64_t>(i) < 0 ? kUInt : kInt),
        int_(static_cast<int64_t>(i)) {}
  // A float, exactly; and complex numbers, in double.
  constexpr Scalar(double d) : kind_(kDouble), double_(d) {}
  constexpr Scalar(float d) : Scalar(static_cast<double>(d)) {}
  constexpr Scalar(std::complex<double> c) : kind_(kComplex), complex_{c.real(), c.imag()} {}
  constexpr Scalar(std::complex<float> c) : Scalar(std::complex<double>(c)) {}

  // What it was made of, which decides how it promotes (promotion.h).
  constexpr Kind kind() const { return kind_; }
  // By the kind, not by the value: 1 + 0i is complex.
  constexpr bool is_complex() const { return kind_ == kComplex; }
  constexpr bool is_floating() const { return kind_ == kDouble; }
  // include_bool: as ATen's isIntegral, whether bool counts.
  constexpr bool is_integral(bool include_bool) const {
    return kind_ == kInt || kind_ == kUInt || (include_bool && kind_ == kBool);
  }
  // The dtype of the 0-dim tensor this number stands for: bool, int64, uint64, float64, complex128.
  constexpr DType dtype() const {
    constexpr DType kTypes[] = {DType::kBool, DType::kInt64, DType::kUInt64, DType::kFloat64,
                                DType::kComplex128};
    return kTypes[kind_];
  }
  // -0 is 0, NaN is not; complex: both parts.
  constexpr bool is_zero() const {
    return kind_ == kDouble    ? double_ == 0
           : kind_ == kComplex ? complex_[0] == 0 && complex_[1] == 0
                               : int_ == 0;
  }
  // The factor that need not be multiplied by.
  constexpr bool is_one() const {
    return kind_ == kDouble    ? double_ == 1
           : kind_ == kComplex ? complex_[0] == 1 && complex_[1] == 0
                               : int_ == 1;
  }

  const double* complex_data() const { return complex_; }  // {re, im}, when is_complex()

  // The real part; integers wrap and floating values truncate as a C++ conversion does. T: any
  // element type.
  template <class T>
  constexpr T To() const {
    if constexpr (requires { typename T::value_type; }) {  // complex
      using R = typename T::value_type;
      return kind_ == kComplex ? T(static_cast<R>(complex_[0]), static_cast<R>(complex_[1]))
                               : T(To<R>(), 0);
    } else if constexpr (std::is_same_v<T, ComplexHalf>) {
      return ComplexHalf(To<std::complex<float>>());
    } else if constexpr (std::is_same_v<T, bool>) {
      return !is_zero();
    } else if constexpr (!std::is_arithmetic_v<T>) {  // 16- and 8-bit floats
      return T(To<float>());
    } else {
      switch (kind_) {
        case kDouble:
          return FromDouble<T>(double_);
        case kComplex:
          return FromDouble<T>(complex_[0]);
        case kUInt:
          return static_cast<T>(static_cast<uint64_t>(int_));
        default:
          return static_cast<T>(int_);
      }
    }
  }
  // As To, but refuses values that the dtype cannot hold: out of range, a fraction lost to an
  // integer is fine (ATen truncates), an imaginary part is not.
  // Errors: kInvalidArgument, "the number 300 does not fit uint8".
  template <class T>
  T CheckedTo() const {
    if (!Fits(DTypeOf<T>)) FailConversion(DTypeOf<T>);
    return To<T>();
  }
  // What CheckedTo asks. NaN fits every float, an infinity every one but float8_e4m3fn, which has
  // none. Negative integers fit unsigned dtypes as their two's complement, as in ATen: -1 fits
  // uint8. bool takes everything.
  SY_API bool Fits(DType d) const;
  // For messages; digits that read back as the same double.
  SY_API std::string str() const;  // as Python prints it: "True", "2", "0.5", "(1+2j)"
  friend SY_API bool operator==(const Scalar& a,
                                const Scalar& b);  // same kind and value; NaN equals NaN

 private:
  // As x86's instructions convert, also where C++ leaves it undefined.
  template <class T>
  static constexpr T FromDouble(double d) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(d);
    } else if constexpr (std::is_same_v<T, uint64_t>) {
      return d >= 0x1p63 ? static_cast<uint64_t>(Int64(d - 0x1p63)) ^ (uint64_t{1} << 63)
                         : static_cast<uint64_t>(Int64(d));
    } else {
      return static_cast<T>(Int64(d));
    }
  }
  // Out of range and NaN give what x86's conversion instruction gives.
  static constexpr int64_t Int64(double d) {
    return d >= -0x1p63 && d < 0x1p63 ? static_cast<int64_t>(d) : INT64_MIN;
  }
  [[noreturn]] SY_API SY_COLD void FailConversion(DType d) const;

  Kind kind_;
  union {
    int64_t int_;
    double double_;
    double complex_[2];
  };
};
static_assert(std::is_trivially_copyable_v<Scalar> && sizeof(Scalar) == 24);

}  // namespace sy

#endif  // SWITCHYARD_CORE_SCALAR_H_
