// Elements found, or put, by positions in a tensor of indices. A position out of range is reported
// (device/report.h) and skipped: nothing outside is read or written.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/pointwise.h"
#include "switchyard/backends/cuda/device/search.h"

namespace sy::cuda {

// An index, wrapped where that is asked for; -1, and a report, where it is out of range.
template <class Args>
SY_FN long long PositionOf(const Args& args, long long given) {
  const long long at = args.wraps && given < 0 ? given + args.size : given;
  if (at >= 0 && at < args.size) return at;
  Complain(args.report, args.op, Complaint::kPosition, given, args.size, args.dim);
  return -1;
}
// That of the one at `offset`.
template <class I, class Args>
SY_FN long long PositionAt(const Args& args, long long offset) {
  return PositionOf(args, static_cast<long long>(At<I>(args.index, offset)));
}

// out = from, or the number, at the index. Operands of the space: out, index, from (not moving
// along the dim). T: what is moved; I: the index's type. kSparse: what is out of range is left as
// it is without a word. A block's elements lie together, so that what they find is near to each
// other.
inline constexpr int kGatherItems = 4;
template <class T, class I, bool kSparse, class Index>
SY_FN void Gather(const IndexArgs& args) {
  const long long each = blockDim.x * kGatherItems;
  long long first = static_cast<long long>(blockIdx.x) * args.count * each + threadIdx.x;
  for (long long round = 0; round < args.count; ++round, first += each) {
    long long to[kGatherItems], from[kGatherItems];
    I given[kGatherItems];
    T x[kGatherItems];
#pragma unroll
    for (int k = 0; k < kGatherItems; ++k) {
      from[k] = -1;
      const long long i = first + k * static_cast<long long>(blockDim.x);
      if (i >= args.space.n) continue;
      const Offsets<3, Index> at(i, args.space);
      given[k] = At<I>(args.index, at.of[1]);
      to[k] = at.of[0];
      from[k] = at.of[2];
    }
#pragma unroll
    for (int k = 0; k < kGatherItems; ++k) {
      if (from[k] < 0) continue;
      long long position = static_cast<long long>(given[k]);
      if constexpr (kSparse) {
        if (position >= args.size) position = -1;
      } else {
        position = PositionOf(args, position);
      }
      from[k] = position < 0 ? -1 : from[k] + position * args.stride;
    }
#pragma unroll
    for (int k = 0; k < kGatherItems; ++k) {
      if (from[k] >= 0)
        x[k] = args.from == nullptr ? At<T>(&args.number, 0) : At<T>(args.from, from[k]);
    }
#pragma unroll
    for (int k = 0; k < kGatherItems; ++k) {
      if (from[k] >= 0) At<T>(args.to, to[k]) = x[k];
    }
  }
}

// The same of rows, which go by blockIdx.y, of elements that lie side by side and are found by
// indices that do so too: kEach a thread, moved at once. kNumber: what is found is the number.
template <class T, class I, bool kSparse, bool kNumber, int kEach>
SY_FN void GatherRows(const IndexArgs& args) {
  const Space& space = args.space;
  const long long i = ThreadIndex() * kEach;
  if (i >= space.sizes[0]) return;
  for (long long row = blockIdx.y; row < space.sizes[1]; row += gridDim.y) {
    const Pack<I, kEach> given = At<Pack<I, kEach>>(
        args.index, row * space.strides[1][1] + i * static_cast<long long>(sizeof(I)));
    const char* const from = static_cast<const char*>(args.from) + row * space.strides[2][1];
    const long long to = row * space.strides[0][1] + i * static_cast<long long>(sizeof(T));
    Pack<T, kEach> x;
    bool found[kEach], all = true;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      long long position = static_cast<long long>(given.v[k]);
      if constexpr (kSparse) {
        found[k] = position >= 0 && position < args.size;
      } else {
        position = PositionOf(args, position);
        found[k] = position >= 0;
      }
      all &= found[k];
      if (found[k]) x.v[k] = kNumber ? At<T>(&args.number, 0) : At<T>(from, position * args.stride);
    }
    if (all) {
      At<Pack<T, kEach>>(args.to, to) = x;
      continue;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if (found[k]) At<T>(args.to, to + k * static_cast<long long>(sizeof(T))) = x.v[k];
    }
  }
}

