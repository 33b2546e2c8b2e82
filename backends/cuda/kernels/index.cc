#include "backends/cuda/kernels/index.h"

#include <vector>

#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/types.h"
#include "backends/cuda/kernels/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/error.h"

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
bool IsWide(const Walk& w, const IndexArgs& args) {
  return !w.is_narrow() || args.size * args.stride > INT32_MAX;
}

void RequireFew(const Call& call, const Walk& w) {
  if (w.rank <= kMaxDims) return;
  Fail(ErrorCode::kNotImplemented,
       {call.op(), "(): more than ", kMaxDims, " dimensions that cannot be merged"});
}

void Run(const Call& call, const char* function, std::string types, uint64_t key, const Walk& w,
         bool wide, IndexArgs& args) {
  RequireFew(call, w);
  FillSpace(w, {.flat = false, .wide = wide, .each = 1, .lies = {}}, args.space);
  const auto text = [&] {
    return KernelSource("index", "IndexArgs",
                        Join({function, "<", types, wide ? "UInt64" : "unsigned", ">(args)"}));
  };
  Launch(call, {function, {key, uint64_t{wide}, 0}}, text, BlocksFor(args.space.n), args);
}

uint64_t KeyOf(size_t item, DType index) {
  return static_cast<uint64_t>(item) << 8 | static_cast<uint64_t>(index);
}

// Places know who comes last before anything is written.
void PutLast(const Call& call, const Tensor& out, int64_t dim, const Tensor& index,
             const Tensor& source, const CombineOptions& options, bool along_dim_alone) {
  IndexArgs args = ArgsOf(call, out, dim, index, options.wraps);
  const auto d = static_cast<size_t>(dim);
  Ints sizes(out.sizes().begin(), out.sizes().end());
  if (along_dim_alone) {
    for (size_t i = 0; i < sizes.size(); ++i) sizes[i] = i == d ? sizes[i] : 1;
  }
  const Tensor winner = Tensor::Empty(sizes, DType::kInt64, out.device());
  Ints winner_strides = StridesOf(winner, dim, /*still=*/true);
  for (size_t i = 0; i < sizes.size(); ++i)
    winner_strides[i] = sizes[i] == 1 ? 0 : winner_strides[i];
  args.winner = winner.data();
  args.winner_stride = winner.strides()[d] * 8;
  args.from = source.defined() ? source.data() : nullptr;
  args.number = ImmediateOf(options.number, out.dtype());
  args.to = out.data();
  Ints order(sizes.size(), 0);
  order[d] = 1;
  CudaStream& stream = StreamOf(call.key);
  stream.state().Use();
  stream.Check(Driver().MemsetD8Async(reinterpret_cast<CUdeviceptr>(winner.data()), 0xff,
                                      winner.nbytes(), stream.handle()));
  const std::string index_type = ElementName(index.dtype()) + ", ";
  {
    Ints claimed(index.sizes().begin(), index.sizes().end());
    if (along_dim_alone) {  // one slice's worth says it for all
      for (size_t i = 0; i < claimed.size(); ++i) claimed[i] = i == d ? claimed[i] : 1;
    }
    Walk w(claimed);
    w.Add(winner.data(), 8, winner_strides);
    w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
    w.Add(nullptr, 1, order);
    w.Simplify();
    Run(call, "Claim", index_type, KeyOf(0, index.dtype()), w, IsWide(w, args), args);
  }
  const auto item = static_cast<int64_t>(out.itemsize());
  Walk w(index.sizes());
  w.Add(args.to, item, StridesOf(out, dim, true));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
  w.Add(const_cast<void*>(args.from), item,
        source.defined() ? StridesOf(source, dim, false) : Ints(sizes.size(), 0));
  w.Add(winner.data(), 8, winner_strides);
  // A fifth operand, in a space of its own: neither is simplified.
  Walk ordered(index.sizes());
  ordered.Add(nullptr, 1, order);
  RequireFew(call, w);
  const bool wide = IsWide(w, args);
  FillSpace(ordered, {.flat = false, .wide = wide, .each = 1, .lies = {}}, args.order);
  Run(call, "PutWinners", BitsName(out.itemsize()) + ", " + index_type,
      KeyOf(out.itemsize(), index.dtype()), w, wide, args);
}

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
  Walk w(lines);
  w.Add(args.to, item, StridesOf(out, dim, true));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, true));
  w.Add(const_cast<void*>(args.from), item,
        source.defined() ? StridesOf(source, dim, true) : Ints(lines.size(), 0));
  w.Simplify();
  const bool scaled = how == Combine::kAdd && !options.alpha.is_one();
  const char* name = how == Combine::kCopy  ? "PutLast"
                     : how == Combine::kAdd ? (scaled ? "AddScaledTo" : "AddTo")
                                            : "MultiplyBy";
  const bool moves = how == Combine::kCopy;
  const std::string type = moves ? BitsName(out.itemsize()) : ElementName(out.dtype());
  const uint64_t key = KeyOf(static_cast<size_t>(out.dtype()), index.dtype()) << 8 |
                       static_cast<uint64_t>(how) << 1 | uint64_t{scaled};
  Run(call, "CombineLines", Join({name, ", ", type, ", ", ElementName(index.dtype()), ", "}), key,
      w, IsWide(w, args), args);
}

}  // namespace

Tensor AtLeast1d(const Tensor& t) {
  constexpr int64_t kOne[] = {1};
  return t.dim() == 0 ? t.AsStrided(kOne, kOne, t.storage_offset()) : t;
}

Tensor IndexOfSlices(const Tensor& index, IntSpan sizes, int64_t dim) {
  Ints all(sizes.begin(), sizes.end()), strides(all.size(), 0);
  const auto d = static_cast<size_t>(dim);
  all[d] = index.numel();
  strides[d] = index.dim() == 0 ? 1 : index.strides()[0];
  return index.AsStrided(all, strides, index.storage_offset());
}

void GatherElements(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                    const Tensor& index, bool wraps) {
  if (out.numel() == 0) return;
  IndexArgs args = ArgsOf(call, self, dim, index, wraps);
  args.to = out.data();
  args.from = self.data();
  const auto item = static_cast<int64_t>(out.itemsize());
  Walk w(out.sizes());
  w.Add(args.to, item, StridesOf(out, dim, false));
  w.Add(const_cast<void*>(args.index), 8, StridesOf(index, dim, false));
  w.Add(const_cast<void*>(args.from), item, StridesOf(self, dim, true));
  w.Simplify();
  Run(call, "Gather", BitsName(out.itemsize()) + ", " + ElementName(index.dtype()) + ", ",
      KeyOf(out.itemsize(), index.dtype()), w, IsWide(w, args), args);
}

void PutElements(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                 const Tensor& source, const CombineOptions& options) {
  if (index.numel() == 0) return;
  const auto d = static_cast<size_t>(dim);
  const int64_t along = index.sizes()[d], lines = index.numel() / along;
  // Many lines keep the device busy by themselves.
  constexpr int64_t kManyLines = 1 << 16;
  if (how != Combine::kCopy || along == 1 || lines >= kManyLines)
    return CombineInLines(call, how, out, dim, index, source, options);
  bool slices = true;  // one index for a whole slice
  for (size_t i = 0; i < index.sizes().size(); ++i)
    slices &= i == d || index.strides()[i] == 0 || index.sizes()[i] == 1;
  PutLast(call, out, dim, index, source, options, slices);
}

}  // namespace sy::cuda
