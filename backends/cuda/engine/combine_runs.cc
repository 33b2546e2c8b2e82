// Source of what is combined how: ATen/native/cpu/ScatterGatherKernel.cpp, IndexKernel.cpp and
// index_reduce in TensorAdvancedIndexing.cpp.
#include "backends/cuda/engine/combine_runs.h"

#include <algorithm>
#include <bit>

#include "backends/cuda/engine/sort.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/packs.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

using Ints = std::vector<int64_t>;

constexpr int64_t kRunPart = 1024;  // as device/index.h's

Ints InBytes(Ints strides, int64_t item) {
  for (int64_t& s : strides) s *= item;
  return strides;
}

// Keys in order, and where each was; `order` stays undefined where they are as they were.
struct Sorted {
  Tensor keys, order;
};
Sorted SortLinearIndices(Call call, const LinearIndices& places) {
  const int64_t n = places.keys.numel();
  if (places.unique || n == 1) return {places.keys, Tensor()};
  Sorted s{Tensor::Empty({n}, places.keys.dtype(), places.keys.device()),
           Tensor::Empty({n}, DType::kInt64, places.keys.device())};
  const int bits = std::bit_width(static_cast<uint64_t>(places.end));
  SortRows(call, {places.keys, 1, n}, false, s.keys, s.order, {.key_bytes = (bits + 7) / 8});
  return s;
}

}  // namespace

const char* StepOf(Combine how, DType dtype, const CombineOptions& options) {
  switch (how) {
    case Combine::kMultiply:
      return "MultiplyBy";
    case Combine::kMin:
      return "LesserOf";
    case Combine::kMax:
      return "GreaterOf";
    default:
      break;
  }
  if (options.alpha.is_one()) return "AddTo";
  if (!options.round_product) return "AddScaledTo";
  return dtype == DType::kFloat16 ? "AddRoundedTo<Float16>" : "AddRoundedTo<BFloat16>";
}

void FillKeys(Call call, const LinearIndices& places, const Tensor& index, IntSpan strides,
              bool first, KeyArgs args) {
  IndexSpace w(index.sizes());  // in row-major order
  w.Add(nullptr, 1, strides);
  w.Add(index);
  RequireFewDims(call.op(), w);
  const bool wide = !w.is_narrow();
  FillSpace(w, {.flat = false, .wide = wide, .each = 1, .stride_kinds = {}}, args.space);
  args.index = index.data();
  args.keys = places.keys.data();
  args.end = places.end;
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  Launch(call,
         Specialised("index", "KeyArgs", "Keys")
             .Element(index.dtype())
             .Element(places.keys.dtype())
             .Flag(first)
             .Index(wide),
         BlocksFor(args.space.n), args);
}