// The same where one index finds a whole row, of elements or packs T that lie side by side.
template <class T, class I, bool kSparse, bool kNumber>
SY_FN void GatherSlices(const IndexArgs& args) {
  const Space& space = args.space;
  const long long i = ThreadIndex();
  if (i >= space.sizes[0]) return;
  for (long long row = blockIdx.y; row < space.sizes[1]; row += gridDim.y) {
    long long position = static_cast<long long>(At<I>(args.index, row * space.strides[1][1]));
    if constexpr (kSparse) {
      if (position >= args.size) position = -1;
    } else {
      position = PositionOf(args, position);
    }
    if (position < 0) continue;
    const long long column = i * static_cast<long long>(sizeof(T));
    At<T>(args.to, row * space.strides[0][1] + column) =
        kNumber ? At<T>(&args.number, 0)
                : At<T>(args.from, row * space.strides[2][1] + position * args.stride + column);
  }
}

// Of the elements that go to one place the last one is to win: each place learns its order. Where
// whole slices go, a slice's place is its position, else an element's is its number in memory.
template <class T, bool kSlices>
SY_FN long long WinnersPlace(const IndexArgs& args, long long offset, long long position) {
  return kSlices ? position : (offset + position * args.stride) / static_cast<long long>(sizeof(T));
}
// Operands of the space: to (not moving along the dim), index, order. W: the order's type.
template <class T, class I, class W, bool kSlices, class Index>
SY_FN void Claim(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<3, Index> at(i, args.space);
  const long long position = PositionAt<I>(args, at.of[1]);
  if (position < 0) return;
  W* const winner = static_cast<W*>(args.winner);
  atomicMax(&winner[WinnersPlace<T, kSlices>(args, at.of[0], position)], static_cast<W>(at.of[2]));
}
// Operands of the space: to (not moving along the dim), index, from, order.
template <class T, class I, class W, bool kSlices, class Index>
SY_FN void PutWinners(const IndexArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<4, Index> at(i, args.space);
  const long long position = static_cast<long long>(At<I>(args.index, at.of[1]));
  const long long wrapped = args.wraps && position < 0 ? position + args.size : position;
  if (wrapped < 0 || wrapped >= args.size) return;  // Claim has said so
  const W* const winner = static_cast<const W*>(args.winner);
  if (winner[WinnersPlace<T, kSlices>(args, at.of[0], wrapped)] != static_cast<W>(at.of[3])) return;
  At<T>(args.to, at.of[0] + wrapped * args.stride) =
      args.from == nullptr ? At<T>(&args.number, 0) : At<T>(args.from, at.of[2]);
}

// --- Elements that are combined with what is in their place: one thread for each place's line, in
// the order of the index.
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
// The product is rounded first, where T rounds.
template <class T>
struct AddRoundedTo {
  template <class V>
  static SY_FN V Of(V a, V x, V alpha) {
    return a + Lift(Lower<T>(x * alpha));
  }
};
// NaN wins.
struct LesserOf {
  template <class V>
  static SY_FN V Of(V a, V x, V) {
    return select(x < a || isnan(x), x, a);
  }
};
struct GreaterOf {
  template <class V>
  static SY_FN V Of(V a, V x, V) {
    return select(a < x || isnan(x), x, a);
  }
};

// How(a, x), as far as T holds it: Bool is combined as an integer of 0 and 1 that stays one.
template <class How, class T, class V>
SY_FN V Combined(V a, V x, V alpha) {
  const V r = How::Of(a, x, alpha);
  if constexpr (kSameType<T, Bool>) {
    return static_cast<unsigned char>(r.v != 0);
  } else {
    return r;
  }
}
// A line: the elements that differ along the dim alone. Operands of the space: to, index, from, at
// the line's start.
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
    place = Lower<T>(Combined<How, T>(Lift(place), Lift(x), alpha));
  }
}

// --- Elements that are sorted by where they go.

// What element i of an index is sorted by: its place, in elements of what is written; args.end
// where its position is out of range. Of several indices, each adds to what those before have left.
// Operands of the space: the place (not moving along the dim), index.
template <class I, class K, bool kFirst, class Index>
SY_FN void Keys(const KeyArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<2, Index> at(i, args.space);
  K* const keys = static_cast<K*>(args.keys);
  long long key = kFirst ? static_cast<long long>(at.of[0]) : static_cast<long long>(keys[i]);
  const long long position = PositionAt<I>(args, at.of[1]);
  if (key == args.end || position < 0) {
    key = args.end;
  } else {
    key += position * args.stride;
  }
  keys[i] = static_cast<K>(key);
}

