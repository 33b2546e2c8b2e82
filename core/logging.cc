#include "switchyard/core/logging.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sy {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"trace",   "debug", "info",
                                                    "warning", "error", "off"};
constexpr uint8_t kUnset = 255;

std::atomic<uint8_t> threshold{kUnset};
std::atomic<LogSink> sink{nullptr};

uint8_t Threshold() {
  uint8_t t = threshold.load(std::memory_order_relaxed);
  if (t != kUnset) [[likely]]
    return t;
  t = static_cast<uint8_t>(LogLevel::kWarning);
  if (const char* text = secure_getenv("SWITCHYARD_LOG_LEVEL")) {
    for (size_t i = 0; i < kNames.size(); ++i) {
      if (kNames[i] == text) t = static_cast<uint8_t>(i);
    }
  }
  threshold.store(t, std::memory_order_relaxed);
  return t;
}

void WriteToStderr(LogLevel level, std::string_view text) {
  std::string line = "[switchyard ";
  line += kNames[static_cast<size_t>(level)];
  line += "] ";
  line += text;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

bool LogEnabled(LogLevel level) { return static_cast<uint8_t>(level) >= Threshold(); }

void SetLogLevel(LogLevel level) {
  threshold.store(static_cast<uint8_t>(level), std::memory_order_relaxed);
}

LogSink SetLogSink(LogSink s) { return sink.exchange(s, std::memory_order_acq_rel); }

void Log(LogLevel level, std::string_view text) {
  if (!LogEnabled(level) || level == LogLevel::kOff) return;
  const LogSink s = sink.load(std::memory_order_acquire);
  (s == nullptr ? WriteToStderr : s)(level, text);
}

}  // namespace sy
