// What happens when a device has no kernel for a call: an error, or the host's kernel on copies of
// the tensors.
//
//   SetFallbackPolicy({.mode = FallbackMode::kWarnOnce});
//   for (const FallbackCount& c : FallbackCounts()) std::cout << c.op << " " << c.calls << "\n";
//
// The policy holds for the whole process and for every device but the host and those without data
// (meta). Forbidden until set: a program that runs where it should not must not do so silently.
// Threads: any.
#ifndef SWITCHYARD_DISPATCHER_FALLBACK_H_
#define SWITCHYARD_DISPATCHER_FALLBACK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/registry/registry.h"

namespace sy {

enum class FallbackMode : uint8_t { kForbid, kWarnOnce /* per operator and device */, kAllow };

struct FallbackPolicy {
  FallbackMode mode = FallbackMode::kForbid;
};
SY_API void SetFallbackPolicy(const FallbackPolicy& policy);
SY_API FallbackPolicy GetFallbackPolicy();

struct FallbackCount {
  std::string op;  // base form: "add.Tensor"
  std::string device;
  int64_t calls;
  int64_t bytes;  // copied to the host and back
};
// Since the start or the last reset, sorted by operator and device.
SY_API std::vector<FallbackCount> FallbackCounts();
SY_API void ResetFallbackCounts();

// Whether the policy would serve this key from the host; `why` says why not.
SY_API bool FallbackServes(const OperatorEntry& op, KeyWord key, std::string* why);
// The kernel by which the policy serves it, null where it does not: for callers that have a kernel
// which declines.
SY_API const KernelDef* FallbackKernel(const OperatorEntry& op, KeyWord key);

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_FALLBACK_H_
