#include "backends/cuda/kernels/nn/columns.h"

#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/layout.h"

namespace sy::cuda {
namespace {

// As many bytes as an element has, whatever they mean.
DType MovedAs(DType d) {
  switch (ItemSize(d)) {
    case 1:
      return DType::kUInt8;
    case 2:
      return DType::kUInt16;
    case 4:
      return DType::kUInt32;
    case 8:
      return DType::kUInt64;
    default:
      return DType::kComplex128;
  }
}

int64_t CountOf(const long long (&sizes)[3]) { return sizes[0] * sizes[1] * sizes[2]; }

// n: how many elements the columns have; where they are too many, nothing is divided by these.
ColumnDividers DividersOf(const Windows& w, int64_t samples, int64_t n) {
  if (n > INT32_MAX || n == 0) return {};
  return {DividerOf(CountOf(w.outputs)), DividerOf(CountOf(w.kernel)), DividerOf(samples),
          DividerOf(w.outputs[1]),       DividerOf(w.outputs[2]),      DividerOf(w.kernel[1]),
          DividerOf(w.kernel[2])};
}

}  // namespace

void ToColumns(Call call, DType dtype, ColumnArgs args) {
  const int64_t n = args.planes * CountOf(args.w.kernel) * CountOf(args.w.outputs);
  args.dividers = DividersOf(args.w, 1, n);
  Launch(call,
         Specialised("columns", "ColumnArgs", "ToColumns")
             .Element(MovedAs(dtype))
             .Flag(n <= INT32_MAX),
         BlocksFor(n), args);
}

void ToBatchColumns(Call call, DType dtype, BatchColumnArgs args) {
  const int64_t n = args.channels * CountOf(args.w.kernel) * args.samples * CountOf(args.w.outputs);
  args.dividers = DividersOf(args.w, args.samples, n);
  Launch(call,
         Specialised("columns", "BatchColumnArgs", "ToBatchColumns")
             .Element(MovedAs(dtype))
             .Flag(n <= INT32_MAX),
         BlocksFor(n), args);
}

void ConvolveTransposed(Call call, DType dtype, ConvolutionArgs args, bool rounds) {
  const int64_t n = args.samples * args.groups * args.in * CountOf(args.w.inputs);
  Launch(
      call,
      Specialised("columns", "ConvolutionArgs", "ConvolveTransposed").Element(dtype).Number(rounds),
      BlocksFor(n), args);
}

}  // namespace sy::cuda
