// A regular file, opened once: its bytes in memory, and reading without that memory.
//
//   const File file("x.safetensors");
//   file.map()->bytes();        // pages are read as they are touched
//   file.ReadAt(8, to, 100);    // past the mapping: where it was cut short meanwhile, an error
//
// The mapping is private and writable: what is written to it changes this process's copy and never
// the file. It lives as long as somebody holds it, longer than the File.
// Threads: any.
// Errors: kNotFound for what cannot be opened, kInvalidArgument for what is no regular file (a
// folder, a pipe: neither is waited for) or was cut short, kUnavailable where mapping fails.
#ifndef IO_FILE_H_
#define IO_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "switchyard/core/error.h"

namespace sy::io {

class Mapping {
 public:
  Mapping(int fd, size_t size, bool prefetch);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* data() const { return data_; }
  size_t size() const { return size_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

class File {
 public:
  // prefetch: all pages are read now.
  explicit File(const std::string& path, bool prefetch = false);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::shared_ptr<const Mapping>& map() const { return map_; }
  void ReadAt(uint64_t offset, void* to, size_t bytes) const;

 private:
  int fd_ = -1;
  std::shared_ptr<const Mapping> map_;
};

// What is wrong inside a file is said with its name; where memory is short, that.
template <class F>
auto InFile(const std::string& path, F f) {
  try {
    return f();
  } catch (const Error& e) {
    if (e.code() == ErrorCode::kOutOfMemory) throw;
    Fail(e.code(), Join({"'", path, "': ", e.message()}));
  } catch (const std::bad_alloc&) {
    throw Error::OutOfMemory();
  } catch (const std::length_error&) {
    throw Error::OutOfMemory();
  }
}

// A file that takes its name when it is whole: written beside it, and moved there. What had the
// name before stays as it was for those who have it open or mapped. A name that is no regular
// file's (a pipe, a terminal) is written to directly; a link's target is replaced, not the link.
// Errors: kUnavailable where a file cannot be made or written; then what was there is untouched.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // About so many bytes will be written, rather too many: their place on the disk is taken at once,
  // which is faster than piece by piece. What is not needed is given back.
  void Expect(uint64_t bytes);
  void Write(const void* bytes, size_t size);
  void Write(std::string_view text) { Write(text.data(), text.size()); }
  // Changes bytes that were written before. Not of what is no regular file.
  void Rewrite(uint64_t at, const void* bytes, size_t size) const;
  uint64_t written() const { return written_; }
  // Gives it the name, and has the disk begin: what a power failure may still take is not left to
  // the kernel's half a minute.
  void Commit();

 private:
  [[noreturn]] void FailWriting() const;
  std::string path_, made_;  // made_: empty when written directly
  int fd_ = -1;
  uint64_t written_ = 0, expected_ = 0;
};

}  // namespace sy::io

#endif  // IO_FILE_H_
