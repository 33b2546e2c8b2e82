#include "io/elements.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sy::io {
namespace {

constexpr size_t kMostAtOnce = 8 << 20;  // bytes

void PutRun(const char* p, size_t bytes, const Sink& sink) {
  for (size_t done = 0; done < bytes; done += kMostAtOnce)
    sink(p + done, std::min(kMostAtOnce, bytes - done));
}

}  // namespace

bool IsFortran(const Tensor& t) {
  int64_t expected = 1;
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    if (t.sizes()[i] != 1 && t.strides()[i] != expected) return false;
    expected *= t.sizes()[i];
  }
  return !t.is_contiguous();
}

void PutElements(const Tensor& host, bool as_it_lies, const Sink& sink) {
  const char* p = static_cast<const char*>(host.data());
  if (as_it_lies || host.is_contiguous()) return PutRun(p, host.nbytes(), sink);
  const size_t item = host.itemsize();
  // How many of the innermost dimensions lie in one run.
  const Sizes sizes = host.sizes(), strides = host.strides();
  size_t dims = sizes.size();
  int64_t run = 1;
  while (dims > 0 && (sizes[dims - 1] == 1 || strides[dims - 1] == run)) run *= sizes[--dims];
  const size_t bytes = static_cast<size_t>(run) * item;
  std::vector<char> piece;
  piece.reserve(std::min(kMostAtOnce, host.nbytes()));
  std::vector<int64_t> at(dims);
  for (size_t done = 0; done < host.nbytes(); done += bytes) {
    int64_t offset = 0;
    for (size_t d = 0; d < dims; ++d) offset += at[d] * strides[d];
    const char* from = p + offset * static_cast<int64_t>(item);
    if (bytes > kMostAtOnce / 16) {
      PutRun(from, bytes, sink);
    } else {
      if (piece.size() + bytes > kMostAtOnce) {
        sink(piece.data(), piece.size());
        piece.clear();
      }
      piece.insert(piece.end(), from, from + bytes);
    }
    for (size_t d = dims; d > 0 && ++at[d - 1] == sizes[d - 1]; --d) at[d - 1] = 0;
  }
  if (!piece.empty()) sink(piece.data(), piece.size());
}

}  // namespace sy::io
