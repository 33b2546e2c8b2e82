#include "tests/faults/fuzz/tensors.h"

#include <algorithm>
#include <string>

#include "switchyard/core/transfer.h"
#include "switchyard/io/tensor_file.h"
#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {
namespace {

// A view of few bytes may have 2^60 elements; where it lies is what counts.
unsigned Touch(const Tensor& t) {
  const auto* p = static_cast<const unsigned char*>(t.data());
  const size_t n = SpannedBytes(t);
  unsigned sum = 0;
  for (size_t i = 0; i < n; ++i) sum += p[i];
  return sum;
}

void ReadAll(const std::string& path, const LoadOptions& options) {
  const TensorFile file(path, options);
  unsigned sum = 0;
  for (const TensorInfo& t : file.tensors()) {
    const Tensor whole = file.Get(t.name);
    sum += Touch(whole);
    if (whole.dim() == 0 || !t.dtype) continue;
    const Tensor part = file.Slice(t.name, -1, 1, 2);
    if (part.size(-1) > 1) Break("a slice is longer than asked for");
    sum += Touch(part);
  }
  volatile unsigned kept = sum;
  (void)kept;
}

}  // namespace

void ReadAsTensors(std::string_view bytes) {
  const std::string& path = InMemory(bytes);
  const std::string in_place = MustKeepTheRules([&] { ReadAll(path, {.raw = true}); });
  // What is refused is refused before anything is copied: one length in eight is asked again.
  constexpr size_t kEvery = 8;
  if (!in_place.empty() && bytes.size() % kEvery != 0) return;
  const std::string copied =
      MustKeepTheRules([&] { ReadAll(path, {.copy = true, .verify = true, .raw = true}); });
  if (in_place.empty() || copied.empty()) return;
  // What is refused when it is opened is refused in the same words.
  if (in_place.find("checksum") == in_place.npos && in_place.find("memory") == in_place.npos &&
      copied.find("checksum") == copied.npos && copied.find("memory") == copied.npos &&
      in_place != copied)
    Break("two readings differ: " + in_place + " | " + copied);
}

}  // namespace sy::fuzz
