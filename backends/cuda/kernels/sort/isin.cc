#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/sort.h"
#include "backends/cuda/kernels/sort/search.h"

namespace sy::cuda {
namespace {

void Isin(Call call, const Tensor& out, const Tensor& elements, const Tensor& test_elements, bool,
          bool invert) {
  if (out.numel() == 0) return;
  const DType d = call.dtype();
  if (test_elements.numel() == 0) return FillElements(call, out, invert);
  const Tensor what = Prepared(call, elements, d, d), among = Prepared(call, test_elements, d, d);
  const Tensor sorted = Tensor::Empty({among.numel()}, d, DeviceOfKey(call.key));
  SortRows(call, {among, 1, among.numel()}, false, sorted, Tensor());
  SearchArgs args{};
  args.n = out.numel();
  args.length = sorted.numel();
  args.sequence = sorted.data();
  args.what = what.data();
  IntoDense(call, out, DType::kBool, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, SearchKernel("IsAmong").Element(d).Flag(invert), BlocksFor(args.n), args);
  });
}
const Kernel isin{"isin.Tensor_Tensor", "cuda", kSortTypes, Isin};

}  // namespace
}  // namespace sy::cuda
