// safetensors: a header that is made of the input where it does not begin as a file does, so that
// mutations reach the reader.
#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/fuzz/tensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  // The first byte: how many bytes of data follow the header; 255: the rest is a file.
  const uint8_t bytes = in.Take();
  const std::string_view text = in.Text();
  std::string file(text);
  if (bytes != 255) {
    uint64_t length = text.size();
    file.assign(reinterpret_cast<const char*>(&length), sizeof length);
    file += text;
    file.resize(file.size() + bytes, 'x');
  }
  fuzz::ReadAsTensors(file);
  return 0;
}
