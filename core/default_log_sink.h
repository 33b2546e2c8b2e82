// Where the log goes in a program that chooses no sink: to standard error, plainly, or through what
// is linked for it, //core/spdlog_sink.
//
//   [[maybe_unused]] const bool installed = internal::SetDefaultLogSink(Write);
//
// A sink that is set (SetLogSink) comes first.
// Owns: the default, for the process.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_DEFAULT_LOG_SINK_H_
#define SWITCHYARD_CORE_DEFAULT_LOG_SINK_H_

#include "switchyard/core/logging.h"
#include "switchyard/core/macros.h"

namespace sy::internal {

// True: for static initialisers. The last one linked stays.
SY_API bool SetDefaultLogSink(LogSink sink);

}  // namespace sy::internal

#endif  // SWITCHYARD_CORE_DEFAULT_LOG_SINK_H_
