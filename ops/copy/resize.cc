// Gives self other sizes, growing its storage where needed; elements keep their place in memory,
// new ones have no value. resize_as_ takes the sizes of a tensor, and where preserve_format is
// asked for its format.
//   size: >= 0 each   →   self, row-major or in `memory_format`
// Errors: kInvalidArgument for negative sizes or storage that was lent, kOutOfMemory.
// Example: sy::resize_(x, {4, 4})
// Source: ATen resize_, resize_as_.
#include <array>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void Resize(Call call, const Tensor& self, IntSpan size, Optional<MemoryFormat> memory_format) {
  if (size.size() > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"at most ", kMaxRank, " dimensions, got ", size.size()});
  }
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kContiguous);
  if (SameSizes(self.sizes(), size) && !memory_format) return;
  std::array<int64_t, kMaxRank> strides;
  FormatStrides(size, format, strides.data());
  try {
    internal::Resize(self.impl(), size, IntSpan(strides.data(), size.size()));
  } catch (const Error& e) {
    Fail(e.code(), call.op(), {e.reason()});
  }
}

void ResizeAs(Call call, const Tensor& self, const Tensor& the_template,
              Optional<MemoryFormat> memory_format) {
  if (memory_format == MemoryFormat::kPreserve)
    memory_format = the_template.suggest_memory_format();
  Resize(call, self, the_template.sizes(), memory_format);
}

}  // namespace

const Operator resize_op{
    "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
    Tags(OperatorTag::kInplaceView)};
const Composite resize{"resize_", Resize};
const Operator resize_as_op{
    "resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> "
    "Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kInplaceView)};
const Composite resize_as{"resize_as_", ResizeAs};

}  // namespace sy
