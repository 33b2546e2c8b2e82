// Logging: one function, and a sink that a program chooses. Linking //core/spdlog_sink sends
// everything to spdlog.
//
//   Log(LogLevel::kWarning, Join({"out has sizes ", out.sizes(), " and is resized"}));
//
// Levels below the threshold (SWITCHYARD_LOG_LEVEL=trace|debug|info|warning|error|off, or
// SetLogLevel) cost one load.
// Owns: the threshold and the sink, for the process.
// Threads: any.
// Errors: none; what a sink throws goes to whoever logs.
#ifndef SWITCHYARD_CORE_LOGGING_H_
#define SWITCHYARD_CORE_LOGGING_H_

#include <cstdint>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

// kOff is a threshold alone.
enum class LogLevel : uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };

// text is borrowed; it goes to the sink where the level is at the threshold or above.
SY_API void Log(LogLevel level, std::string_view text);
// For texts that cost something to make.
SY_API bool LogEnabled(LogLevel level);
SY_API void SetLogLevel(LogLevel level);  // kWarning until set

// Whether warnings that are given once, of the first of several causes alike, are given each time:
// that a call falls back to the host, that compiled kernels cannot be kept. False until set.
// torch.set_warn_always.
SY_API void set_warn_always(bool mode);
SY_API bool is_warn_always_enabled();

using LogSink = void (*)(LogLevel level, std::string_view text);
// Returns the sink before. Null: the default, which writes to standard error. It is called from any
// thread, at the same time, with texts of no line end, and must not log itself.
SY_API LogSink SetLogSink(LogSink sink);

}  // namespace sy

#endif  // SWITCHYARD_CORE_LOGGING_H_
