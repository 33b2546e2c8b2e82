// Elements found, or put, by positions in a tensor of indices. A position out of range is reported
// (device/report.h) and skipped: nothing outside is read or written.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_

#include "switchyard/backends/cuda/device/pointwise.h"

namespace sy::cuda {

// The index at `offset`, wrapped where that is asked for; -1, and a report, where it is out of
// range.
template <class I>
SY_FN long long PositionAt(const IndexArgs& args, long long offset) {
  const long long given = At<I>(args.index, offset);
  const long long at = args.wraps && given < 0 ? given + args.size : given;
  if (at >= 0 && at < args.size) return at;
  Complain(args.report, args.op, Complaint::kPosition, given, args.size, args.dim);
  return -1;
}

// out = from at the index. Operands of the space: out, index, from (not moving along the dim).
// T: what is moved; I: the index's type.
template <class T, class I, class Index>
SY_FN void Gather(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<3, Index> at(i, args.space);
  const long long position = PositionAt<I>(args, at.of[1]);
  if (position < 0) return;
  At<T>(args.to, at.of[0]) = At<T>(args.from, at.of[2] + position * args.stride);
}

// Of the elements that go to one place the last one is to win: each place learns its order.
// Operands of the space: winner (not moving along the dim), index, order.
template <class I, class Index>
SY_FN void Claim(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<3, Index> at(i, args.space);
  const long long position = PositionAt<I>(args, at.of[1]);
  if (position < 0) return;
  atomicMax(&At<long long>(args.winner, at.of[0] + position * args.winner_stride),
            static_cast<long long>(at.of[2]));
}
// Operands of the space: to (not moving along the dim), index, from, winner (likewise); the order
// is given apart, by its strides.
template <class T, class I, class Index>
SY_FN void PutWinners(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<4, Index> at(i, args.space);
  const Offsets<1, Index> order(i, args.order);
  const long long position = PositionAt<I>(args, at.of[1]);
  if (position < 0) return;
  const long long winner = At<long long>(args.winner, at.of[3] + position * args.winner_stride);
  if (winner != static_cast<long long>(order.of[0])) return;
  const T x = args.from == nullptr ? At<T>(&args.number, 0) : At<T>(args.from, at.of[2]);
  At<T>(args.to, at.of[0] + position * args.stride) = x;
}

// --- Elements that are combined with what is in their place: one thread for each place's line, in
// the order of the index.
struct PutLast {
  template <class V>
  static SY_FN V Of(V, V x, V) {
    return x;
  }
};
struct AddTo {
  template <class V>
  static SY_FN V Of(V a, V x, V) {
    return a + x;
  }
};
struct AddScaledTo {
  template <class V>
  static SY_FN V Of(V a, V x, V alpha) {
    return a + x * alpha;
  }
};
struct MultiplyBy {
  template <class V>
  static SY_FN V Of(V a, V x, V) {
    return a * x;
  }
};
// A line: the elements that differ along the dim alone. Operands of the space: to, index, from, at
// the line's start. T: the elements; Bool is combined as an integer of 0 and 1 that stays one.
template <class How, class T, class I, class Index>
SY_FN void CombineLines(const IndexArgs& args) {
  const long long line = ThreadIndex();
  if (line >= args.space.n) return;
  const Offsets<3, Index> at(line, args.space);
  const auto alpha = Lift(At<T>(&args.alpha, 0));
  for (long long k = 0; k < args.count; ++k) {
    const long long position = PositionAt<I>(args, at.of[1] + k * args.index_step);
    if (position < 0) continue;
    T& place = At<T>(args.to, at.of[0] + position * args.stride);
    const T x = args.from == nullptr ? At<T>(&args.number, 0)
                                     : At<T>(args.from, at.of[2] + k * args.from_step);
    if constexpr (kSameType<T, Bool>) {
      place = {static_cast<unsigned char>(How::Of(Lift(place), Lift(x), alpha).v != 0)};
    } else {
      place = Lower<T>(How::Of(Lift(place), Lift(x), alpha));
    }
  }
}

// The bytes from a tensor's first element that one index of several adds. Operands of the space:
// the sums (Int64), the index.
template <class I, class Index>
SY_FN void AddPositions(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<2, Index> at(i, args.space);
  long long& sum = At<long long>(args.to, at.of[0]);
  const long long position = PositionAt<I>(args, at.of[1]);
  // Once out of range, it stays so: sums of others are smaller.
  sum = position < 0 ? Int64(1ull << 63) : sum + position * args.stride;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_
