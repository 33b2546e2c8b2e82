// Makes one recorded call with leaves that require gradients, and compares what backward gives with
// what PyTorch's gave; where second gradients are recorded, these too.
//
//   ReplayFolder("tests/conformance/gradients", {.device = cpu, .gradients = &ReplayGradient});
//
// On the meta device dtypes and sizes alone; a gradient that depends on values passes if it is
// refused as such. So, too, where another device may give other results than those recorded, and
// does: numbers that it draws, signs of vectors, which of equal elements.
// WithoutGradient(folder, device) names operators that lose gradients.
// Threads: one at a time: the default generators are the process's.
// Errors: kInvalidArgument for malformed cases; what a call throws is its outcome.
#ifndef TESTING_REPLAY_GRADIENTS_H_
#define TESTING_REPLAY_GRADIENTS_H_

#include <set>
#include <string>

#include "testing/replay/call.h"

namespace sy::replay {

Outcome ReplayGradient(const Json& call, Blob blob, Device device);

// The operators of a folder's cases (cases-K.jsonl.gz) with a call of which no result requires a
// gradient, though some are of numbers that have one, and so were arguments that required it: they
// have none, or their bodies lose it. Calls that throw, and those of no elements, tell nothing.
std::set<std::string> WithoutGradient(const std::string& folder, Device device);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_GRADIENTS_H_