void PutRuns(Call call, Combine how, const Tensor& out, const LinearIndices& places,
             const Tensor& source, const Runs& runs, const CombineOptions& options) {
  const int64_t count = places.keys.numel();
  if (count == 0 || NumElements(runs.sizes) == 0) return;
  const auto item = static_cast<int64_t>(out.itemsize());
  const Sorted sorted = SortLinearIndices(call, places);
  const DType dtype = out.dtype();
  RunArgs args{};
  args.keys = sorted.keys.data();
  args.order =
      sorted.order.defined() ? static_cast<const long long*>(sorted.order.data()) : nullptr;
  args.count = count;
  args.end = places.end;
  args.stride = runs.to_stride * item;
  args.to = out.data();
  args.from = source.defined() ? source.data() : nullptr;
  args.number = ImmediateOf(options.number, dtype);
  args.with_self = options.with_self;

  const Ints item_strides = InBytes(runs.item_strides, item);
  IndexSpace items(runs.item_sizes);  // numbered in row-major order
  items.Add(const_cast<void*>(args.from), item, item_strides);
  RequireFewDims(call.op(), items);
  constexpr bool kWide = true;
  FillSpace(items, {.flat = false, .wide = kWide, .each = 1, .stride_kinds = {}}, args.items);
  IndexSpace others(runs.sizes);
  others.Add(args.to, item, InBytes(runs.to_strides, item));
  others.Add(const_cast<void*>(args.from), item, InBytes(runs.from_strides, item));
  others.Coalesce();
  RequireFewDims(call.op(), others);
  // Neighbouring threads have neighbours of one item, or one of neighbouring items.
  const bool items_inside = others.operands[0].strides[0] != item || others.sizes[0] == 1;

  int each = 1;
  if (how == Combine::kCopy && !items_inside && source.defined()) {
    each = PackOf(others, {0, 1}, args.stride);
    for (int64_t s : item_strides) {
      while (s % (each * item) != 0) each /= 2;
    }
  }
  FillSpace(others, {.flat = false, .wide = kWide, .each = each, .stride_kinds = {}}, args.others);
  const Grid grid = BlocksFor(count * args.others.n);
  if (how == Combine::kCopy) {
    return Launch(call,
                  Specialised("index", "RunArgs", "PutRuns")
                      .Bits(static_cast<size_t>(item * each))
                      .Element(places.keys.dtype())
                      .Flag(items_inside),
                  grid, args);
  }
  args.alpha = ImmediateOf(options.alpha, dtype);
  args.identity = ImmediateOf(IdentityOf(how, dtype), dtype);
  const bool rounds_each = options.round_each && Contains(kHalves, dtype);
  // Where each step rounds there is one order of steps.
  Tensor part_sums;
  const int64_t parts = (count + kRunPart - 1) / kRunPart;
  const bool cuts = !rounds_each && !places.unique && parts > 1;
  if (cuts) {
    constexpr int64_t kSumBytes = 16;  // a complex number of doubles
    part_sums = Tensor::Empty({parts * 2 * args.others.n * kSumBytes}, DType::kUInt8, out.device());
    args.parts = part_sums.data();
  }
  Launch(call,
         Specialised("index", "RunArgs", "CombineRuns")
             .Type(StepOf(how, dtype, options))
             .Element(dtype)
             .Element(places.keys.dtype())
             .Flag(rounds_each)
             .Flag(options.mean)
             .Flag(items_inside),
         grid, args);
  if (!cuts) return;
  constexpr int64_t kWarp = 32;
  Launch(call,
         Specialised("index", "RunArgs", "JoinRuns")
             .Type(StepOf(how, dtype, options))
             .Element(dtype)
             .Element(places.keys.dtype())
             .Flag(options.mean),
         BlocksFor(parts * args.others.n * kWarp), args);
}

LinearIndices LinearIndicesOf(Call call, const Tensor& self, const std::vector<Tensor>& indices,
                              IntSpan sizes) {
  int64_t end = 1;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (indices[d].defined()) end += std::max<int64_t>(0, self.sizes()[d] - 1) * self.strides()[d];
  }
  LinearIndices places{Tensor::Empty({NumElements(sizes)}, KeyType(end), self.device()), end,
                       false};
  if (places.keys.numel() == 0) return places;
  const Ints none(sizes.size(), 0);
  bool first = true;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    KeyArgs keys{};
    keys.size = self.sizes()[d];
    keys.stride = self.strides()[d];
    keys.dim = static_cast<int64_t>(d);
    keys.wraps = true;
    FillKeys(call, places, indices[d], none, first, keys);
    first = false;
  }
  return places;
}

void PutAtLinearIndices(Call call, Combine how, const Tensor& out, int64_t dim,
                        const LinearIndices& places, const Tensor& from,
                        const CombineOptions& options) {
  Runs runs;
  runs.item_sizes = {places.keys.numel()};
  runs.item_strides = {from.strides()[static_cast<size_t>(dim)]};
  runs.to_stride = 1;
  for (size_t i = 0; i < out.sizes().size(); ++i) {
    if (static_cast<int64_t>(i) == dim) continue;
    runs.sizes.push_back(out.sizes()[i]);
    runs.to_strides.push_back(out.strides()[i]);
    runs.from_strides.push_back(from.strides()[i]);
  }
  PutRuns(call, how, out, places, from, runs, options);
}

}  // namespace sy::cuda