// One of the sorted elements, and one of what moves along with each.
template <bool kItemsInside>
struct RunPlace {
  long long i, other;
  bool real;

  explicit SY_FN RunPlace(const RunArgs& args) {
    const long long t = ThreadIndex();
    real = t < args.count * args.others.n;
    const long long inside = kItemsInside ? args.count : args.others.n;
    const long long outer = real ? (t < 0x7fffffff && inside < 0x7fffffff
                                        ? static_cast<unsigned>(t) / static_cast<unsigned>(inside)
                                        : t / inside)
                                 : 0;
    const long long inner = real ? t - outer * inside : 0;
    i = kItemsInside ? inner : outer;
    other = kItemsInside ? outer : inner;
  }
};
SY_FN long long SourceOf(const RunArgs& args, long long i, long long offset) {
  const long long item = args.order == nullptr ? i : args.order[i];
  const Offsets<1, UInt64> at(item, args.items);
  return offset + static_cast<long long>(at.of[0]);
}

// The last of those that go to one place is copied there. Operands of `others`: to, from.
template <class T, class K, bool kItemsInside>
SY_FN void PutRuns(const RunArgs& args) {
  const RunPlace<kItemsInside> place(args);
  const K* const keys = static_cast<const K*>(args.keys);
  if (!place.real) return;
  const long long key = static_cast<long long>(keys[place.i]);
  if (key == args.end) return;
  if (place.i + 1 < args.count && static_cast<long long>(keys[place.i + 1]) == key) return;
  const Offsets<2, UInt64> at(place.other, args.others);
  const long long to = static_cast<long long>(at.of[0]) + key * args.stride;
  At<T>(args.to, to) = args.from == nullptr ? At<T>(&args.number, 0)
                                            : At<T>(args.from, SourceOf(args, place.i, at.of[1]));
}

// What n of them have been summed up to, by n. Integers round down.
template <class T>
SY_FN T DividedBy(T sum, long long n) {
  if constexpr (kIsShort<T>) {
    return FromFloat<T>(ToFloat(sum) / static_cast<float>(n));
  } else if constexpr (kIsPair<T>) {
    return {DividedBy(sum.re, n), DividedBy(sum.im, n)};
  } else if constexpr (kIsFloat<T>) {
    return sum / static_cast<T>(n);
  } else if constexpr (kSameType<T, Bool>) {
    return sum;
  } else {
    const long long whole = static_cast<long long>(sum);
    return static_cast<T>(whole / n - (whole % n < 0));
  }
}

// A run of equal keys that holds a whole part of kRunPart sorted elements is cut where parts begin:
// each part of it is summed up by a thread, and the sums by JoinRuns. So what is computed depends
// on the keys alone, and a run of all elements keeps many threads busy.
inline constexpr long long kRunPart = 1024;
template <class K>
SY_FN bool IsWholePart(const RunArgs& args, long long part, K key) {
  const K* const keys = static_cast<const K*>(args.keys);
  const long long begin = part * kRunPart, end = begin + kRunPart;
  return part >= 0 && end <= args.count && keys[begin] == key && keys[end - 1] == key;
}
// Whether a run of `key` that is in a part and goes on in the next one is cut.
template <class K>
SY_FN bool IsCutBehind(const RunArgs& args, long long part, K key) {
  const long long next = (part + 1) * kRunPart;
  return next < args.count && static_cast<const K*>(args.keys)[next] == key &&
         (IsWholePart(args, part, key) || IsWholePart(args, part + 1, key));
}
// Where the sum of a part is kept: of the run that begins in it and is cut, or that comes from
// before.
template <class V>
SY_FN V& PartSum(const RunArgs& args, long long part, bool from_before, long long other) {
  return static_cast<V*>(args.parts)[(part * 2 + (from_before ? 1 : 0)) * args.others.n + other];
}
// How sums of parts are combined: what is done to single elements is done.
template <class How>
struct JoinOf {
  using Type = How;
};
template <>
struct JoinOf<AddScaledTo> {
  using Type = AddTo;
};
template <class T>
struct JoinOf<AddRoundedTo<T>> {
  using Type = AddTo;
};

