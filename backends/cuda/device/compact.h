// Elements that a condition picks, in order: counted tile by tile, then, when it is known how many
// come before each tile, gone over again.
//
// A condition says of element i whether it is picked; a use is called for each element with the
// number k of those picked before it.
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPACT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPACT_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/keys.h"

namespace sy::cuda {

// --- Conditions

template <class T>
struct NotZero {
  static SY_FN bool Of(const CompactArgs& args, long long i) {
    return Convert<Bool>(static_cast<const T*>(args.flags)[i]).bits != 0;
  }
};
SY_FN long long PlaceOf(const CompactArgs& args, long long i) {
  return args.places == nullptr ? i : args.places[i];
}
template <class T>
SY_FN bool Differ(T a, T b) {
  return KeyOf(a) != KeyOf(b) || IsNaN(a);
}
// Rows of `width` elements in the order of places that differ from the one before; NaN differs from
// itself.
template <class T>
struct NotAsBefore {
  static SY_FN bool Of(const CompactArgs& args, long long i) {
    if (i == 0) return true;
    const T* const all = static_cast<const T*>(args.flags);
    const T* const a = all + PlaceOf(args, i) * args.width;
    const T* const b = all + PlaceOf(args, i - 1) * args.width;
    for (long long k = 0; k < args.width; ++k) {
      if (Differ(a[k], b[k])) return true;
    }
    return false;
  }
};
// The same of elements that lie in order.
template <class T>
struct NotAsLeft {
  static SY_FN bool Of(const CompactArgs& args, long long i) {
    const T* const x = static_cast<const T*>(args.flags);
    return i == 0 || Differ(x[i], x[i - 1]);
  }
};

// --- Uses. U: elements as they are moved.

// Positions in a space, the last dimension innermost.
template <class U>
struct Coordinates {
  static SY_FN void Of(const CompactArgs& args, long long i, long long k, bool picked) {
    if (!picked || k >= args.most) return;
    long long* to = static_cast<long long*>(args.to) + k * args.row;
    for (int d = 0; d < args.space.rank; ++d) {
      const long long rest = i / args.space.sizes[d];
      to[(args.space.rank - 1 - d) * args.column] = i - rest * args.space.sizes[d];
      i = rest;
    }
  }
};
template <class U>
struct ToList {
  static SY_FN void Of(const CompactArgs& args, long long i, long long k, bool picked) {
    if (picked) static_cast<U*>(args.to)[k] = static_cast<const U*>(args.from)[i];
  }
};
// From a list of `most`; if it is too short, that is reported.
template <class U>
struct FromList {
  static SY_FN void Of(const CompactArgs& args, long long i, long long k, bool picked) {
    if (!picked) return;
    if (k < args.most) {
      static_cast<U*>(args.to)[i] = static_cast<const U*>(args.from)[k];
    } else {
      Complain(args.report, args.op, Complaint::kSourceTooShort, args.most);
    }
  }
};
// Groups that begin with those picked.
template <class U>
struct Groups {
  static SY_FN void Of(const CompactArgs& args, long long i, long long k, bool picked) {
    const long long group = picked ? k : k - 1, place = PlaceOf(args, i);
    if (args.inverse != nullptr) args.inverse[place] = group;
    if (!picked) return;
    if (args.to != nullptr) static_cast<U*>(args.to)[group] = static_cast<const U*>(args.from)[i];
    if (args.heads != nullptr) args.heads[group] = i;
    if (args.firsts != nullptr) args.firsts[group] = place;
  }
};

// --- A block for each tile; a warp's elements follow each other.

inline constexpr int kCompactItems = 16;
inline constexpr int kCompactTile = kOrderThreads * kCompactItems;

// The element that this thread looks at as its j-th.
SY_FN long long CompactElement(int j) {
  return static_cast<long long>(blockIdx.x) * kCompactTile +
         (WarpOfBlock() * kCompactItems + j) * 32 + LaneOfWarp();
}
// Bit j: its j-th is picked.
template <class Condition>
SY_FN unsigned PickedBits(const CompactArgs& args) {
  unsigned bits = 0;
  for (int j = 0; j < kCompactItems; ++j) {
    const long long i = CompactElement(j);
    if (i < args.n && Condition::Of(args, i)) bits |= 1u << j;
  }
  return bits;
}

template <class T, template <class> class Condition>
SY_FN void CountPicked(const CompactArgs& args) {
  long long all;
  const auto own = static_cast<long long>(__popc(PickedBits<Condition<T>>(args)));
  BlockSumBefore<kOrderThreads>(own, all);
  if (threadIdx.x == 0) args.counts[blockIdx.x] = all;
}

template <class T, class U, template <class> class Condition, template <class> class Use>
SY_FN void UsePicked(const CompactArgs& args) {
  const unsigned bits = PickedBits<Condition<T>>(args);
  int all;
  // Of the threads before, those of this warp are counted again below.
  const int before = BlockSumBefore<kOrderThreads>(__popc(bits), all);
  long long k = args.counts[blockIdx.x] + __shfl_sync(kWholeWarp, before, 0);
  for (int j = 0; j < kCompactItems; ++j) {
    const bool picked = (bits >> j & 1) != 0;
    const unsigned with = __ballot_sync(kWholeWarp, picked);
    const long long i = CompactElement(j);
    if (i < args.n) Use<U>::Of(args, i, k + __popc(with & LanesBefore()), picked);
    k += __popc(with);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPACT_H_
