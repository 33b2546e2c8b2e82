#include "backends/cuda/engine/index.h"

#include <algorithm>
#include <cstring>

#include "backends/cuda/engine/combine_runs.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/packs.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

using Ints = std::vector<int64_t>;

// Byte strides of t with the sizes of an index, `dim` not moving where `still`.
Ints StridesOf(const Tensor& t, int64_t dim, bool still) {
  Ints strides;
  for (size_t d = 0; d < t.strides().size(); ++d) {
    const bool stays = still && static_cast<int64_t>(d) == dim;
    strides.push_back(stays ? 0 : t.strides()[d] * static_cast<int64_t>(t.itemsize()));
  }
  return strides;
}
// The same of a source, which there may be none of.
Ints SourceStrides(const Tensor& source, const Tensor& index, int64_t dim, bool still) {
  return source.defined() ? StridesOf(source, dim, still) : Ints(index.sizes().size(), 0);
}

IndexArgs ArgsOf(const Call& call, const Tensor& indexed, int64_t dim, const Tensor& index,
                 bool wraps) {
  IndexArgs args{};
  const auto d = static_cast<size_t>(dim);
  args.index = index.data();
  args.size = indexed.sizes()[d];
  args.stride = indexed.strides()[d] * static_cast<int64_t>(indexed.itemsize());
  args.dim = dim;
  args.wraps = wraps;
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  return args;
}

// Whether everything that is reached fits 31 bits; dim is walked over by positions.
bool IsWide(const IndexSpace& w, const IndexArgs& args) {
  return !w.is_narrow() || args.size * args.stride > INT32_MAX;
}

Specialised IndexKernel(const char* function) { return {"index", "IndexArgs", function}; }

void Run(const Call& call, Specialised kernel, const IndexSpace& w, bool wide, int each,
         IndexArgs& args) {
  RequireFewDims(call.op(), w);
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .stride_kinds = {}}, args.space);
  Launch(call, kernel.Index(wide), BlocksFor(args.space.n), args);
}

// An element of `item` bytes, again and again.
Immediate Repeated(Immediate x, size_t item) {
  for (size_t at = item; at + item <= sizeof x.bytes; at += item)
    std::memcpy(x.bytes + at, x.bytes, item);
  return x;
}

// Elements that neighbours of one slice have side by side; index: the operand that does not move
// along them.
int PackOfSlices(const IndexSpace& w, int index, std::initializer_list<int> moved, int64_t stride) {
  return w.operands[index].strides[0] == 0 ? PackOf(w, moved, stride) : 1;
}

// False, and nothing done, where rows are short, or not such that a block's threads go along them.
bool GatherInRows(const Call& call, const IndexSpace& w, IndexArgs& args, int64_t index_item,
                  int each, int64_t item, DType index_type, bool sparse) {
  constexpr int64_t kLeastThreads = 64, kMostRows = 65535;
  if (w.rank > 2 || w.operands[0].strides[0] != item) return false;
  if (w.rank == 1) {
    args.space.sizes[1] = 1;
    for (auto& strides : args.space.strides) strides[1] = 0;
  }
  const bool number = args.from == nullptr;
  const auto launch = [&](Specialised kernel, int64_t threads) {
    Grid grid = BlocksFor(threads);
    grid.blocks_y = std::min<int64_t>(args.space.sizes[1], kMostRows);
    Launch(call, kernel, grid, args);
    return true;
  };
  if (w.operands[1].strides[0] == 0) {
    if (args.space.sizes[0] < kLeastThreads || (!number && w.operands[2].strides[0] != item))
      return false;
    return launch(IndexKernel("GatherSlices")
                      .Bits(static_cast<size_t>(item * each))
                      .Element(index_type)
                      .Flag(sparse)
                      .Flag(number),
                  args.space.sizes[0]);
  }
  if (each != 1 || w.operands[1].strides[0] != index_item || w.operands[2].strides[0] != 0)
    return false;
  // As many as are moved at once: their indices lie in 32 bytes at most.
  int64_t beside = std::min<int64_t>(16 / item, 32 / index_item);
  const auto fits = [&](int64_t n) {
    const auto lies = [&](const IndexSpace::Operand& o, int64_t bytes) {
      return reinterpret_cast<uintptr_t>(o.data) % static_cast<uint64_t>(bytes) == 0 &&
             (w.rank == 1 || o.strides[1] % bytes == 0);
    };
    return w.sizes[0] % n == 0 && lies(w.operands[0], n * item) &&
           lies(w.operands[1], n * index_item);
  };
  while (beside > 1 && !fits(beside)) beside /= 2;
  if (beside < 1 || w.sizes[0] / beside < kLeastThreads) return false;
  return launch(IndexKernel("GatherRows")
                    .Bits(static_cast<size_t>(item))
                    .Element(index_type)
                    .Flag(sparse)
                    .Flag(number)
                    .Number(static_cast<int>(beside)),
                w.sizes[0] / beside);
}

