// Different elements, or slices: sorted, unless only neighbours are merged, then picked where they
// differ from the one before (device/compact.h). Values come in ascending order whether sorted was
// asked for or not. Waits for the device.

#include <bit>
#include <tuple>

#include "backends/cuda/engine/index.h"
#include "backends/cuda/engine/scan.h"
#include "backends/cuda/engine/sort.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/index/unique_dim.h"

namespace sy::cuda {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;

long long* Numbers(const Tensor& t) { return static_cast<long long*>(t.data()); }

// Where groups of equal ones begin, among n in order. places: where each was; undefined: there.
struct Groups {
  Call call;
  CompactArgs args{};
  Picked picked;
  int64_t count;

  // condition: of flags, elements in order, or rows of `width`.
  Groups(Call c, const char* condition, const Tensor& flags, int64_t n, int64_t width,
         const Tensor& places)
      : call(c),
        args(ArgsOf(flags, n, width, places)),
        picked(c, condition, flags.dtype(), args),
        count(picked.Count()) {}

  // values: the first of each group of elements in order; firsts: where they were; undefined where
  // not asked for. inverse: the group of each, by where it was. Returns how many each group has.
  Tensor Describe(const Tensor& values, const Tensor& firsts, const Tensor& inverse,
                  bool counts) const {
    CompactArgs a = args;
    a.from = args.flags;
    a.to = values.defined() ? values.data() : nullptr;
    a.firsts = firsts.defined() ? Numbers(firsts) : nullptr;
    a.inverse = inverse.defined() ? Numbers(inverse) : nullptr;
    const Device device = DeviceOfKey(call.key);
    const Tensor heads = Tensor::Empty({counts ? count + 1 : 0}, DType::kInt64, device);
    a.heads = counts ? Numbers(heads) : nullptr;
    picked.ForEach("Groups", values.defined() ? values.itemsize() : 1, a);
    if (!counts) return Tensor::Empty({0}, DType::kInt64, device);
    const int64_t all[] = {count}, one[] = {1};
    FillElements(call, heads.AsStrided(one, one, count), Scalar(args.n));
    Tensor sizes = Tensor::Empty(all, DType::kInt64, device);
    const Tensor ends = heads.AsStrided(all, one, 1), begins = heads.AsStrided(all, one, 0);
    RunFormula({call.kernel, WithDType(call.key, DType::kInt64)}, kFormula<f::Sub>, sizes,
               {&ends, &begins});
    return sizes;
  }

 private:
  static CompactArgs ArgsOf(const Tensor& flags, int64_t n, int64_t width, const Tensor& places) {
    CompactArgs args{};
    args.n = n;
    args.width = width;
    args.flags = flags.data();
    args.places = places.defined() ? Numbers(places) : nullptr;
    return args;
  }
};

Tensor NewInverse(const Tensor& self, IntSpan sizes, bool asked) {
  constexpr int64_t kNone[] = {0};
  return Tensor::Empty(asked ? sizes : IntSpan(kNone), DType::kInt64, self.device());
}
Tensor IfAsked(const Tensor& t, bool asked) { return asked ? t : Tensor(); }

// Elements in row-major order.
Three UniqueElements(Call call, const Tensor& self, bool sort, bool return_inverse,
                     bool return_counts) {
  Tensor x = Flat(Dense(call, self, self.dtype())), places;
  const int64_t n = x.numel();
  const Tensor inverse = NewInverse(self, self.sizes(), return_inverse);
  const Device device = self.device();
  if (n == 0) {
    return {Tensor::Empty({0}, self.dtype(), device), inverse,
            Tensor::Empty({0}, DType::kInt64, device)};
  }
  if (sort) {
    const Tensor sorted = Tensor::Empty({n}, self.dtype(), device);
    if (return_inverse) places = Tensor::Empty({n}, DType::kInt64, device);
    SortRows(call, {x, 1, n}, false, sorted, places);
    x = sorted;
  }
  const Groups groups(call, "NotAsLeft", x, n, 1, places);
  const Tensor values = Tensor::Empty({groups.count}, self.dtype(), device);
  Tensor counts =
      groups.Describe(values, Tensor(), IfAsked(inverse, return_inverse), return_counts);
  return {values, inverse, std::move(counts)};
}

// Positions of rows in ascending order, stably.
Tensor SortedRows(Call call, const Tensor& rows, int64_t n, int64_t width) {
  RowSortArgs args{};
  args.n = n;
  args.size = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n)));
  args.width = width;
  args.values = rows.data();
  const Tensor places = Tensor::Empty({args.size + 1}, DType::kInt64, rows.device());
  FillElements(call, places, Scalar(1));
  ScanCounts(call, places, args.size);  // 0, 1, …
  args.places = Numbers(places);
  for (args.run = 2; args.run <= args.size; args.run *= 2) {
    for (args.apart = args.run / 2; args.apart > 0; args.apart /= 2) {
      Launch(call, Specialised("row_sort", "RowSortArgs", "CompareRows").Element(rows.dtype()),
             BlocksFor(args.size / 2), args);
    }
  }
  return places;
}

