// copy: elements of src, converted to self's dtype.
#include "switchyard/backends/cpu/engine/copy.h"

#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Copy(Call, const Tensor& out, const Tensor& /*self*/, const Tensor& src,
          bool /*non_blocking*/) {
  CopyElements(out, src);
}

const Kernel kernel{"copy", "cpu", kAnyDType, Copy};

}  // namespace
}  // namespace sy::cpu
