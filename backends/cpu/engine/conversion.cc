#include "switchyard/backends/cpu/engine/conversion.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kThroughFloat = kHalfTypes | kFloat8Types;

// The next dtype on the way; `to` itself when one loop does it.
constexpr DType Next(DType from, DType to) {
  if (from == to) return to;
  if (Contains(kThroughFloat, from)) return DType::kFloat32;
  if (from == DType::kComplex32) return DType::kComplex64;
  if (IsComplex(from)) {
    if (to == DType::kComplex32) return from == DType::kComplex64 ? to : DType::kComplex64;
    return IsComplex(to) || to == DType::kBool ? to : RealType(from);
  }
  if (Contains(kThroughFloat, to)) return from == DType::kFloat32 ? to : DType::kFloat32;
  if (to == DType::kComplex32) return from == DType::kFloat32 ? DType::kComplex64 : DType::kFloat32;
  if (IsComplex(to)) return from == RealType(to) ? to : RealType(to);
  return to;
}

}  // namespace

void Conversion::Append(DType to) {
  while (this->to() != to) {
    const DType next = Next(this->to(), to);
    to_[num_steps_++] = next;
  }
}

const char* Conversion::Run(const void* src, size_t n, char* a, char* b) const {
  for (int i = 0; i < num_steps_; ++i) {
    char* dst = (num_steps_ - i) % 2 != 0 ? a : b;
    void* p[] = {dst, const_cast<void*>(src)};
    step(i)(p, n, false);
    src = dst;
  }
  return static_cast<const char*>(src);
}

void Conversion::RunInto(void* dst, const void* src, size_t n, char* a, char* b) const {
  for (int i = 0; i < num_steps_; ++i) {
    const bool last = i == num_steps_ - 1;
    void* to = last ? dst : (num_steps_ - i) % 2 != 0 ? a : b;
    void* p[] = {to, const_cast<void*>(src)};
    step(i)(p, n, false);
    src = to;
  }
}

}  // namespace sy::cpu
