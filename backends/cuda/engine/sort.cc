// How rows are sorted, by their length (device/sort.h).

#include "backends/cuda/engine/sort.h"

#include <algorithm>
#include <string>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/driver/library.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/engine/scan.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/rtc/cub.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Up to here every element counts those before it.
constexpr int64_t kShort = 64;
// What a block sorts in its 48 KiB of shared memory, and what a tile of a longer row has.
struct BlockShape {
  int threads, items;
  int64_t elements() const { return int64_t{threads} * items; }
};
BlockShape TileOf(size_t item) { return {kOrderThreads, item == 8 ? 8 : 16}; }
BlockShape BlockFor(size_t item, int64_t n) {
  for (const BlockShape s : {BlockShape{128, 2}, BlockShape{256, 4}}) {
    if (n <= s.elements()) return s;
  }
  // As many elements as a tile; few enough for each thread to leave registers for 16 warps.
  return {item == 8 ? 256 : 512, 8};
}

Specialised SortKernel(const char* function, DType d, bool descending) {
  return Specialised("sort", "SortArgs", function).Element(d).Flag(descending);
}

// A pass for each byte of the keys; elements go from one buffer to the other in between.
void SortLongRows(Call call, SortArgs args, DType dtype, bool descending, int passes,
                  Device device) {
  if (args.n > UINT32_MAX) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"rows of ", args.n, " elements, at most ", UINT32_MAX, " are possible"});
  }
  const auto item = static_cast<int64_t>(ItemSize(dtype));
  const BlockShape tile = TileOf(ItemSize(dtype));
  const int64_t all = args.rows * args.n;
  args.tiles = (args.n + tile.elements() - 1) / tile.elements();
  const Grid grid{args.rows * args.tiles, tile.threads};
  const bool wide = all > UINT32_MAX;
  const int64_t num_counts = args.rows * args.tiles * kDigits;
  const Tensor counts =
      Tensor::Empty({num_counts + 1}, wide ? DType::kInt64 : DType::kInt32, device);
  args.counts = counts.data();
  Tensor buffers[2];
  const int last = passes - 1;
  for (int i = 0; i < 2 && i < last; ++i)
    buffers[i] = Tensor::Empty({all * (item + 4) + all * 4 % item}, DType::kUInt8, device);
  void *const to_values = args.to_values, *const to_places = args.to_places;
  for (int pass = 0; pass <= last; ++pass) {
    args.shift = pass * kDigitBits;
    if (pass < last) {
      // Positions first, which are aligned whatever the elements are behind them.
      args.to_places = buffers[pass % 2].data();
      args.to_values = static_cast<char*>(args.to_places) + all * 4 + all * 4 % item;
    } else {
      args.to_values = to_values;
      args.to_places = to_places;
    }
    Launch(call, SortKernel("CountDigits", dtype, descending).Number(tile.items).Index(wide), grid,
           args);
    ScanCounts(call, counts, num_counts);
    Launch(call,
           SortKernel("MoveByDigit", dtype, descending)
               .Flag(pass == last)
               .Number(tile.items)
               .Index(wide),
           grid, args);
    args.values = args.to_values;
    args.places = args.to_places;
  }
}

// Rows that fit a block: our way, or CUB's where that has been measured to be faster.
void SortInBlocks(Call call, SortArgs args, DType dtype, bool descending) {
  const BlockShape block = BlockFor(ItemSize(dtype), args.n);
  const auto run = [&](size_t way) {
    const Specialised kernel =
        way == 0
            ? SortKernel("SortRows", dtype, descending)
            : Specialised("cub_sort", "SortArgs", "CubSortRows").Element(dtype).Flag(descending);
    Launch(call, Specialised(kernel).Number(block.threads).Number(block.items),
           {args.rows, block.threads}, args);
    return true;
  };
  CudaStream& stream = StreamOf(call.key);
  const std::string ways[] = {"own", "CUB"};
  // Its elements come from where they were, and what is measured is done over and over.
  const bool in_place = args.to_values == args.values;
  if (in_place || !MayMeasure(stream) || !CompilesCub()) {
    run(0);
    return;
  }
  // Few rows leave multiprocessors idle; more than fill them are all the same.
  const int64_t rows = std::min<int64_t>(args.rows, 16384);
  const std::string key = fmt::format("sort {} {:d} {} {} {} {} CUB {}", static_cast<int>(dtype),
                                      descending, int64_t{args.n}, rows, args.to_values != nullptr,
                                      args.to_places != nullptr, FindCub().version);
  run(Fastest(stream, key, ways, run));
}

}  // namespace

void SortRows(Call call, const Rows& rows, bool descending, const Tensor& values,
              const Tensor& places, const SortOptions& options) {
  if (rows.values.numel() == 0) return;
  const DType dtype = rows.values.dtype();
  SortArgs args{};
  args.rows = rows.count;
  args.n = rows.n;
  args.values = rows.values.data();
  args.keep = options.keep < 0 ? rows.n : options.keep;
  args.names =
      options.names.defined() ? static_cast<const long long*>(options.names.data()) : nullptr;
  args.to_values = values.defined() ? values.data() : nullptr;
  args.to_places = places.defined() ? places.data() : nullptr;
  if (rows.n <= kShort) {
    const bool wide = rows.values.numel() > INT32_MAX;
    Launch(call, SortKernel("SortShortRows", dtype, descending).Index(wide),
           BlocksFor(rows.values.numel()), args);
  } else if (rows.n <= TileOf(ItemSize(dtype)).elements()) {
    SortInBlocks(call, args, dtype, descending);
  } else {
    const int passes =
        options.key_bytes == 0 ? static_cast<int>(ItemSize(dtype)) : options.key_bytes;
    SortLongRows(call, args, dtype, descending, passes, rows.values.device());
  }
}

}  // namespace sy::cuda
