// Logging: one function, and a sink that a program chooses. Linking //core/spdlog_sink sends
// everything to spdlog.
//
//   Log(LogLevel::kWarning, Join({"out has sizes ", out.sizes(), " and is resized"}));
//
// Levels below the threshold (SWITCHYARD_LOG_LEVEL=trace|debug|info|warning|error|off, or
// SetLogLevel) cost one load.
// Threads: any.
#ifndef SWITCHYARD_CORE_LOGGING_H_
#define SWITCHYARD_CORE_LOGGING_H_

#include <cstdint>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

enum class LogLevel : uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };

SY_API void Log(LogLevel level, std::string_view text);
SY_API bool LogEnabled(LogLevel level);
SY_API void SetLogLevel(LogLevel level);  // kWarning until set

using LogSink = void (*)(LogLevel level, std::string_view text);
// Returns the sink before. Null: the default, which writes to standard error.
SY_API LogSink SetLogSink(LogSink sink);

}  // namespace sy

#endif  // SWITCHYARD_CORE_LOGGING_H_
