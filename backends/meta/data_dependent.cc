// Operators whose results, or their sizes, depend on values: there are none on meta, and the error
// says so. Which these are, their tags say; one that has a kernel or a body that can tell before it
// needs a value (index without a mask, one_hot with a number of classes) keeps it.

#include "switchyard/core/error.h"
#include "switchyard/op/kernel.h"
#include "switchyard/registry/entry.h"

namespace sy {
namespace {

void Refuse(const BoxedCall& call) {
  const OperatorEntry& op = *call.kernel->entry;
  const bool sizes = op.Has(OperatorTag::kDynamicOutputShape);
  Fail(ErrorCode::kDataDependent, op.name(),
       {sizes ? "the sizes of the result depend" : "the result depends",
        " on values, which meta tensors do not have"});
}

const Kernel refusal{OperatorTag::kDynamicOutputShape | OperatorTag::kDataDependentOutput, "meta",
                     Refuse};

}  // namespace
}  // namespace sy
