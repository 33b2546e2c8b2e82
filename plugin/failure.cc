#include "plugin/failure.h"

namespace sy::plugin {

void AsyncFailure::Set(const SyAsyncError& error, int32_t code, const RecentCalls* recent) {
  std::lock_guard lock(mutex_);
  if (set_.load(std::memory_order_relaxed)) return;
  code_ = error.code != SY_OK ? error.code : code != SY_OK ? code : SY_E_ASYNC;
  text_ = std::string(error.text, strnlen(error.text, sizeof(error.text)));
  if (error.sequence != 0) {
    const std::string_view op = recent == nullptr ? "" : recent->OperatorOf(error.sequence);
    queued_by_ = Join({" queued by call ", error.sequence});
    if (!op.empty()) queued_by_ += Join({", ", op, "(),"});
  }
  set_.store(true, std::memory_order_release);
}

void AsyncFailure::Throw(std::string_view device) const {
  const bool by_itself = code_ == SY_E_DEVICE_LOST && queued_by_.empty();
  FailAbi(code_, text_,
          by_itself ? Join({"device '", device, "' is lost"})
                    : Join({"device '", device, "': work", queued_by_, " has failed"}));
}

}  // namespace sy::plugin
