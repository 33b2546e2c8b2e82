// A bar on stderr while something long goes on; nothing where stderr is no terminal.
//
//   ProgressBar bar("writing x.safetensors");
//   bar.Show(done, total);      // bytes; as often as one likes
//
// It appears after half a second, so that what is quick shows none, and goes when it ends.
// Owns: nothing.
// Threads: one.
// Errors: none.
#ifndef TOOLS_COMMAND_PROGRESS_H_
#define TOOLS_COMMAND_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace sy::command {

class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void Show(uint64_t done, uint64_t total);

  // "writing x  [#####     ]  50 %  1.5 of 3.0 GB  0:07 left".
  static std::string Line(const std::string& what, uint64_t done, uint64_t total, double seconds);

 private:
  std::string what_;
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

// "1.5 GB", "24 bytes": in powers of 1000.
std::string BytesText(uint64_t bytes);

}  // namespace sy::command

#endif  // TOOLS_COMMAND_PROGRESS_H_
