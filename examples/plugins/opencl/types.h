// Element types as OpenCL C has them, and the text that loads, converts and stores them.
//
//   const Type& t = TypeOf(device, dtype);       Declined for those that it does not have
//   t.Load("a", "i")                             "vload_half(i, a)" for float16
//   t.Store("out", "i", Converted(from, t, "x"))
//
// An element in memory has the storage type, in registers the value type: float16 and bfloat16
// compute in float, bool is a byte that holds 0 or 1.
// Threads: any.
#ifndef OPENCL_TYPES_H_
#define OPENCL_TYPES_H_

#include <string>

#include "device.h"
#include "switchyard/c/plugin.hpp"

namespace opencl {

enum class Kind { kBool, kSigned, kUnsigned, kFloat, kBits };

struct Type {
  uint32_t dtype;
  const char* name;      // in keys and in names of helper functions
  const char* storage;   // in memory
  const char* value;     // in registers
  const char* wrapping;  // for sums and products: integers without undefined overflow
  Kind kind;
  uint32_t bytes;

  bool is_float() const { return kind == Kind::kFloat; }
  // float16 and bfloat16, which round when they are stored.
  bool is_half() const { return dtype == SY_FLOAT16 || dtype == SY_BFLOAT16; }
  std::string Load(const std::string& from, const std::string& at) const;
  // value: an expression of the value type.
  std::string Store(const std::string& to, const std::string& at, const std::string& value) const;
};

constexpr uint64_t kBool = SY_BIT(SY_BOOL);
constexpr uint64_t kIntegers =
    SY_BIT(SY_UINT8) | SY_BIT(SY_INT8) | SY_BIT(SY_INT16) | SY_BIT(SY_INT32) | SY_BIT(SY_INT64);
constexpr uint64_t kWideUnsigned = SY_BIT(SY_UINT16) | SY_BIT(SY_UINT32) | SY_BIT(SY_UINT64);
constexpr uint64_t kHalves = SY_BIT(SY_FLOAT16) | SY_BIT(SY_BFLOAT16);
constexpr uint64_t kFloats = kHalves | SY_BIT(SY_FLOAT32) | SY_BIT(SY_FLOAT64);

// Throws Declined for dtypes that OpenCL 1.2, or this device, lacks.
const Type& TypeOf(const Device& device, sy::abi::DType dtype);
// Elements that are only moved, by their size; Declined where OpenCL has no integer of that size.
const Type& BitsOf(sy::abi::DType dtype);
// Bytes of an element of any dtype of the ABI; Declined for unknown ones.
uint32_t ItemSize(sy::abi::DType dtype);

// An expression of `to`'s value type with the value of one of `from`'s. Floats outside an integer's
// range become what the host makes of them.
std::string Converted(const Type& from, const Type& to, const std::string& value);

// Helper functions that the text above uses, for the head of every program.
std::string Prelude(const Device& device);

// A number of the host as a kernel's argument.
struct Number {
  const Type* type = nullptr;
  alignas(16) unsigned char bytes[16] = {};
  uint32_t size = 0;
};
// In t's value type. Halves are rounded by the kernel.
Number NumberOf(const Type& t, sy::abi::Scalar s);
// The number in a tensor of the host with one element; Declined for dtypes that numbers do not
// have.
sy::abi::Scalar ReadHost(sy::abi::Tensor t);

}  // namespace opencl

#endif  // OPENCL_TYPES_H_
