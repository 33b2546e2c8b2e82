#include <optional>
#include <string_view>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/kernels/sort/search.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/numbers.h"

namespace sy::cuda {
namespace {

void Searchsorted(Call call, const Tensor& out, const Tensor& sequence, const Tensor& self,
                  bool /*out_int32*/, bool right, std::optional<std::string_view> side,
                  const Tensor& sorter) {
  if (out.numel() == 0) return;
  SearchArgs args{};
  args.n = out.numel();
  args.length = sequence.sizes().back();
  if (args.length == 0) return FillElements(call, out, 0);
  const DType common = call.dtype(), wide = SearchDType(common);
  const Tensor where = Prepared(call, sequence, common, wide),
               what = Prepared(call, self, common, wide),
               order = Dense(call, sorter, DType::kInt64);
  args.row = sequence.dim() > 1 ? self.sizes().back() : 0;
  args.sequence = where.data();
  args.what = what.data();
  args.order = order.defined() ? static_cast<const long long*>(order.data()) : nullptr;
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call,
           SearchKernel("SearchSorted")
               .Element(wide)
               .Element(to.dtype())
               .Flag(right || (side && *side == "right")),
           BlocksFor(args.n), args);
  });
}
void Bucketize(Call call, const Tensor& out, const Tensor& self, const Tensor& boundaries,
               bool out_int32, bool right) {
  Searchsorted(call, out, boundaries, self, out_int32, right, std::nullopt, Tensor());
}

const Kernel searchsorted{"searchsorted.Tensor", "cuda", kAnyDType, Searchsorted};
const Kernel bucketize{"bucketize.Tensor", "cuda", kAnyDType, Bucketize};

}  // namespace
}  // namespace sy::cuda
