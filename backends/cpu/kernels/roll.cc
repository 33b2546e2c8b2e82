// roll: each dimension that moves is cut in two, and every piece is copied to where it belongs.
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

struct Moved {
  int64_t dim, shift;  // 0 < shift < size
};

int64_t ShiftIn(int64_t shift, int64_t size) { return (shift % size + size) % size; }

// Both tensors of the same sizes.
void CopyMoved(const Tensor& out, const Tensor& self, const std::vector<Moved>& moved) {
  int64_t sizes[kMaxRank];
  const size_t rank = self.sizes().size();
  for (uint64_t piece = 0; piece < uint64_t{1} << moved.size(); ++piece) {
    std::copy(self.sizes().begin(), self.sizes().end(), sizes);
    int64_t to = 0, from = 0;  // elements to the first of the piece
    for (size_t i = 0; i < moved.size(); ++i) {
      const auto d = static_cast<size_t>(moved[i].dim);
      const int64_t end = self.sizes()[d] - moved[i].shift;  // of the positions that go up
      if ((piece >> i & 1) == 0) {
        sizes[d] = end;
        to += moved[i].shift * out.strides()[d];
      } else {
        sizes[d] = moved[i].shift;
        from += end * self.strides()[d];
      }
    }
    Iteration it(IntSpan(sizes, rank));
    it.Add(out);  // strides; sizes are the piece's
    it.Add(self);
    const auto item = static_cast<int64_t>(self.itemsize());
    it.operands[0].data += to * item;
    it.operands[1].data += from * item;
    CopyElements(it);
  }
}

Tensor AsVector(const Tensor& t) {
  const int64_t n = t.numel(), one = 1;
  return t.AsStrided(IntSpan(&n, 1), IntSpan(&one, 1), t.storage_offset());
}

void Roll(Call, const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  if (out.numel() == 0) return;
  if (dims.empty()) {
    const int64_t shift = ShiftIn(shifts[0], self.numel());
    std::vector<Moved> moved;
    if (shift != 0) moved.push_back({0, shift});
    const auto row_major = [](const Tensor& t) {
      return t.is_contiguous() ? t : Tensor::Empty(t.sizes(), t.dtype());
    };
    const Tensor from = row_major(self), to = row_major(out);
    if (!from.is_same(self)) CopyElements(from, self);
    CopyMoved(AsVector(to), AsVector(from), moved);
    if (!to.is_same(out)) CopyElements(out, to);
    return;
  }
  int64_t total[kMaxRank] = {};  // a dimension may be named more than once
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = WrapDim(dims[i], self.dim()), size = self.sizes()[static_cast<size_t>(d)];
    total[d] = (total[d] + ShiftIn(shifts[i], size)) % size;
  }
  std::vector<Moved> moved;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (total[d] != 0) moved.push_back({d, total[d]});
  }
  CopyMoved(out, self, moved);
}

const Kernel kernel{"roll", "cpu", kAnyDType, Roll};

}  // namespace
}  // namespace sy::cpu
