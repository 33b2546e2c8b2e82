// Numbers looked up among others that ascend: a thread for each.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SEARCH_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SEARCH_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/keys.h"

namespace sy::cuda {

// How many of n > 0 in a row are `before`.
template <class F>
SY_FN long long CountBefore(long long n, F before) {
  long long first = 0;
  for (; n > 1; n -= n / 2) first += before(first + n / 2 - 1) ? n / 2 : 0;
  return first + (before(first) ? 1 : 0);
}

// Source of the comparisons, which decide where NaN goes: ATen/native/Bucketization.cpp.
template <class T, class Out, bool kRight>
SY_FN void SearchSorted(const SearchArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  const long long base = args.row == 0 ? 0 : i / args.row * args.length;
  const T* const sequence = static_cast<const T*>(args.sequence) + base;
  const long long* const order = args.order == nullptr ? nullptr : args.order + base;
  const T x = static_cast<const T*>(args.what)[i];
  const long long at = CountBefore(args.length, [&](long long k) {
    if (order != nullptr) {
      const long long given = order[k];
      if (given < 0 || given >= args.length) {
        Complain(args.report, args.op, Complaint::kSorter, given, args.length);
        return false;
      }
      k = given;
    }
    return kRight ? !(sequence[k] > x) : !(sequence[k] >= x);
  });
  static_cast<Out*>(args.out)[i] = static_cast<Out>(at);
}

// Whether elements are among those of the sequence, which is sorted by keys.
template <class T, bool kInvert>
SY_FN void IsAmong(const SearchArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  const T* const sequence = static_cast<const T*>(args.sequence);
  const T x = static_cast<const T*>(args.what)[i];
  const Key<T> key = KeyOf(x);
  const long long at =
      CountBefore(args.length, [&](long long k) { return KeyOf(sequence[k]) < key; });
  const bool found = at < args.length && KeyOf(sequence[at]) == key && !IsNaN(x);
  static_cast<unsigned char*>(args.out)[i] = found != kInvert;
}

// Which of the parts that begin at these numbers each position is in.
template <class T>
SY_FN void PartOfPosition(const SearchArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  const T* const begins = static_cast<const T*>(args.sequence);
  static_cast<T*>(args.out)[i] =
      CountBefore(args.length, [&](long long k) { return begins[k] <= i; }) - 1;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SEARCH_H_
