// What happens when a device has no kernel for a call: an error, or the host's kernel, on the
// tensors where the host may touch their bytes (DeviceBackend::HostAddress), else on copies.
//
//   SetFallbackPolicy({.mode = FallbackMode::kWarnOnce});
//   for (const FallbackCount& c : FallbackCounts()) std::cout << c.op << " " << c.calls << "\n";
//
// The policy holds for the whole process and for every device but the host and those without data
// (meta). Forbidden until set: a program that runs where it should not must not do so silently. A
// tensor that occurs twice in a call is copied once; what the operator writes is copied back.
// ATen's counterpart is at::native::cpu_fallback, which a backend registers for itself.
// Cost: a wait for the device, and two copies of every tensor that the host cannot touch.
// Owns: the counts, for the process.
// Threads: any; calls that run while the policy is set may follow either.
// Errors: none here; calls that are not served throw kNotImplemented.
#ifndef SWITCHYARD_DISPATCHER_FALLBACK_H_
#define SWITCHYARD_DISPATCHER_FALLBACK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/registry/registry.h"

namespace sy {

// kForbid: an error. kWarnOnce: the host, with a warning in the log at the first call of each
// operator and device since the last reset. kAllow: the host, silently.
enum class FallbackMode : uint8_t { kForbid, kWarnOnce /* per operator and device */, kAllow };

struct FallbackPolicy {
  FallbackMode mode = FallbackMode::kForbid;
};
// Holds for calls from now on: kernels that were resolved are forgotten.
SY_API void SetFallbackPolicy(const FallbackPolicy& policy);
SY_API FallbackPolicy GetFallbackPolicy();

struct FallbackCount {
  std::string op;  // base variant: "add.Tensor"
  std::string device;
  int64_t calls;
  int64_t bytes;  // copied to the host and back; none where it sees the device's memory
};
// Since the start or the last reset, sorted by operator and device.
SY_API std::vector<FallbackCount> FallbackCounts();
SY_API void ResetFallbackCounts();

// Whether the policy would serve this key from the host; `why`, not null, says why not and is left
// as it is otherwise.
SY_API bool FallbackServes(const OperatorEntry& op, KeyWord key, std::string* why);
// The kernel by which the policy serves it, null where it does not: for callers that have a kernel
// which declines. It lives as long as the registry, which keeps one for each operator.
SY_API const KernelDef* FallbackKernel(const OperatorEntry& op, KeyWord key);

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_FALLBACK_H_
