#include "types.h"

#include <cstring>

namespace opencl {
namespace {

using sy::abi::Declined;
using sy::abi::DType;
using sy::abi::Scalar;
using sy::abi::Tensor;

constexpr Type kTypes[] = {
    {SY_BOOL, "bool", "uchar", "uchar", "uchar", Kind::kBool, 1},
    {SY_UINT8, "u8", "uchar", "uchar", "uchar", Kind::kUnsigned, 1},
    {SY_INT8, "i8", "char", "char", "uchar", Kind::kSigned, 1},
    {SY_INT16, "i16", "short", "short", "ushort", Kind::kSigned, 2},
    {SY_INT32, "i32", "int", "int", "uint", Kind::kSigned, 4},
    {SY_INT64, "i64", "long", "long", "ulong", Kind::kSigned, 8},
    {SY_UINT16, "u16", "ushort", "ushort", "ushort", Kind::kUnsigned, 2},
    {SY_UINT32, "u32", "uint", "uint", "uint", Kind::kUnsigned, 4},
    {SY_UINT64, "u64", "ulong", "ulong", "ulong", Kind::kUnsigned, 8},
    {SY_FLOAT16, "f16", "half", "float", "float", Kind::kFloat, 2},
    {SY_BFLOAT16, "bf16", "ushort", "float", "float", Kind::kFloat, 2},
    {SY_FLOAT32, "f32", "float", "float", "float", Kind::kFloat, 4},
    {SY_FLOAT64, "f64", "double", "double", "double", Kind::kFloat, 8},
};

constexpr Type kBits[] = {
    {SY_UINT8, "bits8", "uchar", "uchar", "uchar", Kind::kBits, 1},
    {SY_UINT16, "bits16", "ushort", "ushort", "ushort", Kind::kBits, 2},
    {SY_UINT32, "bits32", "uint", "uint", "uint", Kind::kBits, 4},
    {SY_UINT64, "bits64", "ulong", "ulong", "ulong", Kind::kBits, 8},
    {SY_COMPLEX128, "bits128", "ulong2", "ulong2", "ulong2", Kind::kBits, 16},
};

// FLOATING: float, then double. Outside the range of int or long: the smallest one, as x86-64's
// scalar conversions give, which the host follows.
constexpr const char* kFromFloat = R"cl(
static int OVERLOAD int_of(FLOATING x) {
  return x >= -0x1p31f && x < 0x1p31f ? (int)x : INT_MIN;
}
static long OVERLOAD long_of(FLOATING x) {
  return x >= -0x1p63f && x < 0x1p63f ? (long)x : LONG_MIN;
}
static ulong OVERLOAD ulong_of(FLOATING x) {
  return x >= 0x1p63f ? (ulong)long_of(x - 0x1p63f) ^ (1ul << 63) : (ulong)long_of(x);
}
)cl";

constexpr const char* kHalfHelpers = R"cl(
#define OVERLOAD __attribute__((overloadable))
static float round_bf16(float x) {  // to nearest, ties to even
  uint u = as_uint(x);
  return isnan(x) ? x : as_float((u + 0x7fff + ((u >> 16) & 1)) & 0xffff0000);
}
static float load_bf16(__global const ushort* p, ulong i) { return as_float((uint)p[i] << 16); }
static void store_bf16(__global ushort* p, ulong i, float x) {
  p[i] = isnan(x) ? 0x7fc0 : as_uint(round_bf16(x)) >> 16;
}
static float round_f16(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return vload_half(0, (const half*)&bits);
}
)cl";

template <class T>
Number Bytes(T value) {
  Number n;
  std::memcpy(n.bytes, &value, sizeof(value));
  n.size = sizeof(value);
  return n;
}