Three UniqueSlices(Call call, const Tensor& self, int64_t dim, bool sort) {
  const Tensor front = DimInFront(self, dim), rows = Dense(call, front, self.dtype());
  const int64_t n = rows.size(0), width = n == 0 ? 0 : rows.numel() / n;
  const Device device = self.device();
  std::vector<int64_t> sizes(rows.sizes().begin(), rows.sizes().end());
  const int64_t all[] = {n};
  const Tensor inverse = Tensor::Empty(all, DType::kInt64, device);
  if (n == 0) {
    return {DimBack(Tensor::Empty(sizes, self.dtype(), device), dim), inverse,
            Tensor::Empty({0}, DType::kInt64, device)};
  }
  const Tensor places = sort ? SortedRows(call, rows, n, width) : Tensor();
  const Groups groups(call, "NotAsBefore", rows, n, width, places);
  const Tensor firsts = Tensor::Empty({groups.count}, DType::kInt64, device);
  Tensor counts = groups.Describe(Tensor(), firsts, inverse, true);
  sizes[0] = groups.count;
  const Tensor values = Tensor::Empty(sizes, self.dtype(), device);
  GatherElements(call, values, rows, 0, IndexOfSlices(firsts, sizes, 0));
  return {DimBack(values, dim), inverse, std::move(counts)};
}

Three Unique2(Call call, const Tensor& self, bool /*sorted*/, bool return_inverse,
              bool return_counts) {
  return UniqueElements(call, self, true, return_inverse, return_counts);
}
std::tuple<Tensor, Tensor> Unique(Call call, const Tensor& self, bool, bool return_inverse) {
  auto [values, inverse, counts] = UniqueElements(call, self, true, return_inverse, false);
  return {std::move(values), std::move(inverse)};
}
// ATen describes the groups of slices whether asked to or not.
Three UniqueDim(Call call, const Tensor& self, int64_t dim, bool, bool, bool) {
  return UniqueSlices(call, self, CheckedUniqueDim(call.op(), self, dim), true);
}
Three UniqueConsecutive(Call call, const Tensor& self, bool return_inverse, bool return_counts,
                        Optional<int64_t> dim) {
  if (dim && !(*dim == 0 && self.dim() == 1))
    return UniqueSlices(call, self, CheckedUniqueDim(call.op(), self, *dim), false);
  return UniqueElements(call, self, false, return_inverse, return_counts);
}

const Kernel unique{"_unique", "cuda", kSortTypes, Unique};
const Kernel unique2{"_unique2", "cuda", kSortTypes, Unique2};
const Kernel unique_dim{"unique_dim", "cuda", kSortTypes, UniqueDim};
const Kernel unique_consecutive{"unique_consecutive", "cuda", kSortTypes, UniqueConsecutive};

}  // namespace
}  // namespace sy::cuda
