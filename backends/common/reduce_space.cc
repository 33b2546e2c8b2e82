#include "switchyard/backends/common/reduce_space.h"

#include <algorithm>

namespace sy {

ReduceSpace::ReduceSpace(const Tensor& self, uint64_t mask, std::span<const Tensor* const> outputs,
                         bool positions)
    : IndexSpace(IntSpan()) {
  const int own = static_cast<int>(self.dim());
  const int64_t item = static_cast<int64_t>(self.itemsize());
  const Tensor* shaped = nullptr;
  Next(static_cast<char*>(self.data()), item, self.dtype());
  for (const Tensor* t : outputs) {
    if (t == nullptr) {
      Next(nullptr, 0, DType::kBool);
      continue;
    }
    if (shaped == nullptr) shaped = t;
    Next(static_cast<char*>(t->data()), static_cast<int64_t>(t->itemsize()), t->dtype());
  }
  if (positions) Next(nullptr, 1, DType::kBool);
  const bool keepdim = shaped->dim() == own;
  int n = 0;
  int64_t position = 1;
  for (const bool reduced : {false, true}) {
    int out_dim = static_cast<int>(shaped->dim());
    for (int d = own - 1; d >= 0; --d) {
      const bool is_reduced = (mask >> d & 1) != 0;
      if (!is_reduced || keepdim) --out_dim;
      const int64_t size = self.sizes()[d];
      if (is_reduced != reduced || size == 1) continue;
      sizes[n] = size;
      operands[0].strides[n] = self.strides()[d] * item;
      for (size_t k = 0; k < outputs.size(); ++k) {
        Operand& o = operands[1 + k];
        const bool still = reduced || outputs[k] == nullptr;
        o.strides[n] = still ? 0 : outputs[k]->strides()[out_dim] * o.item;
      }
      if (positions) operands[num_operands - 1].strides[n] = reduced ? position : 0;
      if (reduced) position *= size;
      ++n;
    }
    if (n == (reduced ? kept : 0)) AddOne(n++);
    if (!reduced) kept = n;
  }
  const int all_kept = kept;
  kept = CoalescePart(0, all_kept);
  // Reduced dimensions move down to the kept ones that are left.
  for (int d = all_kept; d < n && kept < all_kept; ++d) Swap(d, kept + d - all_kept);
  rank = CoalescePart(kept, kept + n - all_kept);
}

// A dimension of size 1, so that there is one of either kind.
void ReduceSpace::AddOne(int d) {
  sizes[d] = 1;
  for (int k = 0; k < num_operands; ++k) operands[k].strides[d] = 0;
}

// Dimensions first … last - 1, of which at least one is left. Returns their end.
int ReduceSpace::CoalescePart(int first, int last) {
  const int end = CoalesceRange(first, last);
  if (end > first) return end;
  AddOne(first);
  return first + 1;
}

IndexSpace ReduceSpace::Part(int first, int last) const {
  IndexSpace part{IntSpan()};
  part.rank = last - first;
  part.num_operands = num_operands;
  std::copy(sizes + first, sizes + last, part.sizes);
  for (int k = 0; k < num_operands; ++k) {
    const Operand& o = operands[k];
    part.operands[k].data = o.data;
    part.operands[k].item = o.item;
    part.operands[k].dtype = o.dtype;
    std::copy(o.strides + first, o.strides + last, part.operands[k].strides);
  }
  return part;
}

}  // namespace sy
