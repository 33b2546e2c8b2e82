// spdlog: Debian's headers in a namespace of our own, with our fmt (third_party/fmt). A program's
// own spdlog, of whatever version, knows nothing of it: loggers that the one registers, the other
// does not find.
//
//   spdlog::logger logger("name", std::make_shared<spdlog::sinks::stderr_sink_st>());
//
// Private: an installed header never includes it, and one file should.
// Threads and errors: as spdlog's.
#ifndef THIRD_PARTY_SPDLOG_SPDLOG_H_
#define THIRD_PARTY_SPDLOG_SPDLOG_H_

#include "third_party/fmt/format.h"

#ifdef SPDLOG_VERSION
#error "include this before, and in the place of, spdlog's own headers"
#endif
#define spdlog switchyard_spdlog
#define SPDLOG_HEADER_ONLY
#define SPDLOG_FMT_EXTERNAL
#define SPDLOG_NO_TLS  // which would keep a thread's number through a fork

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#endif  // THIRD_PARTY_SPDLOG_SPDLOG_H_
