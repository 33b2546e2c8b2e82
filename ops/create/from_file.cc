// The bytes of a file as a tensor, mapped into memory. `shared`: what is written to the tensor is
// written to the file, which is made, or made longer, where it does not hold `size` elements;
// otherwise the file is only read, and the tensor's changes are its own.
//   size: >= 0; 0 without one   →   [size], on the host; `dtype` or the default dtype
// Errors: kInvalidArgument for a size below 0, a file that cannot be opened, is no regular file or
// is too short, another device than cpu, another layout than strided and pinned memory;
// kOutOfMemory when it cannot be mapped.
// Example: sy::from_file("weights.bin", false, 16)
// Source: ATen from_file.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator from_file_op{
    "from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator from_file_out_op{
    "from_file.out(str filename, bool? shared=None, int? size=0, *, Tensor(a!) out) -> "
    "Tensor(a!)"};

}  // namespace sy
