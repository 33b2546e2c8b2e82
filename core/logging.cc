#include "switchyard/core/logging.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "switchyard/core/default_log_sink.h"

namespace sy {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"trace",   "debug", "info",
                                                    "warning", "error", "off"};
constexpr uint8_t kUnset = 255;

std::atomic<uint8_t> threshold{kUnset};
constinit std::atomic<LogSink> chosen{nullptr};  // by the program; null: the default

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

constinit std::atomic<LogSink> by_default{WriteToStderr};
constinit std::atomic<bool> warns_always{false};

}  // namespace

bool LogEnabled(LogLevel level) { return static_cast<uint8_t>(level) >= Threshold(); }

void SetLogLevel(LogLevel level) {
  threshold.store(static_cast<uint8_t>(level), std::memory_order_relaxed);
}

void set_warn_always(bool mode) { warns_always.store(mode, std::memory_order_relaxed); }
bool is_warn_always_enabled() { return warns_always.load(std::memory_order_relaxed); }

LogSink SetLogSink(LogSink s) { return chosen.exchange(s, std::memory_order_acq_rel); }

bool internal::SetDefaultLogSink(LogSink s) {
  by_default.store(s, std::memory_order_release);
  return true;
}

void Log(LogLevel level, std::string_view text) {
  if (!LogEnabled(level) || level == LogLevel::kOff) return;
  LogSink sink = chosen.load(std::memory_order_acquire);
  if (sink == nullptr) sink = by_default.load(std::memory_order_acquire);
  sink(level, text);
}

}  // namespace sy
