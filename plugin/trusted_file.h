// A file that says what runs in this process: opened once, checked and read through that one
// descriptor.
//
//   const TrustedFile file("plugin", "/opt/toy/libtoy.so");  // throws where others might change it
//   file.Read(…);
//   …                                                         // something else opens the path
//   if (!file.IsStillThere()) …                               // and got another file
//
// Nobody may write it but root and the user whom the process runs as, and nobody else may put
// another file in its place: the path is walked from the root, and every folder and symbolic link
// on the way must belong to one of these two; folders that others may write must be sticky, as /tmp
// is. Who owns the root folder counts as root, which has another number in a user namespace. In a
// process with more rights than its user has (set-group-ID, file capabilities), that user is
// somebody else.
// Owns: an open file.
// Threads: any.
// Errors: kNotFound when there is no file, kUnavailable when it cannot be opened, kRegistration
// when it is no file, or somebody else may change it. A pipe is refused at once, unread.
#ifndef PLUGIN_TRUSTED_FILE_H_
#define PLUGIN_TRUSTED_FILE_H_

#include <sys/stat.h>

#include <string>
#include <string_view>

namespace sy::plugin {

class TrustedFile {
 public:
  // what: "plugin", for errors. path: absolute.
  TrustedFile(std::string_view what, const std::string& path);
  ~TrustedFile();
  TrustedFile(const TrustedFile&) = delete;
  TrustedFile& operator=(const TrustedFile&) = delete;

  const std::string& path() const { return path_; }
  const struct stat& status() const { return status_; }
  // Whether there were so many bytes.
  bool Read(void* out, size_t bytes, uint64_t offset) const;
  // As many of `bytes` as there are; the result says how many.
  size_t ReadUpTo(void* out, size_t bytes, uint64_t offset) const;
  // All of it. Errors: kRegistration when there is more than `most`.
  std::string Text(size_t most) const;
  // Whether the path leads to this file still, as it was when it was opened.
  bool IsStillThere() const;
  // kRegistration, naming the file.
  [[noreturn]] void Refuse(std::string_view why) const;

 private:
  const std::string_view what_;
  const std::string path_;
  int fd_ = -1;
  struct stat status_ = {};
};

}  // namespace sy::plugin

#endif  // PLUGIN_TRUSTED_FILE_H_
