// nonzero and nonzero_static: coordinates of elements that are not 0.
#include "backends/cpu/kernels/index/true_elements.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// Rows and columns of the result, in elements.
struct Places {
  int64_t* data;
  int64_t row, column;
};

// The coordinates of the true elements of a block, a line of the last dimension at a time.
void WriteLines(const TrueElements& elements, IntSpan sizes, const Places& out,
                TrueElements::Block block) {
  const auto last = static_cast<int64_t>(sizes.size()) - 1;
  const int64_t n = sizes[last];
  int64_t line = block.begin / n, at[kMaxRank];
  for (int64_t d = last - 1, rest = line; d >= 0; rest /= sizes[d--]) at[d] = rest % sizes[d];
  for (; block.first < block.last; ++line) {
    const int64_t start = line * n;
    TrueElements::Block part = block;
    part.end = std::min(block.end, start + n);
    int64_t* to = out.data + last * out.column;
    const int64_t next =
        elements.ForEach(part, [&](int64_t i, int64_t k) { to[k * out.row] = i - start; });
    for (int64_t d = 0; d < last; ++d) {
      int64_t* p = out.data + d * out.column;
      for (int64_t k = block.first; k < next; ++k) p[k * out.row] = at[d];
    }
    block.begin = part.end;
    block.first = next;
    for (int64_t d = last - 1; d >= 0 && ++at[d] == sizes[d]; --d) at[d] = 0;
  }
}
// Of the first `most` of all.
void WritePositions(const TrueElements& elements, IntSpan sizes, const Places& out, int64_t most) {
  if (sizes.empty()) return;
  elements.ForEachBlock([&](TrueElements::Block block) {
    block.last = std::min(block.last, most);
    WriteLines(elements, sizes, out, block);
  });
}

// A column of the result is contiguous, as ATen has it.
Tensor Nonzero(Call, const Tensor& self) {
  const Tensor at = NonzeroPositions(self);
  const int64_t n = at.sizes()[1], sizes[] = {n, self.dim()}, strides[] = {1, n};
  return at.AsStrided(sizes, strides, 0);
}

void NonzeroStatic(Call, const Tensor& out, const Tensor& self, int64_t size, int64_t fill_value) {
  if (out.numel() == 0) return;
  const TrueElements elements(self, self.sizes());
  if (elements.count() < size) FillElements(out, Scalar(fill_value));
  WritePositions(elements, self.sizes(), {out.data<int64_t>(), out.strides()[0], out.strides()[1]},
                 size);
}

const Kernel nonzero_kernel{"nonzero", "cpu", kAnyDType, Nonzero};
const Kernel nonzero_static_kernel{"nonzero_static", "cpu", kAnyDType, NonzeroStatic};

}  // namespace

Tensor NonzeroPositions(const Tensor& t) {
  const TrueElements elements(t, t.sizes());
  const int64_t n = elements.count();
  Tensor at = Tensor::Empty({t.dim(), n}, DType::kInt64);
  WritePositions(elements, t.sizes(), {at.data<int64_t>(), 1, n}, n);
  return at;
}

}  // namespace sy::cpu
