// Operators along lines: softmax and scans.

#include "backends/cuda/kernels/lines.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "backends/cuda/device/line_args.h"
#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/walk.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

constexpr int kLineThreads = 256;  // as device/lines.h's

// The lines of `self` along `dim`, with those of `out` and `second`, which may be null.
struct Lines {
  LineArgs args;
  bool beside;  // neighbouring lines are neighbours in memory, and many
  int each;     // elements that all have side by side, in 16 bytes at most
};

Lines LinesOf(Call call, int64_t dim, const Tensor& self, const Tensor& out, const Tensor* second) {
  Lines lines{};
  LineArgs& args = lines.args;
  args.in = self.data();
  args.out[0] = out.data();
  args.out[1] = second == nullptr ? nullptr : second->data();
  args.n = 1;
  const Tensor* tensors[] = {&out, second, &self};
  std::vector<int64_t> sizes, strides[3];
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    int64_t step[3] = {};
    for (size_t k = 0; k < 3; ++k) {
      if (tensors[k] != nullptr)
        step[k] = tensors[k]->strides()[d] * static_cast<int64_t>(tensors[k]->itemsize());
    }
    if (static_cast<int64_t>(d) == dim) {
      args.n = self.sizes()[d];
      args.out_step[0] = step[0];
      args.out_step[1] = step[1];
      args.in_step = step[2];
      continue;
    }
    sizes.push_back(self.sizes()[d]);
    for (size_t k = 0; k < 3; ++k) strides[k].push_back(step[k]);
  }
  Walk w(sizes);
  for (size_t k = 0; k < 3; ++k) {
    w.Add(tensors[k] == nullptr ? nullptr : tensors[k]->data(),
          tensors[k] == nullptr ? 0 : static_cast<int64_t>(tensors[k]->itemsize()), strides[k]);
  }
  w.Simplify();
  if (w.rank > kMaxDims) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): more than ", kMaxDims, " dimensions that cannot be merged"});
  }
  FillSpace(w, {.flat = false, .wide = true, .each = 1, .lies = {}}, args.space);
  constexpr int64_t kMany = 1 << 14;
  lines.beside = w.operands[2].strides[0] < args.in_step && args.space.n >= kMany;

  const long long steps[] = {args.out_step[0], args.out_step[1], args.in_step};
  const auto side_by_side = [&](int64_t each) {
    bool fits = args.n % each == 0;
    for (size_t k = 0; k < 3; ++k) {
      if (tensors[k] == nullptr) continue;
      const Walk::Operand& o = w.operands[k];
      fits &= steps[k] == o.item &&
              reinterpret_cast<uintptr_t>(o.data) % static_cast<uint64_t>(each * o.item) == 0;
      for (int d = 0; d < w.rank && w.numel() > 1; ++d) fits &= o.strides[d] % (each * o.item) == 0;
    }
    return fits;
  };
  const size_t widest = std::max(self.itemsize(), out.itemsize());
  for (lines.each = static_cast<int>(16 / widest); lines.each > 1; lines.each /= 2) {
    if (side_by_side(lines.each)) break;
  }
  return lines;
}

// How many packs of `each` elements a thread has of n that `lanes` threads share.
int64_t PacksOf(int64_t n, int lanes, int each) {
  const int64_t of_all = int64_t{lanes} * each;
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>((n + of_all - 1) / of_all)));
}

Grid GridOf(int64_t lines, int lanes) {
  return lanes == kLineThreads ? Grid{lines, kLineThreads} : BlocksFor(lines * lanes);
}

// A thread for each line where lines are short, or many side by side.
constexpr int64_t kShortLine = 8;

}  // namespace

void RunLines(Call call, const LineFunction& function, int64_t dim, const Tensor& self,
              const Tensor& out, const Tensor* second) {
  if (out.numel() == 0) return;
  Lines lines = LinesOf(call, dim, self, out, second);
  LineArgs& args = lines.args;
  const bool one = function.one_lane || args.n <= kShortLine || lines.beside;
  const int lanes = one ? 1 : kLineThreads;
  KernelKey full = function.key;
  full.words[2] = static_cast<uint64_t>(lanes);
  Launch(
      call, full,
      [&] {
        return KernelSource(function.header, "LineArgs",
                            Join({function.body, ", ", lanes, ">(args)"}));
      },
      GridOf(args.space.n, lanes), args);
}

