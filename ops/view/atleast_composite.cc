// atleast_1d, atleast_2d and atleast_3d by reshape and unsqueeze.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

template <int kRank>
Tensor AtLeast(Call, const Tensor& self) {
  constexpr int64_t kOnes[] = {1, 1, 1};
  if (self.dim() >= kRank) return self;
  if (self.dim() == 0) return reshape(self, IntSpan(kOnes, kRank));
  const Tensor t = self.dim() == 1 ? unsqueeze(self, 0) : self;
  return kRank == 3 ? unsqueeze(t, -1) : t;
}
template <int kRank>
std::vector<Tensor> AllAtLeast(Call call, TensorList tensors) {
  std::vector<Tensor> list;
  for (const Tensor& t : tensors) list.push_back(AtLeast<kRank>(call, t));
  return list;
}
const Composite atleast_1d_body{"atleast_1d", AtLeast<1>};
const Composite atleast_2d_body{"atleast_2d", AtLeast<2>};
const Composite atleast_3d_body{"atleast_3d", AtLeast<3>};
const Composite atleast_1d_list_body{"atleast_1d.Sequence", AllAtLeast<1>};
const Composite atleast_2d_list_body{"atleast_2d.Sequence", AllAtLeast<2>};
const Composite atleast_3d_list_body{"atleast_3d.Sequence", AllAtLeast<3>};

}  // namespace
}  // namespace sy
