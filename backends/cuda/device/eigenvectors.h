// Eigenvectors of real matrices as complex numbers, from the parts that geev leaves: of a pair of
// conjugate eigenvalues, the first of which is above the real axis, one vector's parts in two
// columns.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_EIGENVECTORS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_EIGENVECTORS_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/matrix_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

template <class T>
SY_FN void JoinParts(const EigenvectorArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.count) return;
  const T* const x = static_cast<const T*>(args.parts) + i;
  const T above = static_cast<const Pair<T>*>(args.values)[i / args.n].im;
  Pair<T> v{x[0], T(0)};
  if (above > 0) {
    v.im = x[args.n];
  } else if (above < 0) {
    v = {x[-args.n], -x[0]};
  }
  static_cast<Pair<T>*>(args.vectors)[i] = v;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_EIGENVECTORS_H_
