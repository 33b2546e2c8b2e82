// Files compressed with gzip, read whole or line by line.
//
//   std::vector<char> blob = ReadGzip("blob-0.bin.gz");
//   GzipLines lines("cases-0.jsonl.gz");
//   for (std::string_view line; lines.Next(&line);) …
//
// Owns: the open file and one buffer; a line lives until the next one is asked for.
// Threads: one at a time.
// Errors: kNotFound for a file that cannot be opened, kInvalidArgument for damaged contents.
#ifndef TESTING_REPLAY_GZIP_H_
#define TESTING_REPLAY_GZIP_H_

#include <string>
#include <string_view>
#include <vector>

namespace sy::replay {

std::vector<char> ReadGzip(const std::string& path);

class GzipLines {
 public:
  explicit GzipLines(const std::string& path);
  ~GzipLines();
  GzipLines(const GzipLines&) = delete;
  // False at the end. The newline is not part of the line.
  bool Next(std::string_view* line);

 private:
  std::string path_;
  void* file_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;  // what is read and not yet handed out
};

}  // namespace sy::replay

#endif  // TESTING_REPLAY_GZIP_H_
