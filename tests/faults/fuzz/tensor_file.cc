// Files of tensors of every format: what the bytes say they are.
#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/fuzz/tensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sy::fuzz::Bytes in(data, size);
  sy::fuzz::ReadAsTensors(in.Text());
  return 0;
}
