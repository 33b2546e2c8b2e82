#include "switchyard/backends/cpu/engine/iteration.h"

#include <utility>

namespace sy::cpu {
namespace {

// Whether dimension d belongs inside e.
bool Inside(const Iteration& it, int d, int e) {
  for (int k = 0; k < it.num_operands; ++k) {
    const int64_t a = it.operands[k].strides[d], b = it.operands[k].strides[e];
    if (a != b && a != 0 && b != 0) return a < b;
  }
  return false;
}

bool WalksOn(const Iteration& it, int inner, int outer) {
  for (int k = 0; k < it.num_operands; ++k) {
    const int64_t* s = it.operands[k].strides;
    if (s[outer] != s[inner] * it.sizes[inner]) return false;
  }
  return true;
}

}  // namespace

void Iteration::Swap(int d, int e) {
  std::swap(sizes[d], sizes[e]);
  for (int k = 0; k < num_operands; ++k) std::swap(operands[k].strides[d], operands[k].strides[e]);
}

int Iteration::CoalesceRange(int first, int last) {
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

void Iteration::Coalesce() {
  rank = CoalesceRange(0, rank);
  if (rank != 0) return;
  rank = 1;
  sizes[0] = 1;
  for (int k = 0; k < num_operands; ++k)
    operands[k].strides[0] = static_cast<int64_t>(ItemSize(operands[k].dtype));
}

}  // namespace sy::cpu
