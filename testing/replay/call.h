// Makes one recorded call and compares what it gave.
//
//   Verdict v = ReplayCall(json, blob, ParseDevice("cpu"), &why);
//
// A call that was recorded as failing must throw sy::Error and leave its tensors as they were; one
// that succeeded must give the recorded results, write what was recorded as written and nothing
// else. On the meta device results are compared by metadata; a call that depends on values passes
// if it is refused as such, and one that fails by values is made on the host instead.
// Threads: one at a time: the default generators are the process's.
// Errors: kInvalidArgument for malformed cases.
#ifndef TESTING_REPLAY_CALL_H_
#define TESTING_REPLAY_CALL_H_

#include <string>

#include "testing/replay/recorded.h"

namespace sy::replay {

enum class Verdict {
  kPassed,
  kFailed,
  kMissing,  // no such operator or overload is registered
};

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string why = {};   // expected and got, for a failure
  bool fallback = false;  // something of it ran on the host, on copies
  // Something of it ran in a kernel of the device, as far as that is counted: not where it fails
  // before, is a view alone, or is printed.
  bool kernels = true;
};

// How often the device's kernels have served calls of this thread so far (CallsServedByDevices).
using KernelCalls = int64_t (*)();

// Whether tensors there have elements: not on meta.
bool HasData(Device device);

// The operator's full name, without ATen's namespace: "add.Tensor".
std::string OpOf(const Json& call);
// "add.Tensor(float32[2, 3], 2, alpha=1)", cut where it gets long.
std::string DescribeCall(const Json& call, Blob blob);

// seed: of the device's default generator before the call; nullopt: it goes on where it is.
// kernel_calls: null where calls of kernels are not counted.
Outcome ReplayCall(const Json& call, Blob blob, Device device, std::optional<uint64_t> seed,
                   KernelCalls kernel_calls = nullptr);

// Calls that ran on the host so far, on copies.
int64_t FallbackCalls();

// Seeds the device's default generator; false where the device has none.
bool SeedDefaultGenerator(Device device, uint64_t seed);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_CALL_H_
