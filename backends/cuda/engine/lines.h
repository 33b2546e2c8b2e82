// Runs kernels along lines: for each line of elements along a dimension, one thread or a block.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for more than kMaxDims dimensions that cannot be merged.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_LINES_H_

#include <string>

#include "backends/cuda/device/line_args.h"
#include "backends/cuda/engine/launch.h"
#include "backends/cuda/plan/kernel_source.h"

namespace sy::cuda {

// body: a function of device/`header`.h with its template arguments, without the last one, which is
// the number of lanes. key: its last word is this function's. All tensors have self's sizes;
// `second` is one more, to be read or written. one_lane: the function takes a thread a line.
struct LineFunction {
  std::string body;
  KernelKey key;
  const char* header = "lines";
  bool one_lane = false;
};
void RunLines(Call call, const LineFunction& function, int64_t dim, const Tensor& self,
              const Tensor& out, const Tensor* second = nullptr);

// --- For kernels along lines of more forms than that

inline constexpr int kLineThreads = 256;  // as device/lines.h's
// A thread for each line where lines are short, or many side by side.
inline constexpr int64_t kShortLine = 8;

// The lines of `self` along `dim`, with those of `out` and `second`, which may be null.
struct Lines {
  LineArgs args;
  bool beside;  // neighbouring lines are neighbours in memory, and many
  int each;     // elements that all have side by side, in 16 bytes at most
};
Lines LinesOf(Call call, int64_t dim, const Tensor& self, const Tensor& out, const Tensor* second);

// How many packs of `each` elements a thread has of n that `lanes` threads share.
int64_t PacksOf(int64_t n, int lanes, int each);
Grid GridOf(int64_t lines, int lanes);

// How lines of n elements are held in registers, where they can be: by a warp, or a block of 256,
// 512 or 1024 threads, packs 0 where not. A thread has 32 elements at most, in packs of `each`.
struct Held {
  int lanes, packs;
};
Held HeldLines(int64_t n, int each);
// For kernels that hold lines so: as many blocks as registers leave room for.
Bounds BoundsOf(const Held& held, int each);

// Words of a kernel's key.
inline uint64_t PairWord(DType a, DType b) {
  return static_cast<uint64_t>(a) << 8 | static_cast<uint64_t>(b);
}
inline uint64_t VariantWord(int lanes, int each, int packs) {
  return static_cast<uint64_t>(lanes) << 16 | static_cast<uint64_t>(each) << 8 |
         static_cast<uint64_t>(packs);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_LINES_H_
