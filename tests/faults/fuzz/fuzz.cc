#include "tests/faults/fuzz/fuzz.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "switchyard/core/error.h"
#include "tests/faults/fuzz/memory.h"

namespace sy::fuzz {

void Break(std::string_view what) {
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

std::string MustKeepTheRules(void (*f)(void*), void* context) {
  std::string said;
  try {
    const ShortMemory scope;
    f(context);
    return said;
  } catch (const Error& e) {
    said = e.message();
    if (e.code() == ErrorCode::kInternal) Break("an error of our own: " + said);
    if (e.code() == ErrorCode::kOk || said.empty()) Break("an error without words");
  } catch (const std::exception& e) {
    Break(std::string("an exception that is no sy::Error: ") + e.what());
  } catch (...) {
    Break("something was thrown that is no exception");
  }
  return said;
}

namespace {

// A file of this process alone, in memory where there is such a folder, that goes when it ends.
class OneFile {
 public:
  OneFile() : path_(access("/dev/shm", W_OK) == 0 ? "/dev/shm/input.XXXXXX" : "/tmp/input.XXXXXX") {
    fd_ = mkstemp(path_.data());
    if (fd_ < 0) Break("no file can be made");
  }
  ~OneFile() { unlink(path_.c_str()); }
  OneFile(const OneFile&) = delete;
  const std::string& Hold(std::string_view bytes) const {
    if (ftruncate(fd_, 0) != 0 ||
        pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      Break("the file cannot be written");
    return path_;
  }

 private:
  std::string path_;
  int fd_;
};

}  // namespace

const std::string& AsFile(std::string_view bytes) {
  static const OneFile file;
  return file.Hold(bytes);
}

}  // namespace sy::fuzz
