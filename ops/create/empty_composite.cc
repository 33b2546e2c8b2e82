// empty and empty_strided into a tensor that is given, which takes its sizes.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void EmptyOut(Call, IntSpan size, Optional<MemoryFormat> format, const Tensor& out) {
  resize_(out, size, format);
}
const Composite empty_out_body{"empty.out", EmptyOut};
void EmptyStridedOut(Call call, IntSpan size, IntSpan stride, const Tensor& out) {
  if (size.size() != stride.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"size ", size, " and stride ", stride, " differ in length"});
  }
  resize_(out, size);
}
const Composite empty_strided_out_body{"empty_strided.out", EmptyStridedOut};

}  // namespace
}  // namespace sy
