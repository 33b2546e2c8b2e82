#include <algorithm>

#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrainBytes = 1 << 16;  // copied bytes worth a thread

// count pieces of `bytes` each, from one after the other to places `step` bytes apart.
void CopyPieces(char* to, int64_t step, const char* from, int64_t bytes, int64_t count,
                bool stream) {
  if (count == 1) {  // threads share the piece
    ParallelFor((bytes + 63) / 64, kGrainBytes / 64, [&](int64_t begin, int64_t end) {
      CopyRow(to + begin * 64, from + begin * 64, std::min(bytes, end * 64) - begin * 64, stream);
      if (stream) StreamEnd();
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, kGrainBytes / bytes);
  ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) CopyRow(to + i * step, from + i * bytes, bytes, stream);
    if (stream) StreamEnd();
  });
}

// The slices of out along dim from `first` on that t becomes.
void CopyInto(const Tensor& out, int64_t dim, int64_t first, const Tensor& t) {
  IndexSpace it(t.sizes());
  it.Add(out);  // strides; sizes are t's
  it.Add(t);
  const int64_t item = static_cast<int64_t>(out.itemsize());
  it.operands[0].data += first * out.strides()[dim] * item;
  CopyElements(it);
}

// Tensors that do not count, 1-d without elements, have nothing to copy either.
void Cat(Call, const Tensor& out, TensorList tensors, int64_t dim) {
  if (out.numel() == 0) return;
  int64_t inner = 1, outer = 1;  // elements in a slice, and around dim
  for (int64_t d = 0; d < dim; ++d) outer *= out.sizes()[d];
  for (int64_t d = dim + 1; d < out.dim(); ++d) inner *= out.sizes()[d];
  const int64_t slice = inner * static_cast<int64_t>(out.itemsize());
  const int64_t step = out.sizes()[dim] * slice;
  const bool stream = 2 * outer * step >= kStreamBytes;
  int64_t first = 0;
  for (const Tensor& t : tensors) {
    if (t.numel() == 0) continue;
    const int64_t size = t.sizes()[dim];
    if (t.dtype() == out.dtype() && t.is_contiguous() && out.is_contiguous()) {
      CopyPieces(static_cast<char*>(out.data()) + first * slice, step,
                 static_cast<const char*>(t.data()), size * slice, outer, stream);
    } else {
      CopyInto(out, dim, first, t);
    }
    first += size;
  }
}

const Kernel kernel{"cat", "cpu", kAnyDType, Cat};

}  // namespace
}  // namespace sy::cpu
