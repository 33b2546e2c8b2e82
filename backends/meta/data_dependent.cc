// Operators whose results' sizes depend on values: there are none on meta, and the error says so.

#include "switchyard/core/error.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

void Refuse(const BoxedCall& call) {
  Fail(ErrorCode::kDataDependent,
       {call.kernel->op,
        "(): the sizes of the result depend on values, which meta tensors do not "
        "have"});
}

const Kernel bincount{"bincount", "meta", kAnyDType, Refuse};
const Kernel unique{"_unique", "meta", kAnyDType, Refuse};
const Kernel unique2{"_unique2", "meta", kAnyDType, Refuse};
const Kernel unique_dim{"unique_dim", "meta", kAnyDType, Refuse};
const Kernel unique_consecutive{"unique_consecutive", "meta", kAnyDType, Refuse};
const Kernel nonzero{"nonzero", "meta", kAnyDType, Refuse};
const Kernel masked_select{"masked_select", "meta", kAnyDType, Refuse};
const Kernel repeat_interleave{"repeat_interleave.Tensor", "meta", kAnyDType, Refuse};

}  // namespace
}  // namespace sy