void LaunchGather(const Call& call, const Tensor& out, const Tensor& from, int64_t dim,
                  const Tensor& index, bool sparse, IndexArgs& args) {
  args.to = out.data();
  const auto item = static_cast<int64_t>(out.itemsize());
  IndexSpace w(out.sizes());
  w.Add(args.to, item, StridesOf(out, dim, false));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
  w.Add(const_cast<void*>(args.from), item, SourceStrides(from, index, dim, true));
  w.Coalesce();
  RequireFewDims(call.op(), w);
  const bool wide = IsWide(w, args);
  const int each =
      args.from == nullptr ? PackOfSlices(w, 1, {0}, 0) : PackOfSlices(w, 1, {0, 2}, args.stride);
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .stride_kinds = {}}, args.space);
  if (GatherInRows(call, w, args, static_cast<int64_t>(index.itemsize()), each, item, index.dtype(),
                   sparse))
    return;
  // Blocks go on for a while where there are enough of them. Large ones where single elements are
  // looked for: what a processor's few blocks read, some 64 kB each, stays in its cache.
  constexpr int64_t kItems = 4, kMany = 1 << 22, kRounds = 4;
  const bool many = args.space.n >= kMany;
  const bool large = many && !wide && each == 1 && item <= 8;
  args.count = large ? 2 * kRounds : many ? kRounds : 1;
  const int block = large ? 512 : kThreads;
  const int64_t of_block = block * kItems * args.count;
  Launch(call,
         IndexKernel("Gather")
             .Bits(out.itemsize() * static_cast<size_t>(each))
             .Element(index.dtype())
             .Flag(sparse)
             .Index(wide),
         {(args.space.n + of_block - 1) / of_block, block}, args);
}

// One position for all elements that differ along other dims alone.
bool IsOfSlices(const Tensor& index, int64_t dim) {
  bool slices = true;
  for (size_t i = 0; i < index.sizes().size(); ++i)
    slices &= static_cast<int64_t>(i) == dim || index.strides()[i] == 0 || index.sizes()[i] == 1;
  return slices;
}

