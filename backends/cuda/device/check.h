// Kernels that look at values and report what is wrong with them.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_CHECK_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_CHECK_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// T: an integer.
template <class T>
SY_FN void NoZero(const CheckArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<1, UInt64> at(i, args.space);
  if (At<T>(args.data, at.of[0]) == T(0))
    Complain(args.report, args.op, Complaint::kDivisionByZero);
}

template <class T>
SY_FN void Probabilities(const CheckArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<1, UInt64> at(i, args.space);
  const double p = Convert<double>(At<T>(args.data, at.of[0]));
  if (!(p >= 0 && p <= 1))
    Complain(args.report, args.op, Complaint::kOutsideUnit, BitCast<Int64>(p));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_CHECK_H_
