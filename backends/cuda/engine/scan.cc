#include "backends/cuda/engine/scan.h"

#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

constexpr int64_t kScanTile = 2048;     // as device/scan.h's
constexpr int64_t kCompactTile = 4096;  // as device/compact.h's
// What one block scans faster than three kernels do.
constexpr int64_t kFew = 16 * kScanTile;

}  // namespace

void ScanCounts(Call call, const Tensor& counts, int64_t n) {
  const bool wide = counts.dtype() == DType::kInt64;
  ScanArgs args{counts.data(), n, nullptr};
  const auto kernel = [&](const char* function) {
    return Specialised("scan", "ScanArgs", function).Index(wide);
  };
  if (n <= kFew) return Launch(call, kernel("ScanAll"), {1, kOrderThreads}, args);
  const int64_t tiles = (n + kScanTile - 1) / kScanTile;
  const Tensor sums = Tensor::Empty({tiles + 1}, counts.dtype(), counts.device());
  args.sums = sums.data();
  Launch(call, kernel("SumTiles"), {tiles, kOrderThreads}, args);
  ScanCounts(call, sums, tiles);
  Launch(call, kernel("ScanTiles"), {tiles, kOrderThreads}, args);
}

Picked::Picked(Call call, const char* condition, DType dtype, const CompactArgs& given)
    : call_(call),
      condition_(condition),
      dtype_(dtype),
      tiles_((given.n + kCompactTile - 1) / kCompactTile),
      counts_(Tensor::Empty({tiles_ + 1}, DType::kInt64, DeviceOfKey(call.key))) {
  CompactArgs args = given;
  args.counts = static_cast<long long*>(counts_.data());
  Launch(call, Specialised("compact", "CompactArgs", "CountPicked").Element(dtype).Type(condition),
         {tiles_, kOrderThreads}, args);
  ScanCounts(call, counts_, tiles_);
}

int64_t Picked::Count() const {
  return ReadNumber(counts_.AsStrided(IntSpan(), IntSpan(), counts_.storage_offset() + tiles_))
      .To<int64_t>();
}

void Picked::ForEach(const char* use, size_t item, CompactArgs args) const {
  args.counts = static_cast<long long*>(counts_.data());
  Launch(call_,
         Specialised("compact", "CompactArgs", "UsePicked")
             .Element(dtype_)
             .Bits(item)
             .Type(condition_)
             .Type(use),
         {tiles_, kOrderThreads}, args);
}

}  // namespace sy::cuda
