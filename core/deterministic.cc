#include "switchyard/core/deterministic.h"

#include <atomic>

namespace sy {
namespace {

constinit std::atomic<bool> enabled{false};

}  // namespace

void use_deterministic_algorithms(bool mode) { enabled.store(mode, std::memory_order_relaxed); }
bool are_deterministic_algorithms_enabled() { return enabled.load(std::memory_order_relaxed); }

}  // namespace sy
