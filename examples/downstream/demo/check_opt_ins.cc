// What a program asks for by name: results as absl::StatusOr, and the log through spdlog.

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include "demo/checking.h"
#include "switchyard/core/logging.h"
#include "switchyard/status.h"

int main() {
  demo::Checker check;
  const absl::StatusOr<sy::Results> result = sy::ToStatusOr(sy::try_call("ad", 1, 2));
  check("status", result.status().ToString(),
        "NOT_FOUND: no operator named 'ad'; did you mean 'add'?");

  std::ostringstream log;
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
  auto logger = std::make_shared<spdlog::logger>("switchyard", sink);
  logger->set_pattern("%v");
  spdlog::register_logger(logger);
  sy::Log(sy::LogLevel::kError, "seen");
  check("log", log.str(), "seen\n");
  return check.status();
}
