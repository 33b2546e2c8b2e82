#include "switchyard/core/deterministic.h"

#include <atomic>

#include "switchyard/core/error.h"

namespace sy {
namespace {

constinit std::atomic<int> chosen{0};  // as set_deterministic_debug_mode has it

}  // namespace

// Warnings only are asked for together with the mode, and with no mode there is nothing to warn of.
void use_deterministic_algorithms(bool mode, bool warn_only) {
  set_deterministic_debug_mode(!mode ? 0 : warn_only ? 1 : 2);
}
bool are_deterministic_algorithms_enabled() { return get_deterministic_debug_mode() != 0; }
bool is_deterministic_algorithms_warn_only_enabled() { return get_deterministic_debug_mode() == 1; }

void set_deterministic_debug_mode(int mode) {
  if (mode < 0 || mode > 2) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_deterministic_debug_mode(): expected 0, 1 or 2, got ", mode});
  }
  chosen.store(mode, std::memory_order_relaxed);
}
void set_deterministic_debug_mode(std::string_view mode) {
  constexpr std::string_view kModes[] = {"default", "warn", "error"};
  for (int i = 0; i < 3; ++i) {
    if (kModes[i] == mode) return set_deterministic_debug_mode(i);
  }
  Fail(ErrorCode::kInvalidArgument,
       {"set_deterministic_debug_mode(): expected 'default', 'warn' or 'error', got '", mode, "'"});
}
int get_deterministic_debug_mode() { return chosen.load(std::memory_order_relaxed); }

}  // namespace sy
