// tril_indices and triu_indices: rows in the first row of out, columns in the second.
#include <algorithm>

#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

template <bool kUpper>
void Indices(Call, const Tensor& out, int64_t row, int64_t col, int64_t offset, Optional<DType>,
             Optional<Layout>, Optional<Device>, Optional<bool>) {
  VisitDType<kIntegerTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* rows = out.data<T>();
    T* columns = rows + out.sizes()[1];
    offset = std::clamp(offset, -row, col);
    if (out.numel() == 0) return;
    // Rows in which there is something: below the first, or up to the last, there is nothing.
    const int64_t from = kUpper ? 0 : std::max<int64_t>(0, -offset);
    const int64_t to = kUpper && col - offset < row ? col - offset : row;
    for (int64_t i = from; i < to; ++i) {
      const int64_t begin = kUpper ? std::clamp<int64_t>(i + offset, 0, col) : 0;
      const int64_t end = kUpper ? col : std::clamp<int64_t>(i + offset + 1, 0, col);
      for (int64_t j = begin; j < end; ++j) {
        *rows++ = static_cast<T>(i);
        *columns++ = static_cast<T>(j);
      }
    }
  });
}

const Kernel tril_kernel{"tril_indices", "cpu", kIntegerTypes, Indices<false>};
const Kernel triu_kernel{"triu_indices", "cpu", kIntegerTypes, Indices<true>};

}  // namespace
}  // namespace sy::cpu
