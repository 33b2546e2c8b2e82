// Rows of a matrix sorted by comparing them, element by element, with their places: one step of a
// network for each launch. Source: K. E. Batcher, "Sorting networks and their applications", AFIPS
// 1968.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ROW_SORT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ROW_SORT_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/keys.h"

namespace sy::cuda {

// Whether row a comes after row b; n, which is none, after all.
template <class T>
SY_FN bool RowAfter(const RowSortArgs& args, long long a, long long b) {
  if (a < args.n && b < args.n) {
    const T* const x = static_cast<const T*>(args.values) + a * args.width;
    const T* const y = static_cast<const T*>(args.values) + b * args.width;
    for (long long k = 0; k < args.width; ++k) {
      const Key<T> p = KeyOf(x[k]), q = KeyOf(y[k]);
      if (p != q) return p > q;
    }
  }
  return a > b;
}

template <class T>
SY_FN void CompareRows(const RowSortArgs& args) {
  const long long pair = ThreadIndex();
  if (pair >= args.size / 2) return;
  const long long i = pair / args.apart * 2 * args.apart + pair % args.apart, j = i + args.apart;
  const long long a = args.places[i], b = args.places[j];
  if (RowAfter<T>(args, a, b) != ((i & args.run) == 0)) return;
  args.places[i] = b;
  args.places[j] = a;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ROW_SORT_H_
