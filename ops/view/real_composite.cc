// Complex tensors seen as real ones and back, without a copy.

#include <algorithm>
#include <array>
#include <string_view>

#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/core/view_as.h"
#include "switchyard/dispatcher/conjugates.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

struct Geometry {
  std::array<int64_t, kMaxRank> sizes, strides;
};

template <int kPart>
Tensor Part(Call call, const Tensor& self) {
  if (IsComplex(self.dtype())) return internal::Followed(PartView(self, kPart), self);
  if (kPart == 0) return self;
  Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be complex, got ", self.dtype()});
}

// Both parts as a last dimension.
Tensor Parts(Call call, const Tensor& self) {
  if (!IsComplex(self.dtype()))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be complex, got ", self.dtype()});
  internal::RequireResolved(self, call.op());
  const size_t rank = self.sizes().size();
  if (rank + 1 > kMaxRank)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"too many dimensions: at most ", kMaxRank});
  const Tensor real = PartOf(self, 0);
  Geometry g;
  std::ranges::copy(real.sizes(), g.sizes.begin());
  std::ranges::copy(real.strides(), g.strides.begin());
  g.sizes[rank] = 2;
  g.strides[rank] = 1;
  return internal::Followed(ViewAs(self, real.dtype(), {g.sizes.data(), rank + 1},
                                   {g.strides.data(), rank + 1}, real.storage_offset()),
                            self);
}
const Composite real_body{"real", Part<0>};
const Composite imag_body{"imag", Part<1>};
const Composite view_as_real_body{"view_as_real", Parts};

Tensor ViewAsComplex(Call call, const Tensor& self) {
  constexpr DTypeMask kParts = Mask(DType::kFloat16, DType::kFloat32, DType::kFloat64);
  const auto require = [&](bool holds, std::string_view what) {
    if (holds) return;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must ", what, ", got ", Describe(self), " with strides ", self.strides()});
  };
  internal::RequireResolved(self, call.op());
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
  return internal::Followed(ViewAs(self, ComplexType(self.dtype()), {g.sizes.data(), rank},
                                   {g.strides.data(), rank}, self.storage_offset() / 2),
                            self);
}
const Composite view_as_complex_body{"view_as_complex", ViewAsComplex};

Tensor ResolveConj(Call, const Tensor& self) { return self.is_conj() ? Resolve(self) : self; }
Tensor ResolveNeg(Call, const Tensor& self) { return self.is_neg() ? Resolve(self) : self; }
const Composite resolve_conj_body{"resolve_conj", ResolveConj};
const Composite resolve_neg_body{"resolve_neg", ResolveNeg};

}  // namespace
}  // namespace sy
