#include "io/contents.h"

#include <algorithm>

#include "switchyard/core/shape.h"

namespace sy::io {

uint64_t BytesOf(std::string_view name, IntSpan sizes, uint64_t itemsize) {
  if (sizes.size() > static_cast<size_t>(kMaxRank)) {
    Refuse({"'", name, "': ", sizes.size(), " dimensions, at most ", int64_t{kMaxRank},
            " are possible"});
  }
  // Also of an empty tensor, whose other sizes are multiplied for its strides.
  int64_t bytes = static_cast<int64_t>(itemsize);
  bool empty = false;
  for (const int64_t n : sizes) {
    if (n < 0) Refuse({"'", name, "': a size is negative: ", sizes});
    empty = empty || n == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(n, 1), &bytes))
      Refuse({"'", name, "': sizes are too large: ", sizes});
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

std::vector<int64_t> StridesOf(IntSpan sizes) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  return strides;
}

std::vector<int64_t> FortranStridesOf(IntSpan sizes) {
  std::vector<int64_t> strides;
  strides.reserve(sizes.size());
  int64_t stride = 1;
  for (const int64_t n : sizes) {
    strides.push_back(stride);
    stride *= std::max<int64_t>(n, 1);
  }
  return strides;
}

}  // namespace sy::io
