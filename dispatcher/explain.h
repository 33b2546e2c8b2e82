// Why a call goes where it goes: the candidates for an operator on a device and dtype, and the one
// that is taken.
//
//   for (const Explanation& e : sy::explain("add", "cuda", DType::kFloat16)) std::cout << e.str();
//
// It prints the resolution that calls use, in release builds too. Nothing is called, and the device
// need not be there: its name is enough.
// Owns: an explanation owns its texts.
// Threads: any.
// Errors: kNotFound for unknown operators and devices, kInvalidArgument for a malformed device.
#ifndef SWITCHYARD_DISPATCHER_EXPLAIN_H_
#define SWITCHYARD_DISPATCHER_EXPLAIN_H_

#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/dtype.h"
#include "switchyard/core/macros.h"

namespace sy {

struct KernelDef;

// A kernel that is registered for the operator, for its formula, or for every operator that it can
// serve ("*").
struct ExplainedCandidate {
  std::string device;  // "cpu", "any"
  std::string dtypes;  // "float32, float64", "any"
  std::string source;  // "file:line"
  bool chosen = false;
  std::string verdict;  // why it is taken or passed over
};

// Of one overload on one device and dtype; texts are for people and may change.
struct Explanation {
  std::string op;  // "add.Tensor"
  std::string schema;
  std::string registered_at;
  std::string device;
  DType dtype;
  std::string variant;  // "functional, from a shape function", …, "kernels return the results"
  std::string formula;  // that the operator names, and its facts; empty where it names none
  std::vector<ExplainedCandidate> candidates;  // best first
  std::string fallback;                        // what the policy says
  // "the kernel at …", "a view on every device: …", "the results of linear, copied; there: …",
  // "error: …".
  std::string outcome;
  // All of it in lines, the taken candidate behind an arrow.
  SY_API std::string str() const;
};

// op: a full name, or a name whose overloads are explained one by one, sorted by overload. device:
// as ParseDevice takes it; its index plays no part.
SY_API std::vector<Explanation> explain(std::string_view op, std::string_view device, DType dtype);

namespace internal {
// Asked for more to say of a kernel, "" where there is nothing: by who has registered it.
using KernelNoteFn = std::string (*)(const KernelDef& kernel);
SY_API void SetKernelNotes(KernelNoteFn fn);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_EXPLAIN_H_
