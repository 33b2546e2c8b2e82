#include "plugin/failure.h"

#include <cstring>

namespace sy::plugin {

void AsyncFailure::Set(const SyAsyncError& error, int32_t code,
                       const RecentCalls* recent) noexcept {
  std::lock_guard lock(mutex_);
  if (set_.load(std::memory_order_relaxed)) return;
  error_ = error;
  if (error.code == SY_OK) error_.code = code != SY_OK ? code : SY_E_ASYNC;
  if (recent != nullptr) op_ = recent->OperatorOf(error.sequence);
  set_.store(true, std::memory_order_release);
}

void AsyncFailure::Throw(std::string_view device) const {
  const std::string_view text(error_.text, strnlen(error_.text, sizeof(error_.text)));
  std::string queued_by;
  if (error_.sequence != 0) {
    queued_by = Join({" queued by call ", error_.sequence});
    if (!op_.empty()) queued_by += Join({", ", op_, "(),"});
  }
  const bool by_itself = error_.code == SY_E_DEVICE_LOST && queued_by.empty();
  FailAbi(error_.code, text,
          by_itself ? Join({"device '", device, "' is lost"})
                    : Join({"device '", device, "': work", queued_by, " has failed"}));
}

}  // namespace sy::plugin
