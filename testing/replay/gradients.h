// Recorded gradients: a call is made with leaves that require gradients, and what backward gives is
// compared with what PyTorch's gave; where second gradients are recorded, these too.
//
//   ReplayGradients(folder, device,
//                   [](const std::string& op, const Json& call, const Outcome& o) { … });
//
// A folder holds grad-K.jsonl.gz and grad-blob-K.bin.gz (tests/conformance/README.md).
// Owns: nothing. Threads: one a default generator, which is seeded before each call.
// Errors: kNotFound and kInvalidArgument of the files; what a call throws is its outcome.
#ifndef TESTING_REPLAY_GRADIENTS_H_
#define TESTING_REPLAY_GRADIENTS_H_

#include <functional>
#include <string>

#include "testing/replay/call.h"

namespace sy::replay {

// op: "add.Tensor".
using GradientSink = std::function<void(const std::string& op, const Json& call, const Outcome&)>;
void ReplayGradients(const std::string& folder, Device device, const GradientSink& sink);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_GRADIENTS_H_
