#include "backends/cuda/plan/types.h"

#include <cstring>

namespace sy::cuda {

std::string ElementName(DType d) {
  constexpr const char* kNames[kNumDTypes] = {
      "Bool",         "unsigned char",  "signed char", "short",         "int",
      "Int64",        "unsigned short", "unsigned",    "UInt64",        "Float16",
      "BFloat16",     "float",          "double",      "Pair<Float16>", "Pair<float>",
      "Pair<double>", "Float8E4M3FN",   "Float8E5M2"};
  return kNames[static_cast<int>(d)];
}

std::string BitsName(size_t bytes) {
  return bytes == 1   ? "unsigned char"
         : bytes == 2 ? "unsigned short"
         : bytes == 4 ? "unsigned"
         : bytes == 8 ? "UInt64"
                      : "Pair<double>";
}

Immediate ImmediateOf(const Scalar& number, DType d) {
  Immediate immediate{};
  VisitDType<kAllTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T x = number.To<T>();
    std::memcpy(immediate.bytes, &x, sizeof x);
  });
  return immediate;
}

}  // namespace sy::cuda
