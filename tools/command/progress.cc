#include "tools/command/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <utility>

#include "third_party/fmt/format.h"

namespace sy::command {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kQuiet = std::chrono::milliseconds(500);  // before the first line
constexpr auto kPause = std::chrono::milliseconds(100);  // between two
constexpr uint64_t kWidth = 24;                          // characters of the bar
constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

std::string BytesText(uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  static constexpr std::array kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double n = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; n >= 999.95 && unit + 1 < kUnits.size(); n /= 1000) ++unit;
  return fmt::format("{:.1f} {}", n, kUnits[unit]);
}

std::string ProgressBar::Line(const std::string& what, uint64_t done, uint64_t total,
                              double seconds) {
  const double part =
      total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(std::max(total, done));
  const auto filled = static_cast<size_t>(part * kWidth);
  std::string line = fmt::format("{}  [{}{}] {:3.0f} %  {} of {}", what, std::string(filled, '#'),
                                 std::string(kWidth - filled, ' '), std::floor(part * 100),
                                 BytesText(done), BytesText(total));
  if (part > 0) {
    const auto left = static_cast<int64_t>(std::ceil(seconds / part - seconds));
    line += fmt::format("  {}:{:02} left", left / 60, left % 60);
  }
  return line;
}

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::cerr << kEraseLine << std::flush;
}

void ProgressBar::Show(uint64_t done, uint64_t total) {
  const auto now = Clock::now();
  if (!terminal_ || now - start_ < kQuiet || (shown_ && now - last_ < kPause)) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::cerr << kEraseLine << Line(what_, done, total, seconds) << std::flush;
}

}  // namespace sy::command
