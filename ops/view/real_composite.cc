// Complex tensors seen as real ones and back, without a copy.

#include <array>
#include <string_view>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// The storage of `base` seen as elements of another dtype; offset: in elements of that.
Tensor ViewAs(const Tensor& base, DType dtype, IntSpan sizes, IntSpan strides, int64_t offset) {
  const int64_t numel = NumElements(sizes);
  Tensor t(internal::NewAlias(base.impl(), static_cast<int>(sizes.size())));
  t.impl()->key = WithDType(base.key(), dtype);
  for (size_t i = 0; i < sizes.size(); ++i) {
    t.impl()->sizes()[i] = sizes[i];
    t.impl()->strides()[i] = strides[i];
  }
  t.impl()->numel = numel;
  t.impl()->offset = offset;
  internal::UpdateContiguity(t.impl());
  return t;
}

struct Geometry {
  std::array<int64_t, kMaxRank> sizes, strides;
};

// The real part (0), the imaginary part (1), or both as a last dimension (2).
template <int kPart>
Tensor PartOf(Call call, const Tensor& self) {
  if (!IsComplex(self.dtype())) {
    if (kPart == 0) return self;
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be complex, got ", self.dtype()});
  }
  const size_t rank = self.sizes().size();
  constexpr size_t kAdded = kPart == 2 ? 1 : 0;
  if (rank + kAdded > kMaxRank)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"too many dimensions: at most ", kMaxRank});
  Geometry g;
  for (size_t i = 0; i < rank; ++i) {
    g.sizes[i] = self.sizes()[i];
    g.strides[i] = ProductOr(2, self.strides()[i], 2);  // one that nothing takes may be any
  }
  if (kPart == 2) {
    g.sizes[rank] = 2;
    g.strides[rank] = 1;
  }
  return ViewAs(self, RealType(self.dtype()), {g.sizes.data(), rank + kAdded},
                {g.strides.data(), rank + kAdded}, 2 * self.storage_offset() + kPart % 2);
}
const Composite real_body{"real", PartOf<0>};
const Composite imag_body{"imag", PartOf<1>};
const Composite view_as_real_body{"view_as_real", PartOf<2>};

Tensor ViewAsComplex(Call call, const Tensor& self) {
  constexpr DTypeMask kParts = Mask(DType::kFloat16, DType::kFloat32, DType::kFloat64);
  const auto require = [&](bool holds, std::string_view what) {
    if (holds) return;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must ", what, ", got ", Describe(self), " with strides ", self.strides()});
  };
  require(Contains(kParts, self.dtype()), "be float16, float32 or float64");
  require(self.dim() > 0 && self.size(-1) == 2, "have a last dimension of size 2");
  require(self.stride(-1) == 1, "have a last dimension of stride 1");
  require(self.storage_offset() % 2 == 0, "start at an even storage offset");
  Geometry g;
  const size_t rank = self.sizes().size() - 1;
  for (size_t i = 0; i < rank; ++i) {
    require(self.sizes()[i] == 1 || self.strides()[i] % 2 == 0,
            "have even strides but for the last");
    g.sizes[i] = self.sizes()[i];
    g.strides[i] = self.strides()[i] / 2;
  }
  return ViewAs(self, ComplexType(self.dtype()), {g.sizes.data(), rank}, {g.strides.data(), rank},
                self.storage_offset() / 2);
}
const Composite view_as_complex_body{"view_as_complex", ViewAsComplex};

Tensor Same(Call, const Tensor& self) { return self; }
const Composite resolve_conj_body{"resolve_conj", Same};
const Composite resolve_neg_body{"resolve_neg", Same};

}  // namespace
}  // namespace sy
