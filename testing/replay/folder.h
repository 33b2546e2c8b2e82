// Replays a folder of reference cases: calls, seeded sequences, printed tensors, type promotion.
//
//   Report report = ReplayFolder("tests/conformance/data/edge", {.device = ParseDevice("meta")});
//
// Files: cases-K.jsonl.gz with blob-K.bin.gz, random-K.jsonl.gz with random-blob-K.bin.gz,
// print-K.jsonl.gz with print-blob-K.bin.gz, grad-K.jsonl.gz with grad-blob-K.bin.gz, types.json.
// Their format: tests/conformance/README.md.
// Printing and promotion count under `print` and `types`, a sequence under its first failing call
// or `random`.
// Owns: one blob at a time.
// With a limit, the cases run in a process of their own: one that crashes or takes longer fails,
// and the others go on.
// Threads: one at a time; with a limit, before kernels have run in this process.
// Errors: kNotFound for a folder or blob that is not there and for a pattern that no case matches,
// kInvalidArgument for a damaged file.
#ifndef TESTING_REPLAY_FOLDER_H_
#define TESTING_REPLAY_FOLDER_H_

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "testing/replay/report.h"

namespace sy::replay {

struct FolderOptions {
  Device device;
  // Gives the device instead, in the process that makes the calls: where a plugin is to be loaded.
  std::function<Device()> open = {};
  std::string pattern = {};          // of overload or operator names, as shells match; empty: all
  int64_t each = 0;                  // cases of an overload at most, its first ones; 0: all
  std::ostream* failures = nullptr;  // where each failure is shown: the call, expected, got
  std::optional<std::chrono::milliseconds> limit = {};  // of one case; without: in this process
  // What counts the calls that a device's kernels serve, null where nothing does. Null: of no
  // device; then all that did not fall back is native.
  KernelCalls (*kernel_calls)(Device device) = nullptr;
  // Makes a recorded gradient's case (gradients.h); null: such files are left out.
  Outcome (*gradients)(const Json& call, Blob blob, Device device) = nullptr;
};

Report ReplayFolder(const std::string& folder, const FolderOptions& options);

// Whether the pattern names this overload, or its operator: "add*", "add.Tensor", "add".
bool Matches(const std::string& pattern, std::string_view op);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_FOLDER_H_
