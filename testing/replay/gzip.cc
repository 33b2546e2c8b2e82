#include "testing/replay/gzip.h"

#include <absl/cleanup/cleanup.h>
#include <zlib.h>

#include <cstring>

#include "switchyard/core/error.h"

namespace sy::replay {
namespace {

constexpr size_t kChunk = size_t{1} << 18;  // bytes a read asks for

gzFile Open(const std::string& path) {
  gzFile f = gzopen(path.c_str(), "rb");
  if (f == nullptr) Fail(ErrorCode::kNotFound, {"cannot open '", path, "'"});
  gzbuffer(f, kChunk);
  return f;
}

// Bytes read into p, 0 at the end.
size_t Read(gzFile f, char* p, size_t room, const std::string& path) {
  const int n = gzread(f, p, static_cast<unsigned>(room));
  if (n < 0) {
    int code = 0;
    Fail(ErrorCode::kInvalidArgument, {"'", path, "' cannot be read: ", gzerror(f, &code)});
  }
  return static_cast<size_t>(n);
}

}  // namespace

std::vector<char> ReadGzip(const std::string& path) {
  gzFile file = Open(path);
  const absl::Cleanup close = [&file] { gzclose(file); };
  std::vector<char> bytes;
  for (;;) {
    const size_t have = bytes.size();
    bytes.resize(have + kChunk);
    const size_t n = Read(file, bytes.data() + have, kChunk, path);
    bytes.resize(have + n);
    if (n == 0) return bytes;
  }
}

GzipLines::GzipLines(const std::string& path) : path_(path), file_(Open(path)) {}

GzipLines::~GzipLines() { gzclose(static_cast<gzFile>(file_)); }

bool GzipLines::Next(std::string_view* line) {
  for (size_t searched = 0;;) {
    const char* from = buffer_.data() + begin_;
    const size_t have = end_ - begin_;
    const void* newline =
        have > searched ? std::memchr(from + searched, '\n', have - searched) : nullptr;
    if (newline != nullptr) {
      *line = {from, static_cast<size_t>(static_cast<const char*>(newline) - from)};
      begin_ += line->size() + 1;
      return true;
    }
    searched = have;
    if (begin_ != 0 && have != 0) std::memmove(buffer_.data(), from, have);
    begin_ = 0;
    end_ = have;
    if (buffer_.size() < have + kChunk) buffer_.resize(have + kChunk);
    const size_t n = Read(static_cast<gzFile>(file_), buffer_.data() + have, kChunk, path_);
    end_ += n;
    if (n != 0) continue;
    *line = {buffer_.data(), have};  // the last line, without a newline
    begin_ = end_;
    return have != 0;
  }
}

}  // namespace sy::replay