// Indices know who comes last before anything is written.
void PutLast(const Call& call, const Tensor& out, int64_t dim, const Tensor& index,
             const Tensor& source, const CombineOptions& options, bool slices) {
  IndexArgs args = ArgsOf(call, out, dim, index, options.wraps);
  const auto d = static_cast<size_t>(dim);
  const size_t rank = index.sizes().size();
  const int64_t along = index.sizes()[d];
  const DType order_type = along > INT32_MAX ? DType::kInt64 : DType::kInt32;
  const int64_t places = slices ? args.size : StorageExtent(out.sizes(), out.strides());
  const Tensor winner = Tensor::Empty({places}, order_type, out.device());
  args.winner = winner.data();
  args.from = source.defined() ? source.data() : nullptr;
  args.number = Repeated(ImmediateOf(options.number, out.dtype()), out.itemsize());
  args.to = out.data();
  Ints order(rank, 0);
  order[d] = 1;
  CudaStream& stream = StreamOf(call.key);
  const InUse on = stream.state().Use();
  stream.Check(Driver().MemsetD8Async(reinterpret_cast<CUdeviceptr>(winner.data()), 0xff,
                                      winner.nbytes(), stream.handle()));
  const auto item = static_cast<int64_t>(out.itemsize());
  {
    Ints claimed(index.sizes().begin(), index.sizes().end());
    for (size_t i = 0; slices && i < rank; ++i) claimed[i] = i == d ? along : 1;
    IndexSpace w(claimed);
    w.Add(args.to, item, StridesOf(out, dim, true));
    w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
    w.Add(nullptr, 1, order);
    w.Coalesce();
    Run(call,
        IndexKernel("Claim")
            .Bits(out.itemsize())
            .Element(index.dtype())
            .Element(order_type)
            .Flag(slices),
        w, IsWide(w, args), 1, args);
  }
  bool whole = slices;  // the slices are those of `out`, not parts of them
  for (size_t i = 0; i < rank; ++i) whole &= i == d || index.sizes()[i] == out.sizes()[i];
  if (whole && 2 * along >= args.size) {  // every place looks for its winner
    IndexArgs found = args;
    found.index = winner.data();
    found.size = along;
    found.stride = source.defined() ? source.strides()[d] * item : 0;
    return LaunchGather(call, out, source, dim, IndexOfSlices(winner, out.sizes(), dim), true,
                        found);
  }
  IndexSpace w(index.sizes());
  w.Add(args.to, item, StridesOf(out, dim, true));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
  w.Add(const_cast<void*>(args.from), item, SourceStrides(source, index, dim, false));
  w.Add(nullptr, 1, order);
  w.Coalesce();
  int each = 1;
  if (slices && w.operands[3].strides[0] == 0) {
    each = source.defined() ? PackOfSlices(w, 1, {0, 2}, args.stride)
                            : PackOfSlices(w, 1, {0}, args.stride);
  }
  Run(call,
      IndexKernel("PutWinners")
          .Bits(out.itemsize() * static_cast<size_t>(each))
          .Element(index.dtype())
          .Element(order_type)
          .Flag(slices),
      w, IsWide(w, args), each, args);
}

// A thread for each line, which walks it.
void CombineInLines(const Call& call, Combine how, const Tensor& out, int64_t dim,
                    const Tensor& index, const Tensor& source, const CombineOptions& options) {
  IndexArgs args = ArgsOf(call, out, dim, index, options.wraps);
  const auto d = static_cast<size_t>(dim);
  const auto item = static_cast<int64_t>(out.itemsize());
  args.to = out.data();
  args.from = source.defined() ? source.data() : nullptr;
  args.number = ImmediateOf(options.number, out.dtype());
  args.alpha = ImmediateOf(options.alpha, out.dtype());
  args.count = index.sizes()[d];
  args.index_step = index.strides()[d] * static_cast<int64_t>(index.itemsize());
  args.from_step = source.defined() ? source.strides()[d] * item : 0;
  Ints lines(index.sizes().begin(), index.sizes().end());
  lines[d] = 1;
  IndexSpace w(lines);
  w.Add(args.to, item, StridesOf(out, dim, true));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, true));
  w.Add(const_cast<void*>(args.from), item, SourceStrides(source, index, dim, true));
  w.Coalesce();
  Run(call,
      IndexKernel("CombineLines")
          .Type(StepOf(how, out.dtype(), options))
          .Element(out.dtype())
          .Element(index.dtype()),
      w, IsWide(w, args), 1, args);
}

