// randint: an empty tensor, filled in place.

#include <optional>

#include "ops/fill_out.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor RandintLowGenerator(Call, int64_t low, int64_t high, IntSpan size, Generator* g,
                           Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                           Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype.value_or(DType::kInt64), layout, device, pin_memory);
  random_(t, low, high, g);
  return t;
}
Tensor RandintGenerator(Call call, int64_t high, IntSpan size, Generator* g, Optional<DType> dtype,
                        Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> pin_memory) {
  return RandintLowGenerator(call, 0, high, size, g, dtype, layout, device, pin_memory);
}
Tensor RandintLow(Call call, int64_t low, int64_t high, IntSpan size, Optional<DType> dtype,
                  Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return RandintLowGenerator(call, low, high, size, nullptr, dtype, layout, device, pin_memory);
}
Tensor Randint(Call call, int64_t high, IntSpan size, Optional<DType> dtype,
               Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return RandintLowGenerator(call, 0, high, size, nullptr, dtype, layout, device, pin_memory);
}
void RandintLowGeneratorOut(Call, int64_t low, int64_t high, IntSpan size, Generator* g,
                            const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [&](const Tensor& t) { random_(t, low, high, g); });
}
void RandintGeneratorOut(Call call, int64_t high, IntSpan size, Generator* g, const Tensor& out) {
  RandintLowGeneratorOut(call, 0, high, size, g, out);
}
void RandintLowOut(Call call, int64_t low, int64_t high, IntSpan size, const Tensor& out) {
  RandintLowGeneratorOut(call, low, high, size, nullptr, out);
}
void RandintOut(Call call, int64_t high, IntSpan size, const Tensor& out) {
  RandintLowGeneratorOut(call, 0, high, size, nullptr, out);
}
const Composite randint_body{"randint", Randint};
const Composite randint_generator_body{"randint.generator", RandintGenerator};
const Composite randint_low_body{"randint.low", RandintLow};
const Composite randint_low_generator_body{"randint.low_generator", RandintLowGenerator};
const Composite randint_out_body{"randint.out", RandintOut};
const Composite randint_low_out_body{"randint.low_out", RandintLowOut};
const Composite randint_generator_out_body{"randint.generator_out", RandintGeneratorOut};
const Composite randint_low_generator_out_body{"randint.low_generator_out", RandintLowGeneratorOut};

}  // namespace
}  // namespace sy
