// GGUF: the input behind its magic and version.
#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/fuzz/tensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sy::fuzz::Bytes in(data, size);
  std::string file("GGUF\3\0\0\0", 8);
  file += in.Text();
  sy::fuzz::ReadAsTensors(file);
  return 0;
}