// Elements are sorted by where they go.
void PutSorted(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
               const Tensor& source, const CombineOptions& options, bool slices) {
  const auto d = static_cast<size_t>(dim);
  const int64_t items = slices ? index.sizes()[d] : index.numel();
  const int64_t end = slices ? out.sizes()[d] : StorageExtent(out.sizes(), out.strides());
  LinearIndices places{Tensor::Empty({items}, KeyType(end), out.device()), end, false};
  KeyArgs keys{};
  keys.size = out.sizes()[d];
  keys.stride = slices ? 1 : out.strides()[d];
  keys.dim = dim;
  keys.wraps = options.wraps;
  Ints still(out.strides().begin(), out.strides().end());
  still[d] = 0;
  Runs runs;
  if (slices) {
    const int64_t n[] = {items}, step[] = {index.strides()[d]}, none[] = {0};
    FillKeys(call, places, index.AsStrided(n, step, index.storage_offset()), none, true, keys);
    runs.item_sizes = {items};
    runs.item_strides = {source.defined() ? source.strides()[d] : 0};
    runs.to_stride = out.strides()[d];
    for (size_t i = 0; i < index.sizes().size(); ++i) {
      if (i == d) continue;
      runs.sizes.push_back(index.sizes()[i]);
      runs.to_strides.push_back(out.strides()[i]);
      runs.from_strides.push_back(source.defined() ? source.strides()[i] : 0);
    }
  } else {
    FillKeys(call, places, index, still, true, keys);
    runs.item_sizes.assign(index.sizes().begin(), index.sizes().end());
    runs.item_strides.assign(index.sizes().size(), 0);
    if (source.defined()) std::ranges::copy(source.strides(), runs.item_strides.begin());
    runs.to_stride = 1;
  }
  PutRuns(call, how, out, places, source, runs, options);
}

}  // namespace

void GatherElements(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                    const Tensor& index, bool wraps, bool sparse) {
  if (out.numel() == 0) return;
  IndexArgs args = ArgsOf(call, self, dim, index, wraps);
  args.from = self.data();
  LaunchGather(call, out, self, dim, index, sparse, args);
}

void PutElements(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                 const Tensor& source, const CombineOptions& options) {
  if (index.numel() == 0) return;
  const auto d = static_cast<size_t>(dim);
  const int64_t along = index.sizes()[d], lines = index.numel() / along;
  const bool slices = IsOfSlices(index, dim);
  if (how == Combine::kCopy) {
    // Indices that learn their winner must not be many more than there are winners.
    const int64_t places = slices ? out.sizes()[d] : StorageExtent(out.sizes(), out.strides());
    const int64_t items = slices ? along : index.numel();
    constexpr int64_t kFewPlaces = 1 << 16, kPlacesOfItem = 16;
    if (places <= std::max(kFewPlaces, kPlacesOfItem * items))
      return PutLast(call, out, dim, index, source, options, slices);
  } else {
    const bool in_steps = options.with_self && !options.mean &&
                          (along == 1 || options.round_each || !Contains(kHalves, out.dtype()));
    // Many lines keep the device busy by themselves, if neighbours read neighbours.
    constexpr int64_t kManyLines = 1 << 16;
    bool beside = false;
    for (size_t i = 0; i < out.sizes().size(); ++i)
      beside |= i != d && index.sizes()[i] > 1 && out.strides()[i] < out.strides()[d];
    if (in_steps && (along == 1 || (lines >= kManyLines && beside)))
      return CombineInLines(call, how, out, dim, index, source, options);
  }
  PutSorted(call, how, out, dim, index, source, options, slices);
}

void ReduceElements(Call call, std::string_view reduce, const Tensor& out, int64_t dim,
                    const Tensor& index, const Tensor& source, bool with_self, bool round_each) {
  PutElements(call, CombineOf(reduce), out, dim, index, source,
              {.round_each = round_each, .mean = reduce == "mean", .with_self = with_self});
}

}  // namespace sy::cuda
