#include "finite.h"

#include <cstring>

namespace xnnpack {
namespace {

// Whether the bits of any magnitude, as an integer, reach 2^31 once `more` is added: infinities and
// NaNs are the largest ones. In blocks, so that the loop is a vector's and ends early.
bool Any(const float* x, int64_t n, uint32_t more) {
  constexpr int64_t kBlock = 1024;
  for (int64_t at = 0; at < n; at += kBlock) {
    const int64_t end = std::min(n, at + kBlock);
    uint32_t reached = 0;
    for (int64_t i = at; i < end; ++i) {
      uint32_t bits;
      std::memcpy(&bits, x + i, sizeof(bits));
      reached |= (bits & 0x7fffffffu) + more;
    }
    if (reached >> 31 != 0) return true;
  }
  return false;
}

}  // namespace

bool HasNan(const float* x, int64_t n) { return Any(x, n, 0x007fffffu); }
bool AllFinite(const float* x, int64_t n) { return !Any(x, n, 0x00800000u); }

}  // namespace xnnpack