namespace {

uint64_t Pair(DType a, DType b) { return static_cast<uint64_t>(a) << 8 | static_cast<uint64_t>(b); }
uint64_t Form(int lanes, int each, int packs) {
  return static_cast<uint64_t>(lanes) << 16 | static_cast<uint64_t>(each) << 8 |
         static_cast<uint64_t>(packs);
}

// Lines that follow memory round what 16-bit floats are normalised by, others do not: as on the
// host, after ATen's vec_log_softmax_lastdim_kernel.
template <bool kLog>
void RunSoftmax(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  static constexpr char kFamily = 0;
  dim = WrapDim(dim, self.dim());
  int64_t beside = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) beside *= self.size(d);
  const bool steps = kLog && beside == 1 && Contains(kHalves, out.dtype());
  if (out.numel() == 0) return;
  Lines lines = LinesOf(call, dim, self, out, nullptr);
  LineArgs& args = lines.args;
  // What a thread holds: 32 elements at most. A warp for lines of which it holds 4 packs a thread.
  const int most_packs = std::min(8, 32 / lines.each);
  int lanes = 1, packs = 0;
  if (args.n > kShortLine && !lines.beside) {
    lanes = args.n <= 4 * 32 * lines.each ? 32 : kLineThreads;
    const int64_t wanted = PacksOf(args.n, lanes, lines.each);
    packs = wanted <= most_packs ? static_cast<int>(wanted) : 0;
  }
  const int each = packs == 0 ? 1 : lines.each;
  const auto text = [&] {
    return KernelSource(
        "lines", "LineArgs",
        Join({"Softmax<", ElementName(out.dtype()), ", ", ElementName(self.dtype()), ", ",
              !kLog   ? "kPlain"
              : steps ? "kLogInSteps"
                      : "kLog",
              ", ", lanes, ", ", each, ", ", packs, ">(args)"}));
  };
  Launch(call,
         {&kFamily,
          {Pair(out.dtype(), self.dtype()), uint64_t{kLog} + steps, Form(lanes, each, packs)}},
         text, GridOf(args.space.n, lanes), args);
}
template <bool kLog>
void SoftmaxInt(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunSoftmax<kLog>(call, out, self, dim);
}
template <bool kLog>
void Softmax(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool) {
  RunSoftmax<kLog>(call, out, self, dim);
}

void SoftmaxBackward(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& output,
                     int64_t dim, DType) {
  static constexpr char kFamily = 0;
  const DType d = output.dtype();
  const std::string body =
      Join({"SoftmaxBackward<", ElementName(out.dtype()), ", ", ElementName(d)});
  RunLines(call, {body, {&kFamily, {Pair(out.dtype(), d), 0, 0}}}, WrapDim(dim, out.dim()),
           grad_output, out, &output);
}

const Kernel softmax_backward{"_softmax_backward_data", "cuda", kFloatingTypes, SoftmaxBackward};
const Kernel softmax{"softmax.int", "cuda", kFloatingTypes, SoftmaxInt<false>};
const Kernel log_softmax{"log_softmax.int", "cuda", kFloatingTypes, SoftmaxInt<true>};
const Kernel plain_softmax{"_softmax", "cuda", kFloatingTypes, Softmax<false>};
const Kernel plain_log_softmax{"_log_softmax", "cuda", kFloatingTypes, Softmax<true>};

