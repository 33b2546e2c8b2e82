#include "switchyard/ops/resample/upsample.h"

#include <algorithm>

namespace sy {
namespace {

void RequireSizes(ShapeContext& r, IntSpan input, std::string_view name, IntSpan output, int dims) {
  if (output.size() != static_cast<size_t>(dims))
    r.Fail({"output_size must have ", dims, " entries, got ", output});
  if (input.size() != static_cast<size_t>(dims + 2))
    r.Fail({name, " must have ", dims + 2, " dimensions, got sizes ", input});
  for (int d = 0; d < dims; ++d) {
    if (input[static_cast<size_t>(d + 2)] < 1 || output[static_cast<size_t>(d)] < 1) {
      r.Fail({"sizes must be 1 or more, got ", name, " of sizes ", input, " and output_size ",
              output});
    }
  }
}
// n, c, and the output's own sizes.
IntSpan SizesOf(ShapeContext& r, IntSpan input, IntSpan output) {
  int64_t* sizes = r.Ints(static_cast<int64_t>(input.size()));
  std::copy_n(input.data(), 2, sizes);
  std::ranges::copy(output, sizes + 2);
  return {sizes, input.size()};
}

}  // namespace

void UpsampleShape(ShapeContext& r, const TensorBase& self, IntSpan output_size, int dims,
                   DTypeMask types) {
  RequireSizes(r, self.sizes(), "self", output_size, dims);
  if (self.sizes()[1] == 0) r.Fail({"self must have channels, got sizes ", self.sizes()});
  RequireDType(r, self, types);
  OutputInFormat(r, SizesOf(r, self.sizes(), output_size), self.dtype(),
                 self.suggest_memory_format());
}

void UpsampleBackwardShape(ShapeContext& r, const TensorBase& grad_output, IntSpan output_size,
                           IntSpan input_size, int dims, DTypeMask types, bool keeps_format) {
  RequireSizes(r, input_size, "the input", output_size, dims);
  const IntSpan sizes = SizesOf(r, input_size, output_size);
  if (!std::ranges::equal(grad_output.sizes(), sizes))
    r.Fail({"grad_output must have sizes ", sizes, ", got ", grad_output.sizes()});
  RequireDType(r, grad_output, types, "grad_output");
  OutputInFormat(r, input_size, grad_output.dtype(),
                 keeps_format ? grad_output.suggest_memory_format() : MemoryFormat::kContiguous);
}

}  // namespace sy
