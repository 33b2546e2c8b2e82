#include "switchyard/backends/common/index_space.h"

#include <utility>

namespace sy {
namespace {

// Whether dimension d belongs inside e: the first operand that tells them apart decides.
bool Inside(const IndexSpace& space, int d, int e) {
  for (int k = 0; k < space.num_operands; ++k) {
    const int64_t a = space.operands[k].strides[d], b = space.operands[k].strides[e];
    if (a != b && a != 0 && b != 0) return a < b;
  }
  return false;
}

bool WalksOn(const IndexSpace& space, int inner, int outer) {
  for (int k = 0; k < space.num_operands; ++k) {
    const int64_t* s = space.operands[k].strides;
    if (s[outer] != s[inner] * space.sizes[inner]) return false;
  }
  return true;
}

}  // namespace

void IndexSpace::Swap(int d, int e) {
  std::swap(sizes[d], sizes[e]);
  for (int k = 0; k < num_operands; ++k) std::swap(operands[k].strides[d], operands[k].strides[e]);
}

int IndexSpace::CoalesceRange(int first, int last) {
  int end = first;
  for (int d = first; d < last; ++d) {
    if (sizes[d] == 1) continue;
    if (d != end) Swap(d, end);
    ++end;
  }
  if (end == first) return first;
  for (int i = first + 1; i < end; ++i) {
    for (int j = i; j > first && Inside(*this, j, j - 1); --j) Swap(j, j - 1);
  }
  int at = first;
  for (int d = first + 1; d < end; ++d) {
    if (WalksOn(*this, at, d)) {
      sizes[at] *= sizes[d];
    } else if (++at != d) {
      Swap(at, d);
    }
  }
  return at + 1;
}

void IndexSpace::CoalesceFrom(int first) {
  rank = CoalesceRange(first, rank);
  if (rank != 0) return;
  rank = 1;
  sizes[0] = 1;
  for (int k = 0; k < num_operands; ++k) operands[k].strides[0] = operands[k].item;
}

bool IndexSpace::is_narrow() const {
  constexpr int64_t kMost = INT32_MAX;
  if (numel() > kMost) return false;
  for (int k = 0; k < num_operands; ++k) {
    int64_t span = 0;
    for (int d = 0; d < rank; ++d) span += (sizes[d] - 1) * operands[k].strides[d];
    if (span > kMost) return false;
  }
  return true;
}

}  // namespace sy
