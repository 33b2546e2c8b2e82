// Sends the log to the program's own spdlog, to the logger "switchyard": standard error unless the
// program registered one of that name. Link the target; there is nothing to call.

#define SPDLOG_COMPILED_LIB
#define SPDLOG_FMT_EXTERNAL
#define SPDLOG_SHARED_LIB

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "switchyard/core/logging.h"

namespace sy {
namespace {

spdlog::level::level_enum Level(LogLevel level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::trace, spdlog::level::debug,
                                                   spdlog::level::info,  spdlog::level::warn,
                                                   spdlog::level::err,   spdlog::level::off};
  return kLevels[static_cast<int>(level)];
}

void Sink(LogLevel level, std::string_view text) {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto l = spdlog::get("switchyard");
    if (l == nullptr) {
      l = spdlog::stderr_logger_mt("switchyard");
      l->set_level(spdlog::level::trace);  // core/logging has the threshold
    }
    return l;
  }();
  logger->log(Level(level), "{}", text);
}

[[maybe_unused]] const LogSink installed = SetLogSink(Sink);

}  // namespace
}  // namespace sy
