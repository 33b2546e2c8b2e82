#include "backends/cuda/engine/select.h"

#include <algorithm>

#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {
namespace {

// Up to here all of a row is sorted at once.
constexpr int64_t kShort = 64;

void LaunchSelect(Call call, DType dtype, bool descending, bool kth, SelectArgs& args) {
  const bool few = !kth && args.k <= kSelectList / 8;
  Specialised kernel("select", "SelectArgs", few ? "SelectFew" : "Select");
  kernel.Element(dtype).Flag(descending);
  if (!few) kernel.Flag(kth);
  kernel.Bound({kOrderThreads, 5});  // as many as shared memory has room for
  Launch(call, kernel, {args.rows * args.chunks, kOrderThreads}, args);
}

// Parts of long rows, where there are not enough rows to keep the device busy. Each has k results.
int64_t ChunksOf(Call call, const Rows& rows, int64_t k) {
  constexpr int64_t kShortest = 1 << 14, kResultsOfChunk = 8, kBlocksOfProcessor = 4;
  const int64_t most = rows.n / std::max(kShortest, kResultsOfChunk * k);
  const int64_t blocks =
      StreamOf(call.key).state().properties().multiprocessors * kBlocksOfProcessor;
  return std::max<int64_t>(1, std::min(most, blocks / rows.count));
}

}  // namespace

SelectArgs SelectArgsOf(const Rows& rows, const Tensor& values, const Tensor& places,
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

void SelectOne(Call call, const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
               int64_t dim, int64_t k, Median median) {
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
        SelectArgs args = SelectArgsOf({sorted, rows.count, rows.n}, to_values, to_places, places);
        args.k = k;
        args.median = median;
        return Launch(call,
                      Specialised("select", "SelectArgs", "SelectSorted").Element(self.dtype()),
                      BlocksFor(rows.count), args);
      }
      SelectArgs args = SelectArgsOf(rows, to_values, to_places, Tensor());
      args.k = k;
      args.median = median;
      LaunchSelect(call, self.dtype(), false, true, args);
    });
  });
}

void TopRows(Call call, const Rows& rows, int64_t k, bool descending, const Tensor& values,
             const Tensor& places, const Tensor& names) {
  if (rows.values.numel() == 0 || k == 0) return;
  if (rows.n <= kShort || k > kSelectList)
    return SortRows(call, rows, descending, values, places, {.names = names, .keep = k});
  SelectArgs args = SelectArgsOf(rows, values, places, names);
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
