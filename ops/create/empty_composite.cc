// empty into a tensor that is given, which takes its sizes.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void EmptyOut(Call, IntSpan size, Optional<MemoryFormat> format, const Tensor& out) {
  resize_(out, size, format);
}
const Composite empty_out_body{"empty.out", EmptyOut};

}  // namespace
}  // namespace sy
