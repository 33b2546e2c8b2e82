#include "switchyard/backends/cpu/engine/isa.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "switchyard/core/error.h"

namespace sy::cpu {

#if defined(__x86_64__)

Isa BestIsa() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (!avx2) return kBaseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? kAvx512 : kAvx2;
}

const char* Name(Isa isa) {
  constexpr const char* kNames[kNumIsas] = {"baseline", "avx2", "avx512"};
  return kNames[isa];
}

#else

Isa BestIsa() { return kBaseline; }

const char* Name(Isa) { return "neon"; }

#endif

void SetIsa(Isa isa) {
  if (isa > BestIsa())
    Fail(ErrorCode::kUnavailable,
         {"this processor does not have ", Name(isa), ", only ", Name(BestIsa())});
  internal::active_isa = isa;
}

namespace {

Isa ChooseIsa() {
  const Isa best = BestIsa();
  const char* asked = secure_getenv("SWITCHYARD_CPU_ISA");
  if (asked == nullptr) return best;
  for (int i = 0; i < kNumIsas; ++i) {
    const auto isa = static_cast<Isa>(i);
    if (std::string_view(asked) == Name(isa)) return std::min(isa, best);
  }
  return best;
}

}  // namespace

namespace internal {
// Calls from other static initialisers may see 0, the baseline, which is right everywhere.
Isa active_isa = ChooseIsa();
}  // namespace internal

}  // namespace sy::cpu
