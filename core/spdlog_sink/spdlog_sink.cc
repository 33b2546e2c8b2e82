// The log through an spdlog of our own, to standard error. Link the target; there is nothing to
// call. A logger is made when the first message is written.

#include <memory>
#include <mutex>

#include "switchyard/core/default_log_sink.h"
#include "switchyard/core/fork.h"
#include "third_party/spdlog/spdlog.h"

namespace sy {
namespace {

constinit std::mutex mutex;
constinit spdlog::logger* logger = nullptr;  // lives for the process; under the mutex

const internal::AtFork at_fork{internal::ForkRank::kMemory, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, mutex);
                               }};

spdlog::level::level_enum LevelOf(LogLevel level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::trace, spdlog::level::debug,
                                                   spdlog::level::info,  spdlog::level::warn,
                                                   spdlog::level::err,   spdlog::level::off};
  return kLevels[static_cast<int>(level)];
}

spdlog::logger* NewLogger() {
  // One mutex does for all, which a fork can take: that of spdlog's own sinks it cannot.
  auto made = std::make_unique<spdlog::logger>("switchyard",
                                               std::make_shared<spdlog::sinks::stderr_sink_st>());
  made->set_level(spdlog::level::trace);  // core/logging has the threshold
  return made.release();
}

void Write(LogLevel level, std::string_view text) {
  const std::lock_guard lock(mutex);
  if (logger == nullptr) logger = NewLogger();
  logger->log(LevelOf(level), spdlog::string_view_t(text.data(), text.size()));
}

[[maybe_unused]] const bool installed = internal::SetDefaultLogSink(Write);

}  // namespace
}  // namespace sy
