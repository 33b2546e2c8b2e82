// demo::rms_norm: a typed call of an operator of this project.
//
//   sy::Tensor y = demo::rms_norm(x, weight, 1e-6);
//
// The name is looked up at the first call, so that the operator may come from a shared object that
// was loaded a moment ago.
// Owns: nothing.
// Threads: any.
// Errors: sy::Error: kNotFound while no library that registers the operator is in the process; what
// its shape function says of the arguments.
#ifndef DEMO_RMS_NORM_H_
#define DEMO_RMS_NORM_H_

#include "switchyard/core/tensor.h"
#include "switchyard/dispatcher/handle.h"

namespace demo {

// x: [.., n], weight: [n], of one floating dtype   →   like x
inline constinit sy::Handle<sy::Tensor(const sy::Tensor&, const sy::Tensor&, double)> rms_norm{
    "demo::rms_norm"};

}  // namespace demo

#endif  // DEMO_RMS_NORM_H_