// Those that go to one place are combined with what is there, or, where that does not count, with
// the identity; the first one's thread does it, in their order, or those of the parts of a long
// run. kEach: rounded after every step.
template <class How, class T, class K, bool kEach, bool kMean, bool kItemsInside>
SY_FN void CombineRuns(const RunArgs& args) {
  const RunPlace<kItemsInside> place(args);
  const K* const keys = static_cast<const K*>(args.keys);
  if (!place.real) return;
  const K key = keys[place.i];
  if (static_cast<long long>(key) == args.end) return;
  const bool from_before = place.i != 0 && keys[place.i - 1] == key;
  const long long part = place.i / kRunPart;
  bool cut = false;
  if (args.parts != nullptr) {
    cut = from_before ? place.i % kRunPart == 0 && IsCutBehind(args, part - 1, key)
                      : IsCutBehind(args, part, key);
  }
  if (from_before && !cut) return;
  const Offsets<2, UInt64> at(place.other, args.others);
  T& to =
      At<T>(args.to, static_cast<long long>(at.of[0]) + static_cast<long long>(key) * args.stride);
  const auto alpha = Lift(At<T>(&args.alpha, 0));
  auto sum = Lift(args.with_self && !from_before ? to : At<T>(&args.identity, 0));
  long long i = place.i;
  const long long end =
      cut && (part + 1) * kRunPart < args.count ? (part + 1) * kRunPart : args.count;
  for (; i < end && keys[i] == key; ++i) {
    const T x = args.from == nullptr ? At<T>(&args.number, 0)
                                     : At<T>(args.from, SourceOf(args, i, at.of[1]));
    sum = Combined<How, T>(sum, Lift(x), alpha);
    if constexpr (kEach) sum = Lift(Lower<T>(sum));
  }
  if (cut) {
    PartSum<decltype(sum)>(args, part, from_before, place.other) = sum;
    return;
  }
  T result = Lower<T>(sum);
  if constexpr (kMean) {
    const long long n = i - place.i + (args.with_self ? 1 : 0);
    if (n > 1) result = DividedBy(result, n);
  }
  to = result;
}

// The parts of runs that were cut; a warp for each part, in which one may begin, and each of what
// moves along.
template <class How, class T, class K, bool kMean>
SY_FN void JoinRuns(const RunArgs& args) {
  const long long pair = ThreadIndex() / 32;
  const long long part = pair / args.others.n, other = pair % args.others.n;
  const long long begin = part * kRunPart, behind = begin + kRunPart;
  if (behind >= args.count) return;  // of whole warps, as below
  const K* const keys = static_cast<const K*>(args.keys);
  const K key = keys[behind - 1];
  const bool comes_from_before = begin != 0 && keys[begin] == key && keys[begin - 1] == key;
  if (static_cast<long long>(key) == args.end || comes_from_before || !IsCutBehind(args, part, key))
    return;
  using V = decltype(Lift(T()));
  using Join = typename JoinOf<How>::Type;
  const V alpha = Lift(At<T>(&args.alpha, 0));
  const auto join = [&](V a, V b) { return Combined<Join, T>(a, b, alpha); };
  V rest = Lift(At<T>(&args.identity, 0));
  for (long long p = part + 1 + LaneOfWarp(); p * kRunPart < args.count; p += 32) {
    if (keys[p * kRunPart] != key) break;
    rest = join(rest, PartSum<V>(args, p, true, other));
  }
  rest = WarpAll(rest, join);
  if (LaneOfWarp() != 0) return;
  T result = Lower<T>(join(PartSum<V>(args, part, false, other), rest));
  if constexpr (kMean) {
    // Keys are sorted: those of the run in this part are its last ones.
    const long long here =
        kRunPart - CountBefore(kRunPart, [&](long long k) { return keys[begin + k] != key; });
    const long long further =
        CountBefore(args.count - behind, [&](long long k) { return keys[behind + k] == key; });
    result = DividedBy(result, here + further + (args.with_self ? 1 : 0));
  }
  const Offsets<2, UInt64> at(other, args.others);
  At<T>(args.to, static_cast<long long>(at.of[0]) + static_cast<long long>(key) * args.stride) =
      result;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_INDEX_H_
