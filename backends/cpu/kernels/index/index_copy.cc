#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/positions.h"
#include "switchyard/backends/cpu/engine/slices.h"

namespace sy::cpu {
namespace {

constexpr size_t kSmallBytes = 1 << 10;  // copied here, without setting up loops

void IndexCopy(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& source) {
  const Positions at(call, index, dim, out.dim() == 0 ? 1 : out.sizes()[dim]);
  const int64_t count = index.numel();
  const size_t bytes = source.nbytes();
  const bool rows = dim == 0 && out.is_contiguous() && source.is_contiguous();
  if (!rows || bytes > kSmallBytes || bytes == 0) [[unlikely]]
    return PutSlices(out, dim, at.data(), count, source);
  const size_t row = bytes / static_cast<size_t>(count);
  char* to = static_cast<char*>(out.data());
  const char* from = static_cast<const char*>(source.data());
  for (int64_t k = 0; k < count; ++k)
    CopyFew(to + static_cast<size_t>(at[k]) * row, from + static_cast<size_t>(k) * row, row);
}

const Kernel kernel{"index_copy", "cpu", kAnyDType, IndexCopy};

}  // namespace
}  // namespace sy::cpu
