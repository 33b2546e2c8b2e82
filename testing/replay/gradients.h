// Recorded gradients: a call is made with leaves that require gradients, and what backward gives is
// compared with what PyTorch's gave; where second gradients are recorded, these too.
//
//   ReplayGradients(folder, device,
//                   [](const std::string& op, const Json& call, const Outcome& o) { … });
//
//   for (const std::string& op : WithoutGradient(folder, device)) …
//
// A folder holds grad-K.jsonl.gz and grad-blob-K.bin.gz (tests/conformance/README.md).
// Owns: nothing. Threads: one a default generator, which is seeded before each call.
// Errors: kNotFound and kInvalidArgument of the files; what a call throws is its outcome.
#ifndef TESTING_REPLAY_GRADIENTS_H_
#define TESTING_REPLAY_GRADIENTS_H_

#include <functional>
#include <set>
#include <string>

#include "testing/replay/call.h"

namespace sy::replay {

// op: "add.Tensor".
using GradientSink = std::function<void(const std::string& op, const Json& call, const Outcome&)>;
void ReplayGradients(const std::string& folder, Device device, const GradientSink& sink);

// The operators of a folder's cases (cases-K.jsonl.gz) with a call of which no result requires a
// gradient, though some are of numbers that have one, and so were arguments that required it: they
// have none, or their bodies lose it. Calls that throw, and those of no elements, tell nothing.
std::set<std::string> WithoutGradient(const std::string& folder, Device device);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_GRADIENTS_H_