Number ValueOf(const Type& t, Scalar s) {
  switch (t.dtype) {
    case SY_BOOL:
      return Bytes<uint8_t>(s.is_floating() ? s.To<double>() != 0 : s.To<int64_t>() != 0);
    case SY_UINT8:
      return Bytes(static_cast<uint8_t>(s.To<int64_t>()));
    case SY_INT8:
      return Bytes(static_cast<int8_t>(s.To<int64_t>()));
    case SY_INT16:
      return Bytes(static_cast<int16_t>(s.To<int64_t>()));
    case SY_INT32:
      return Bytes(static_cast<int32_t>(s.To<int64_t>()));
    case SY_INT64:
      return Bytes(s.To<int64_t>());
    case SY_UINT16:
      return Bytes(static_cast<uint16_t>(s.To<int64_t>()));
    case SY_UINT32:
      return Bytes(static_cast<uint32_t>(s.To<int64_t>()));
    case SY_UINT64:
      return Bytes(s.To<uint64_t>());
    case SY_FLOAT64:
      return Bytes(s.To<double>());
    default:
      return Bytes(s.To<float>());
  }
}

}  // namespace

const Type& TypeOf(const Device& device, DType dtype) {
  if (dtype.code == SY_FLOAT64 && !device.has_double()) throw Declined();
  for (const Type& t : kTypes) {
    if (t.dtype == dtype.code) return t;
  }
  throw Declined();
}

uint32_t ItemSize(DType dtype) {
  for (const Type& t : kTypes) {
    if (t.dtype == dtype.code) return t.bytes;
  }
  switch (dtype.code) {
    case SY_FLOAT8_E4M3FN:
    case SY_FLOAT8_E5M2:
      return 1;
    case SY_COMPLEX32:
      return 4;
    case SY_COMPLEX64:
      return 8;
    case SY_COMPLEX128:
      return 16;
    default:
      throw Declined();
  }
}

const Type& BitsOf(DType dtype) {
  const uint32_t bytes = ItemSize(dtype);
  for (const Type& t : kBits) {
    if (t.bytes == bytes) return t;
  }
  throw Declined();
}

std::string Type::Load(const std::string& from, const std::string& at) const {
  if (dtype == SY_FLOAT16) return "vload_half(" + at + ", " + from + ")";
  if (dtype == SY_BFLOAT16) return "load_bf16(" + from + ", " + at + ")";
  return from + "[" + at + "]";
}

std::string Type::Store(const std::string& to, const std::string& at,
                        const std::string& value) const {
  if (dtype == SY_FLOAT16) return "vstore_half_rte(" + value + ", " + at + ", " + to + ")";
  if (dtype == SY_BFLOAT16) return "store_bf16(" + to + ", " + at + ", " + value + ")";
  if (kind == Kind::kBool) return to + "[" + at + "] = (" + value + ") != 0";
  return to + "[" + at + "] = " + value;
}

std::string Converted(const Type& from, const Type& to, const std::string& value) {
  if (from.dtype == to.dtype) return value;
  if (to.kind == Kind::kBool) return "(uchar)((" + value + ") != 0)";
  const std::string cast = "(" + std::string(to.value) + ")";
  if (!from.is_float() || to.is_float()) return cast + "(" + value + ")";
  const bool by_long = to.dtype == SY_UINT8 || to.dtype == SY_UINT32 || to.dtype == SY_INT64;
  const char* helper = to.dtype == SY_UINT64 ? "ulong_of" : by_long ? "long_of" : "int_of";
  return cast + helper + "(" + value + ")";
}

std::string Prelude(const Device& device) {
  // Sums of products round twice, as the host's do.
  std::string text = "#pragma OPENCL FP_CONTRACT OFF\n";
  text += kHalfHelpers;
  text += std::string("#define FLOATING float") + kFromFloat;
  if (device.has_double()) {
    text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#undef FLOATING\n";
    text += std::string("#define FLOATING double") + kFromFloat;
  }
  return text;
}

Number NumberOf(const Type& t, Scalar s) {
  Number n = ValueOf(t, s);
  n.type = &t;
  return n;
}

Scalar ReadHost(Tensor t) {
  SyValue v{SY_V_INT, 0, {}};
  switch (t.dtype().code) {
    case SY_FLOAT32:
    case SY_FLOAT64:
      v.tag = SY_V_DOUBLE;
      v.u.d = sy::abi::Load<double>(t, 0);
      break;
    default:
      v.u.i = sy::abi::Load<int64_t>(t, 0);
  }
  return Scalar(v);
}

}  // namespace opencl
