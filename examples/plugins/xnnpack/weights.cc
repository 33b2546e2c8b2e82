#include "weights.h"

namespace xnnpack {

Numbers NumbersOf(size_t dims, Span<const int64_t> stride, Span<const int64_t> padding,
                  Span<const int64_t> dilation, Span<const int64_t> more, int64_t groups) {
  Numbers n = {{1, 1}, {0, 0}, {1, 1}, {0, 0}, Small(groups)};
  for (size_t d = 0; d < dims; ++d) {
    const size_t at = 2 - dims + d;
    n.stride[at] = Small(Entry(stride, d));
    n.padding[at] = Small(Entry(padding, d));
    n.dilation[at] = Small(Entry(dilation, d));
    n.more[at] = Small(Entry(more, d));
  }
  return n;
}

const void* Ordered(Call call, Tensor w, bool transposed, int64_t groups) {
  const bool image = w.dim() == 4;
  const int64_t h = image ? w.size(2) : 1, width = w.size(w.dim() - 1);
  const int64_t h_stride = image ? w.stride(2) : 0, w_stride = w.stride(w.dim() - 1);
  // Of a group.
  const int64_t outputs = transposed ? w.size(1) : w.size(0) / groups;
  const int64_t inputs = transposed ? w.size(0) / groups : w.size(1);
  const int64_t sizes[] = {groups, outputs, h, width, inputs};
  const int64_t to[] = {outputs * h * width * inputs, h * width * inputs, width * inputs, inputs,
                        1};
  const int64_t first = w.stride(0), second = w.stride(1);
  const int64_t from[] = {(transposed ? inputs : outputs) * first, transposed ? second : first,
                          h_stride, w_stride, transposed ? first : second};
  bool same = true;
  for (int d = 0; d < 5; ++d) same &= sizes[d] == 1 || to[d] == from[d];
  if (same) return w.data();
  const size_t bytes = BytesOf(w.dtype());
  void* made = Scratch<char>(call, w.numel() * static_cast<int64_t>(bytes));
  CopyElements(call, sizes, {made, to}, {w.data(), from}, bytes);
  return made;
}

const float* Vector(Call call, Tensor x) {
  if (x.numel() <= 1 || x.stride(0) == 1) return x.data<float>();
  float* copy = Scratch<float>(call, x.numel());
  for (int64_t i = 0; i < x.numel(); ++i) copy[i] = x.data<float>()[i * x.stride(0)];
  return copy;
}

}  // namespace xnnpack
