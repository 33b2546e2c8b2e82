// Makes one recorded call with leaves that require gradients, and compares what backward gives with
// what PyTorch's gave; where second gradients are recorded, these too.
//
//   ReplayFolder("tests/conformance/gradients", {.device = cpu, .gradients = &ReplayGradient});
//
// On the meta device dtypes and sizes alone; a gradient that depends on values passes if it is
// refused as such.
// Threads: one at a time: the default generators are the process's.
// Errors: kInvalidArgument for malformed cases; what a call throws is its outcome.
#ifndef TESTING_REPLAY_GRADIENTS_H_
#define TESTING_REPLAY_GRADIENTS_H_

#include "testing/replay/call.h"

namespace sy::replay {

Outcome ReplayGradient(const Json& call, Blob blob, Device device);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_GRADIENTS_H_
