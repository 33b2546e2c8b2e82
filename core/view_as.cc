#include "switchyard/core/view_as.h"

#include <algorithm>
#include <array>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {

Tensor ViewAs(const Tensor& base, DType dtype, IntSpan sizes, IntSpan strides, int64_t offset) {
  const int64_t numel = NumElements(sizes);
  const Tensor t(internal::NewAlias(base.impl(), static_cast<int>(sizes.size())));
  t.impl()->key = WithDType(base.key(), dtype);
  std::ranges::copy(sizes, t.impl()->sizes());
  std::ranges::copy(strides, t.impl()->strides());
  t.impl()->numel = numel;
  t.impl()->offset = offset;
  internal::UpdateContiguity(t.impl());
  return t;
}

Tensor PartOf(const Tensor& complex, int part) {
  std::array<int64_t, kMaxRank> strides;
  const size_t rank = complex.sizes().size();
  for (size_t i = 0; i < rank; ++i)
    strides[i] = ProductOr(2, complex.strides()[i], 2);  // one that nothing takes may be any
  const Tensor t = ViewAs(complex, RealType(complex.dtype()), complex.sizes(),
                          {strides.data(), rank}, 2 * complex.storage_offset() + part);
  t.impl()->key &= ~kConjBit;
  return t;
}

Tensor ViewWithBits(const Tensor& t, KeyWord bits) {
  const Tensor view = ViewAs(t, t.dtype(), t.sizes(), t.strides(), t.storage_offset());
  view.impl()->key = (view.key() & ~(kConjBit | kNegBit)) | bits;
  return view;
}

}  // namespace sy
