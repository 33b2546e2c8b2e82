// Compressed lines.
#include "testing/replay/gzip.h"

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string& path = fuzz::AsFile(in.Text());
  fuzz::MustKeepTheRules([&] {
    replay::GzipLines lines(path);
    for (std::string_view line; lines.Next(&line);) {
      if (line.find('\n') != line.npos) fuzz::Break("a line with a newline");
    }
  });
  return 0;
}
