#include "backends/cuda/engine/scan_lines.h"

#include <algorithm>
#include <string>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/engine/lines.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/types.h"
#include "backends/cuda/rtc/cub.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// The type of device/lines.h.
std::string TypeOf(LineScan scan, DType in, DType out) {
  switch (scan) {
    case LineScan::kSum:
      return "Cumulative<" + ElementName(out) + ", f::Add>";
    case LineScan::kProduct:
      return "Cumulative<" + ElementName(out) + ", f::Mul>";
    case LineScan::kMax:
      return "RunningExtreme<" + ElementName(in) + ", false>";
    case LineScan::kMin:
      return "RunningExtreme<" + ElementName(in) + ", true>";
    default:
      return "LogOfSum<" + ElementName(out) + ">";
  }
}

}  // namespace

void ScanLines(Call call, LineScan scan, int64_t dim, const Tensor& self, const Tensor& out,
               const Tensor* second) {
  static constexpr char kKind = 0;
  if (out.numel() == 0) return;
  const Lines lines = LinesOf(call, dim, self, out, second);
  ScanLineArgs args{lines.args, 0, nullptr};
  const bool one = args.n <= kShortLine || lines.beside;
  const int lanes = one ? 1 : kLineThreads, each = one ? 1 : lines.each;
  // What a thread holds of a tile: 16 elements at most.
  const int packs =
      one ? 1 : static_cast<int>(std::min<int64_t>({PacksOf(args.n, lanes, each), 4, 16 / each}));
  // Sums of 8 bytes leave registers for a block more; places take twice as many.
  const bool narrow = scan == LineScan::kSum && !IsComplex(out.dtype());
  const bool located = scan == LineScan::kMax || scan == LineScan::kMin;
  const Bounds bounds = one ? Bounds{} : Bounds{kLineThreads, narrow ? 5 : located ? 3 : 4};
  const auto launch = [&](bool totals, const Grid& grid, bool cub = false) {
    const auto text = [&] {
      return KernelSource(
          cub ? "cub_lines" : "lines", "ScanLineArgs",
          fmt::format("Scan<{}, {}, {}, {}, {}, {}, {}>(args)",
                      TypeOf(scan, self.dtype(), out.dtype()), ElementName(self.dtype()),
                      ElementName(out.dtype()), totals ? "true" : "false", lanes, each, packs),
          bounds);
    };
    Launch(call,
           {&kKind,
            {PairWord(out.dtype(), self.dtype()),
             static_cast<uint64_t>(scan) << 2 | uint64_t{cub} << 1 | uint64_t{totals},
             VariantWord(lanes, each, packs)}},
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
  }
  const auto run = [&](size_t way) {
    const Grid grid{args.space.n, kLineThreads, chunks};
    if (chunks > 1) launch(true, grid, way != 0);
    launch(false, grid, way != 0);
    return true;
  };
  // Our way, or CUB's where that has been measured to be faster, which is done over and over.
  CudaStream& stream = StreamOf(call.key);
  if (self.data() == out.data() || !MayMeasure(stream) || !CompilesCub()) {
    run(0);
    return;
  }
  const std::string ways[] = {"own", "CUB"};
  const std::string key =
      fmt::format("scan {} {} {} {} {} {} {} CUB {}", static_cast<int>(scan),
                  static_cast<int>(self.dtype()), static_cast<int>(out.dtype()),
                  int64_t{args.space.n}, int64_t{args.n}, each, packs, FindCub().version);
  run(Fastest(stream, key, ways, run));
}

void CountTrue(Call call, const Tensor& self, const Tensor& out) {
  const int64_t n[] = {self.numel()}, one[] = {1};
  ScanLines(call, LineScan::kSum, 0, self.AsStrided(n, one, self.storage_offset()),
            out.AsStrided(n, one, out.storage_offset()));
}

}  // namespace sy::cuda
