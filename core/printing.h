// Tensors as text, in the form that Python's print gives them.
//
//   std::cout << t;                                  // tensor([[1., 2.],
//   ToString(t, {.precision = 2, .edgeitems = 1});   //         [3., 4.]])
//   set_printoptions("short");                       // what << goes by from now on
//   std::cout << t.sizes() << t.dtype() << t.device();   // [2, 2]float32cpu
//
// Numbers share a width; floating ones are written with `precision` digits, without a fraction
// where all are whole, or with exponents where they differ much in size. Tensors of more than
// `threshold` elements show `edgeitems` at each end of a dimension. What the text does not show is
// named behind it: dtype, device, the size of empty tensors. Tensors elsewhere are fetched first;
// meta tensors show no elements.
// Source: torch/_tensor_str.py of PyTorch 2.11.
// Owns: the options of the process.
// Threads: any, while nobody writes the tensor.
// Errors: as the device's copies.
#ifndef SWITCHYARD_CORE_PRINTING_H_
#define SWITCHYARD_CORE_PRINTING_H_

#include <atomic>
#include <concepts>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "switchyard/core/tensor.h"

namespace sy {

struct PrintOptions {
  int precision = 4;                  // digits after the point
  int64_t threshold = 1000;           // elements beyond which a tensor is summarised
  int64_t edgeitems = 3;              // shown at each end of a dimension when it is
  int64_t linewidth = 80;             // characters
  std::optional<bool> sci_mode = {};  // exponents always, never, or where they are needed
};

// What << and ToString without options go by, for the whole process; those above until set. To
// change one of them:
//
//   PrintOptions options = get_printoptions();
//   options.precision = 2;
//   set_printoptions(options);
//
// Errors: kInvalidArgument for a number below 0.
SY_API void set_printoptions(const PrintOptions& options);
SY_API PrintOptions get_printoptions();
namespace internal {
SY_API void SetPrintProfile(std::string_view name);
// What a layer has to say of a tensor behind all else, "requires_grad=True", or ""; null: nothing.
extern SY_API std::atomic<std::string (*)(const Tensor&)> more_to_print;
}  // namespace internal
// By the name of a profile: "default", "short" (2 digits, 2 elements at each end) or "full"
// (nothing is left out). Errors: kInvalidArgument for another name.
template <std::convertible_to<std::string_view> S>
void set_printoptions(const S& profile) {
  internal::SetPrintProfile(profile);
}

// The tensor as text, of several lines where it has several dimensions. Undefined ones:
// "tensor(undefined)"; large ones are cut short as options say.
SY_API std::string ToString(const Tensor& t, const PrintOptions& options);
SY_API std::string ToString(const Tensor& t);
SY_API std::ostream& operator<<(std::ostream& out, const Tensor& t);

// "[2, 3]", "float32", "cuda:0", "strided", "contiguous_format"; numbers as Python prints them.
SY_API std::ostream& operator<<(std::ostream& out, const Sizes& s);
SY_API std::ostream& operator<<(std::ostream& out, DType d);
SY_API std::ostream& operator<<(std::ostream& out, DeviceType d);
SY_API std::ostream& operator<<(std::ostream& out, Layout l);
SY_API std::ostream& operator<<(std::ostream& out, MemoryFormat f);
// Of these themselves, not of what merely converts to them.
namespace internal {
SY_API std::ostream& Write(std::ostream& out, Device d);
SY_API std::ostream& Write(std::ostream& out, const Scalar& s);
}  // namespace internal
template <class T>
requires(std::same_as<T, Device> || std::same_as<T, Scalar>) std::ostream& operator<<(
    std::ostream& out, const T& value) {
  return internal::Write(out, value);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_PRINTING_H_