// which: a number of its own for each kind of scan.
void RunScan(Call call, const std::string& scan, uint64_t which, int64_t dim, const Tensor& self,
             const Tensor& out, const Tensor* second = nullptr) {
  static constexpr char kFamily = 0;
  if (out.numel() == 0) return;
  const Lines lines = LinesOf(call, WrapDim(dim, self.dim()), self, out, second);
  ScanLineArgs args{lines.args, 0, nullptr};
  const bool one = args.n <= kShortLine || lines.beside;
  const int lanes = one ? 1 : kLineThreads, each = one ? 1 : lines.each;
  // What a thread holds of a tile: 16 elements at most.
  const int packs =
      one ? 1 : static_cast<int>(std::min<int64_t>({PacksOf(args.n, lanes, each), 4, 16 / each}));
  const auto launch = [&](bool totals, const Grid& grid) {
    const auto text = [&] {
      return KernelSource(
          "lines", "ScanLineArgs",
          Join({"Scan<", scan, ", ", ElementName(self.dtype()), ", ", ElementName(out.dtype()),
                ", ", totals ? "true" : "false", ", ", lanes, ", ", each, ", ", packs, ">(args)"}));
    };
    Launch(call,
           {&kFamily,
            {Pair(out.dtype(), self.dtype()), which << 1 | uint64_t{totals},
             Form(lanes, each, packs)}},
           text, grid, args);
  };
  args.chunk = args.n;
  if (one) return launch(false, BlocksFor(args.space.n));
  // A few long lines are cut, so that they keep the device busy; each chunk first sums up the
  // totals before it, a thread for each.
  constexpr int64_t kBlocksOfProcessor = 8, kTilesOfChunk = 4, kStateBytes = 16;
  const int64_t tile = int64_t{lanes} * each * packs;
  const int64_t blocks =
      StreamOf(call.key).state().properties().multiprocessors * kBlocksOfProcessor;
  const int64_t wanted =
      std::min<int64_t>({blocks / args.space.n, args.n / (tile * kTilesOfChunk), kLineThreads});
  Tensor totals;
  int64_t chunks = 1;
  if (wanted > 1) {
    const int64_t tiles = (args.n + tile - 1) / tile;
    args.chunk = (tiles + wanted - 1) / wanted * tile;
    chunks = (args.n + args.chunk - 1) / args.chunk;
    totals = Tensor::Empty({args.space.n * chunks * kStateBytes}, DType::kUInt8, self.device());
    args.totals = totals.data();
    launch(true, {args.space.n, kLineThreads, chunks});
  }
  launch(false, {args.space.n, kLineThreads, chunks});
}
void Cumsum(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunScan(call, "Cumulative<" + ElementName(out.dtype()) + ", f::Add>", 0, dim, self, out);
}
void Cumprod(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunScan(call, "Cumulative<" + ElementName(out.dtype()) + ", f::Mul>", 1, dim, self, out);
}
void LogCumSumExp(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  RunScan(call, "LogOfSum<" + ElementName(out.dtype()) + ">", 4, dim, self, out);
}
constexpr DTypeMask kOrdered = kIntegers | kFloatingTypes | kBool;
template <bool kLeast>
void CumulativeExtreme(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  if (self.dim() == 0) {  // of one number of any kind, there is no order to ask for
    CopyElements(call, values, self);
    return FillElements(call, indices, Scalar(0));
  }
  if (!Contains(kOrdered, self.dtype())) FailDTypeNotIn(self.dtype(), kOrdered);
  const std::string scan =
      "RunningExtreme<" + ElementName(self.dtype()) + (kLeast ? ", true>" : ", false>");
  RunScan(call, scan, 2 + uint64_t{kLeast}, dim, self, values, &indices);
}

constexpr DTypeMask kSummed = kIntegers | kFloatingTypes | kComplexes;
const Kernel cumsum{"cumsum", "cuda", kSummed, Cumsum};
const Kernel cumprod{"cumprod", "cuda", kSummed, Cumprod};
const Kernel logcumsumexp{"logcumsumexp", "cuda", kFloatingTypes | kComplexes, LogCumSumExp};
const Kernel cummax{"cummax", "cuda", kOrdered | kComplexes, CumulativeExtreme<false>};
const Kernel cummin{"cummin", "cuda", kOrdered | kComplexes, CumulativeExtreme<true>};

}  // namespace

void CountTrue(Call call, const Tensor& self, const Tensor& out) {
  const int64_t n[] = {self.numel()}, one[] = {1};
  RunScan(call, "Cumulative<Int64, f::Add>", 0, 0, self.AsStrided(n, one, self.storage_offset()),
          out.AsStrided(n, one, out.storage_offset()));
}

}  // namespace sy::cuda
