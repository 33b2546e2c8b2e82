// NumPy's files.
#include "switchyard/io/npy.h"

#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string& path = fuzz::InMemory(in.Text());
  fuzz::MustKeepTheRules([&] {
    const Tensor t = ReadNpy(path);
    if (t.nbytes() > size) fuzz::Break("more elements than there are bytes");
  });
  return 0;
}
