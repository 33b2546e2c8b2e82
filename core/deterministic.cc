#include "switchyard/core/deterministic.h"

#include <atomic>

#include "switchyard/core/error.h"

namespace sy {
namespace {

constinit std::atomic<bool> enabled{false};
constinit std::atomic<bool> only_warns{false};

}  // namespace

// Warnings only are asked for together with the mode, and with no mode there is nothing to warn of.
void use_deterministic_algorithms(bool mode, bool warn_only) {
  only_warns.store(mode && warn_only, std::memory_order_relaxed);
  enabled.store(mode, std::memory_order_relaxed);
}
bool are_deterministic_algorithms_enabled() { return enabled.load(std::memory_order_relaxed); }
bool is_deterministic_algorithms_warn_only_enabled() {
  return only_warns.load(std::memory_order_relaxed);
}

void set_deterministic_debug_mode(int mode) {
  if (mode < 0 || mode > 2) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_deterministic_debug_mode(): expected 0, 1 or 2, got ", mode});
  }
  use_deterministic_algorithms(mode != 0, mode == 1);
}
void set_deterministic_debug_mode(std::string_view mode) {
  constexpr std::string_view kModes[] = {"default", "warn", "error"};
  for (int i = 0; i < 3; ++i) {
    if (kModes[i] == mode) return set_deterministic_debug_mode(i);
  }
  Fail(ErrorCode::kInvalidArgument,
       {"set_deterministic_debug_mode(): expected 'default', 'warn' or 'error', got '", mode, "'"});
}
int get_deterministic_debug_mode() {
  if (!are_deterministic_algorithms_enabled()) return 0;
  return is_deterministic_algorithms_warn_only_enabled() ? 1 : 2;
}

}  // namespace sy
