// Archives: entries that the input names and fills, written by our writer and then damaged, read as
// .npz and as checkpoints.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "switchyard/core/tensor.h"
#include "switchyard/io/write_tensors.h"
#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/fuzz/tensors.h"

namespace {

using namespace sy;

const std::string& Made(FileFormat format, bool deflate) {
  const auto make = [](FileFormat f, bool deflated) {
    const Tensor t = Tensor::Empty({3, 5}, DType::kFloat32);
    std::fill_n(t.data<float>(), 15, 1.5f);
    const std::string path = fuzz::AsFile("") + ".made";
    WriteTensors(path, {{"a", t}, {"b.c", t.AsStrided({5}, {1}, 5)}},
                 {.format = f, .deflate = deflated});
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    std::remove(path.c_str());
    return bytes;
  };
  static const std::string stored = make(FileFormat::kNpz, false);
  static const std::string deflated = make(FileFormat::kNpz, true);
  static const std::string checkpoint = make(FileFormat::kCheckpoint, false);
  return format == FileFormat::kCheckpoint ? checkpoint : deflate ? deflated : stored;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes in(data, size);
  const size_t which = in.Below(4);
  if (which == 3) {
    fuzz::ReadAsTensors(in.Text());
    return 0;
  }
  std::string file = Made(which == 2 ? FileFormat::kCheckpoint : FileFormat::kNpz, which == 1);
  // Changes: where, in what part, and to what.
  while (!in.empty() && !file.empty()) {
    const size_t at = in.Take<uint16_t>() % file.size();
    switch (in.Below(4)) {
      case 0:
        file[at] = static_cast<char>(in.Take());
        break;
      case 1:
        file[at] = static_cast<char>(file[at] + 1);
        break;
      case 2:
        file.erase(at, 1 + in.Below(16));
        break;
      default:
        file.insert(at, 1 + in.Below(16), static_cast<char>(in.Take()));
    }
  }
  fuzz::ReadAsTensors(file);
  return 0;
}
