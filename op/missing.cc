// The error for a call that no kernel serves: operator, key, what each argument contributed, what
// is registered and where.

#include "switchyard/core/error.h"
#include "switchyard/op/variants.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {

void FailMissingKernel(const OperatorEntry& op, KeyWord key,
                       std::span<const TensorBase* const> tensors) {
  const std::string_view device = DeviceType{RowOfKey(key)}.name();
  std::string text = Join({"no kernel for device ", device, " and dtype ", DTypeOfKey(key)});
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i]->defined()) continue;
    text += Join({"\n  tensor ", i, ": ", Describe(*tensors[i])});
  }
  const std::vector<Candidate> all = op.registry().Candidates(op, key);
  if (all.empty()) text += "\n  registered: nothing";
  for (const Candidate& c : all) {
    const char* where = c.kernel->device == nullptr ? "any device" : c.kernel->device;
    text += Join({"\n  registered: ", where, ", ", c.kernel->source(), ": ", c.verdict});
  }
  Fail(ErrorCode::kNotImplemented, op.name(), {text});
}

}  // namespace sy::internal
