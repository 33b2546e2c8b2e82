// topk, kthvalue, median, nanmedian, mode (device/select.h). Equal elements keep the order of their
// places.

#include <limits>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/kernels/sort.h"
#include "backends/cuda/kernels/specialised.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kSelectTypes = kIntegers | kFloatingTypes;
// Up to here all of a row is sorted at once.
constexpr int64_t kShort = 64;

SelectArgs ArgsOf(const Rows& rows, const Tensor& values, const Tensor& places,
                  const Tensor& names) {
  const auto numbers = [](const Tensor& t) {
    return t.defined() ? static_cast<long long*>(t.data()) : nullptr;
  };
  SelectArgs args{};
  args.rows = rows.count;
  args.n = rows.n;
  args.chunks = 1;
  args.values = rows.values.data();
  args.names = numbers(names);
  args.to_values = values.defined() ? values.data() : nullptr;
  args.to_places = numbers(places);
  return args;
}

void LaunchSelect(Call call, DType dtype, bool descending, bool kth, SelectArgs& args) {
  Launch(call,
         Specialised("select", "SelectArgs", "Select").Element(dtype).Flag(descending).Flag(kth),
         {args.rows * args.chunks, kOrderThreads}, args);
}

// Parts of long rows, where there are not enough rows to keep the device busy. Each has k results.
int64_t ChunksOf(Call call, const Rows& rows, int64_t k) {
  constexpr int64_t kShortest = 1 << 14, kResultsOfChunk = 8, kBlocksOfProcessor = 4;
  const int64_t most = rows.n / std::max(kShortest, kResultsOfChunk * k);
  const int64_t blocks =
      StreamOf(call.key).state().properties().multiprocessors * kBlocksOfProcessor;
  return std::max<int64_t>(1, std::min(most, blocks / rows.count));
}

void Topk(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
          int64_t dim, bool largest, bool /*sorted*/) {
  if (values.numel() == 0) return;
  if (self.dim() == 0) k = 1;  // itself, as ATen, also where none is asked for
  dim = WrapDim(dim, self.dim());
  const Rows rows = RowsAlong(call, self, dim);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      TopRows(call, rows, k, largest, to_values, to_places);
    });
  });
}

// One element of each row: the k-th, or the median.
void SelectOne(Call call, const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
               int64_t dim, int64_t k, Median median) {
  dim = WrapDim(dim, self.dim());
  const Tensor values = WithDim(values_out, dim, self.dim()),
               indices = WithDim(indices_out, dim, self.dim());
  if (values.numel() == 0) return;
  const Rows rows = RowsAlong(call, self, dim);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      // A few long rows leave most of the device idle unless all of it sorts them.
      constexpr int64_t kLong = 1 << 18, kFewRows = 32;
      if (rows.n <= kShort || (rows.n >= kLong && rows.count < kFewRows)) {
        const Tensor sorted = Tensor::Empty(rows.values.sizes(), self.dtype(), self.device()),
                     places = Tensor::Empty(rows.values.sizes(), DType::kInt64, self.device());
        SortRows(call, rows, false, sorted, places);
        SelectArgs args = ArgsOf({sorted, rows.count, rows.n}, to_values, to_places, places);
        args.k = k;
        args.median = median;
        return Launch(call,
                      Specialised("select", "SelectArgs", "SelectSorted").Element(self.dtype()),
                      BlocksFor(rows.count), args);
      }
      SelectArgs args = ArgsOf(rows, to_values, to_places, Tensor());
      args.k = k;
      args.median = median;
      LaunchSelect(call, self.dtype(), false, true, args);
    });
  });
}

void Kthvalue(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
              int64_t dim, bool) {
  SelectOne(call, values, indices, self, dim, k, Median::kNone);
}
template <Median kMedian>
void MedianDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
               int64_t dim, bool) {
  SelectOne(call, values, indices, self, dim, 0, kMedian);
}
template <Median kMedian>
void MedianOfAll(Call call, const Tensor& out, const Tensor& self) {
  if (self.numel() == 0)
    return FillElements(call, out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  const Tensor flat = Flat(Dense(call, self, self.dtype()));
  const Tensor place = Tensor::Empty(IntSpan(), DType::kInt64, self.device());
  SelectOne(call, out, place, flat, 0, 0, kMedian);
}

void Mode(Call call, const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
          int64_t dim, bool) {
  dim = WrapDim(dim, self.dim());
  const Tensor values = WithDim(values_out, dim, self.dim()),
               indices = WithDim(indices_out, dim, self.dim());
  if (values.numel() == 0) return;
  const Rows rows = RowsAlong(call, self, dim);
  const Tensor sorted = Tensor::Empty(rows.values.sizes(), self.dtype(), self.device()),
               places = Tensor::Empty(rows.values.sizes(), DType::kInt64, self.device());
  SortRows(call, rows, false, sorted, places);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      SelectArgs args = ArgsOf({sorted, rows.count, rows.n}, to_values, to_places, places);
      Launch(call, Specialised("select", "SelectArgs", "ModeOfSorted").Element(self.dtype()),
             {rows.count, kOrderThreads}, args);
    });
  });
}

constexpr DTypeMask kAlsoBool = kSelectTypes | kBool;
const Kernel topk{"topk", "cuda", kSelectTypes, Topk};
const Kernel kthvalue{"kthvalue", "cuda", kSelectTypes, Kthvalue};
const Kernel median{"median", "cuda", kAlsoBool, MedianOfAll<Median::kWithNaN>};
const Kernel median_dim{"median.dim", "cuda", kSelectTypes, MedianDim<Median::kWithNaN>};
const Kernel nanmedian{"nanmedian", "cuda", kAlsoBool, MedianOfAll<Median::kWithoutNaN>};
const Kernel nanmedian_dim{"nanmedian.dim", "cuda", kSelectTypes, MedianDim<Median::kWithoutNaN>};
const Kernel mode{"mode", "cuda", kAlsoBool, Mode};

}  // namespace

void TopRows(Call call, const Rows& rows, int64_t k, bool descending, const Tensor& values,
             const Tensor& places, const Tensor& names) {
  if (rows.values.numel() == 0 || k == 0) return;
  if (rows.n <= kShort || k > kSelectList)
    return SortRows(call, rows, descending, values, places, {.names = names, .keep = k});
  SelectArgs args = ArgsOf(rows, values, places, names);
  args.k = k;
  args.chunks = ChunksOf(call, rows, k);
  if (args.chunks == 1) return LaunchSelect(call, rows.values.dtype(), descending, false, args);
  // The first of each part, then the first of those.
  const int64_t sizes[] = {rows.count, args.chunks * k};
  const Device device = rows.values.device();
  const Tensor some = Tensor::Empty(sizes, rows.values.dtype(), device),
               at = Tensor::Empty(sizes, DType::kInt64, device);
  args.to_values = some.data();
  args.to_places = static_cast<long long*>(at.data());
  LaunchSelect(call, rows.values.dtype(), descending, false, args);
  TopRows(call, {some, rows.count, sizes[1]}, k, descending, values, places, at);
}

}  // namespace sy::cuda
