// searchsorted, bucketize, isin, repeat_interleave: by halving (device/search.h).

#include "backends/cuda/kernels/reduce.h"
#include "backends/cuda/kernels/scan.h"
#include "backends/cuda/kernels/sort.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

Specialised SearchKernel(const char* function) { return {"search", "SearchArgs", function}; }

// Small dtypes are searched in a wider one that holds all of their values.
DType SearchDType(DType d) {
  if (Contains(kHalves, d)) return DType::kFloat32;
  return IsIntegral(d, true) && d != DType::kInt64 ? DType::kInt32 : d;
}
// Row-major, in the dtype of the computation first and then in that of the search.
Tensor Prepared(Call call, const Tensor& t, DType common, DType wide) {
  const Tensor there = t.is_host() ? FromHost(t, DeviceOfKey(call.key)) : t;
  return Dense(call, Dense(call, there, common), wide);
}

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

// Each position as often as its count says. Waits for the device.
Tensor RepeatInterleave(Call call, const Tensor& repeats, std::optional<int64_t> output_size) {
  if (repeats.dim() != 1 ||
      (repeats.dtype() != DType::kInt64 && repeats.dtype() != DType::kInt32)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): repeats must be 1-d and int64 or int32, got ", Describe(repeats)});
  }
  const int64_t n = repeats.numel(), one[] = {1};
  const Device device = repeats.device();
  const Tensor begins = Tensor::Empty({n + 1}, DType::kInt64, device);
  int64_t total = 0;
  if (n != 0) {
    const Tensor least = Tensor::Empty(IntSpan(), DType::kInt64, device);
    static constexpr Reduction kLeast{"Min"};
    Reduce(call, kLeast, DType::kInt64, repeats, kAllDims, &least);
    CopyElements(call, begins.AsStrided(repeats.sizes(), one, 0), repeats);
    ScanCounts(call, begins, n);
    total = ReadNumber(begins.AsStrided(IntSpan(), IntSpan(), n)).To<int64_t>();
    const int64_t fewest = std::min(total, ReadNumber(least).To<int64_t>());
    if (fewest < 0) {
      Fail(ErrorCode::kInvalidValue, {call.op(),
                                      "(): repeats must not be negative, nor their sum too large; "
                                      "got ",
                                      fewest});
    }
  }
  if (output_size && *output_size != total) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): output_size is ", *output_size, ", but repeats add up to ", total});
  }
  Tensor out = Tensor::Empty({total}, DType::kInt64, device);
  SearchArgs args{};
  args.n = total;
  args.length = n;
  args.sequence = begins.data();
  args.out = out.data();
  Launch(call, SearchKernel("PartOfPosition").Element(DType::kInt64), BlocksFor(total), args);
  if (repeats.dtype() == DType::kInt64) return out;
  Tensor narrow = Tensor::Empty({total}, repeats.dtype(), device);
  CopyElements(call, narrow, out);
  return narrow;
}
const Kernel repeat_interleave{"repeat_interleave.Tensor", "cuda", kAnyDType, RepeatInterleave};

}  // namespace
}  // namespace sy::cuda
