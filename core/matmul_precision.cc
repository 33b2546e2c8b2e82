#include "switchyard/core/matmul_precision.h"

#include <atomic>
#include <cstddef>

#include "switchyard/core/error.h"

namespace sy {
namespace {

constexpr std::string_view kPrecisions[] = {"highest", "high", "medium"};
constinit std::atomic<size_t> chosen{0};

}  // namespace

void set_float32_matmul_precision(std::string_view precision) {
  for (size_t i = 0; i < 3; ++i) {
    if (kPrecisions[i] == precision) return chosen.store(i, std::memory_order_relaxed);
  }
  Fail(ErrorCode::kInvalidArgument,
       {"set_float32_matmul_precision(): expected 'highest', 'high' or 'medium', got '", precision,
        "'"});
}
std::string_view get_float32_matmul_precision() {
  return kPrecisions[chosen.load(std::memory_order_relaxed)];
}
bool internal::MayRoundFactors() { return chosen.load(std::memory_order_relaxed) != 0; }

}  // namespace sy
