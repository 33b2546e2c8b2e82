#include "switchyard/core/flush_denormal.h"

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sy {
namespace {

#if defined(__x86_64__)

// Source: Intel 64 and IA-32 Architectures Software Developer's Manual 1, 10.2.3.
constexpr uint32_t kBits = 1u << 15 | 1u << 6;  // FTZ of results, DAZ of operands
uint32_t Control() { return _mm_getcsr(); }
void SetControl(uint32_t word) { _mm_setcsr(word); }

#elif defined(__aarch64__)

// Source: Arm Architecture Reference Manual for A-profile, C5.2.8, FPCR.
constexpr uint64_t kBits = uint64_t{1} << 24 | uint64_t{1} << 19;  // FZ, FZ16
uint64_t Control() {
  uint64_t word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void SetControl(uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }

#else

constexpr uint32_t kBits = 0;
uint32_t Control() { return 0; }
void SetControl(uint32_t) {}

#endif

}  // namespace

bool set_flush_denormal(bool mode) {
  if (kBits == 0) return false;
  const auto before = Control(), after = mode ? before | kBits : before & ~kBits;
  if (after != before) SetControl(after);
  return true;
}
bool flushes_denormal() { return (Control() & kBits) != 0; }

}  // namespace sy
