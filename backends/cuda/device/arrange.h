// Elements read in another order, or left out: flip, tril and triu; the positions of a triangle.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ARRANGE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ARRANGE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/backends/cuda/device/order_args.h"

namespace sy::cuda {

// An offset that may be below 0.
SY_FN long long Signed(unsigned x) { return static_cast<int>(x); }
SY_FN long long Signed(UInt64 x) { return static_cast<long long>(x); }

// Operands of the space: out, self from its last element backwards. T: what is moved.
template <class T, class Index>
SY_FN void Flip(const ArrangeArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<2, Index> at(i, args.space);
  At<T>(args.to, at.of[0]) = At<T>(args.from, Signed(at.of[1]));
}

// Zeros where column - row is on the other side of the diagonal. Operands of the space: out, self,
// column - row. A thread has kEach elements of a row, which `to` and `from` have side by side.
template <class T, bool kUpper, int kEach, class Index>
SY_FN void Triangle(const ArrangeArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<3, Index> at(i, args.space);
  const long long first = Signed(at.of[2]) - args.diagonal;
  const auto kept = [&](int k) { return kUpper ? first + k >= 0 : first + k <= 0; };
  Pack<T, kEach> x{};
  if (kept(0) || kept(kEach - 1)) x = At<Pack<T, kEach>>(args.from, at.of[1]);
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (!kept(k)) x.v[k] = T{};
  }
  At<Pack<T, kEach>>(args.to, at.of[0]) = x;
}

// Elements of the triangle in the rows before `row`: those of a row grow, or shrink, by one until
// they are none or all columns.
template <bool kUpper>
SY_FN long long TriangleBefore(const TriangleArgs& args, long long row) {
  const auto sum_below = [](long long n) { return n > 0 ? n * (n - 1) / 2 : 0; };
  // Row i has offset + 1 + i elements on and below the diagonal, between 0 and all.
  const long long end = args.offset + 1 + row;
  const long long below =
      sum_below(end) - sum_below(args.offset + 1) -
      (sum_below(end - args.columns) - sum_below(args.offset + 1 - args.columns));
  if constexpr (!kUpper) {
    return below;
  } else {  // the others: those on and below the diagonal before
    const long long upper_end = args.offset + row;
    const long long strictly =
        sum_below(upper_end) - sum_below(args.offset) -
        (sum_below(upper_end - args.columns) - sum_below(args.offset - args.columns));
    return row * args.columns - strictly;
  }
}
// Rows, then columns. The row of an element is found by halving.
template <class T, bool kUpper>
SY_FN void TrianglePositions(const TriangleArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  long long low = 0, high = args.rows;  // the last row that does not begin after i
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (TriangleBefore<kUpper>(args, middle) <= i) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const long long begin = kUpper && low + args.offset > 0 ? low + args.offset : 0;
  T* const to = static_cast<T*>(args.to);
  to[i] = static_cast<T>(low);
  to[args.n + i] = static_cast<T>(begin + i - TriangleBefore<kUpper>(args, low));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ARRANGE_H_
