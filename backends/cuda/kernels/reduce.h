// Reduces dimensions of a tensor.
//
//   Reduce(call, {"Sum"}, call.dtype(), self, DimMask(self, dim), &out);
//
// Elements convert to `dtype` and are reduced in it (or a wider one that holds it); results convert
// to their outputs' dtypes.
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for more than kMaxDims dimensions that cannot be merged.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_H_

#include <optional>
#include <string>

#include "backends/cuda/kernels/walk.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {

// A reduction of ops/formulas/reduce.h, and what becomes of its result (device/reduce.h).
struct Reduction {
  const char* type;
  const char* finish = "NoFinish";
  double parameter = 0;
};

inline constexpr uint64_t kAllDims = ~uint64_t{0};
// Bit d: dimension d. None given, or an empty list: all.
uint64_t DimMask(const Tensor& t, std::optional<IntSpan> dim);
inline uint64_t DimMask(const Tensor& t, int64_t dim) { return DimMask(t, IntSpan(&dim, 1)); }

// first: values, or the spread; second: positions, or means; null: not asked for.
void Reduce(Call call, const Reduction& reduction, DType dtype, const Tensor& self, uint64_t mask,
            const Tensor* first, const Tensor* second = nullptr);

// How a reduction is spread over threads.
struct ReduceShape {
  int lanes;       // threads for each output: 1, 32 or 256
  int64_t chunks;  // parts of each output's elements, reduced apart
};
// across: neighbouring outputs' elements are neighbours in memory. threads: what the device runs at
// a time.
ReduceShape ChooseReduceShape(int64_t outputs, int64_t count, bool across, int64_t threads);

// The space of outputs and that of what each reduces, of `self` and up to two outputs.
struct ReduceWalks {
  Walk kept, reduced;
};
ReduceWalks WalksOf(const Tensor& self, uint64_t mask, const Tensor* first, const Tensor* second);

// How many elements that are reduced lie side by side, in 16 bytes at most, wherever a group of
// `lanes` threads goes by multiples of them; 0: they do not lie along one dimension.
int SideBySide(const ReduceWalks& walks, int lanes);

// What a reduction's kernel is specialised to besides dtypes.
struct ReduceForm {
  int lanes;  // 0: of the states' kernel
  int each;   // of SideBySide
  bool wide;  // 64-bit offsets
};
// A whole source, whose kernel is `k`.
std::string ReduceSource(const Reduction& reduction, DType dtype, DType in, DType first,
                         DType second, const ReduceForm& form);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_H_
