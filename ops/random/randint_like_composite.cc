// randint_like: a tensor like another, filled in place.

#include <optional>

#include "ops/fill_out.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor LowGenerator(Call, const Tensor& self, int64_t low, int64_t high, Generator* g,
                    Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                    Optional<bool> pin_memory, Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  random_(t, low, high, g);
  return t;
}
Tensor Low(Call call, const Tensor& self, int64_t low, int64_t high, Optional<DType> dtype,
           Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
           Optional<MemoryFormat> format) {
  return LowGenerator(call, self, low, high, nullptr, dtype, layout, device, pin_memory, format);
}
Tensor HighGenerator(Call call, const Tensor& self, int64_t high, Generator* g,
                     Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                     Optional<bool> pin_memory, Optional<MemoryFormat> format) {
  return LowGenerator(call, self, 0, high, g, dtype, layout, device, pin_memory, format);
}
Tensor High(Call call, const Tensor& self, int64_t high, Optional<DType> dtype,
            Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
            Optional<MemoryFormat> format) {
  return LowGenerator(call, self, 0, high, nullptr, dtype, layout, device, pin_memory, format);
}
void LowGeneratorOut(Call, const Tensor& self, int64_t low, int64_t high, Generator* g,
                     Optional<MemoryFormat> format, const Tensor& out) {
  StoreFilledLike(self, format, out, [&](const Tensor& t) { random_(t, low, high, g); });
}
void LowOut(Call call, const Tensor& self, int64_t low, int64_t high, Optional<MemoryFormat> format,
            const Tensor& out) {
  LowGeneratorOut(call, self, low, high, nullptr, format, out);
}
void HighGeneratorOut(Call call, const Tensor& self, int64_t high, Generator* g,
                      Optional<MemoryFormat> format, const Tensor& out) {
  LowGeneratorOut(call, self, 0, high, g, format, out);
}
void HighOut(Call call, const Tensor& self, int64_t high, Optional<MemoryFormat> format,
             const Tensor& out) {
  LowGeneratorOut(call, self, 0, high, nullptr, format, out);
}
const Composite high_body{"randint_like", High};
const Composite high_out_body{"randint_like.out", HighOut};
const Composite high_generator_body{"randint_like.generator", HighGenerator};
const Composite high_generator_out_body{"randint_like.generator_out", HighGeneratorOut};
const Composite low_body{"randint_like.low_dtype", Low};
const Composite low_out_body{"randint_like.low_dtype_out", LowOut};
const Composite low_generator_body{"randint_like.low_generator_dtype", LowGenerator};
const Composite low_generator_out_body{"randint_like.low_generator_dtype_out", LowGeneratorOut};

int64_t NumberOf(Call call, const Tensor& high) {
  if (high.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"high must be 0-d, got sizes ", high.sizes()});
  }
  return item(high).To<int64_t>();
}
Tensor TensorGenerator(Call call, const Tensor& self, const Tensor& high, Generator* g,
                       Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                       Optional<bool> pin_memory, Optional<MemoryFormat> format) {
  return LowGenerator(call, self, 0, NumberOf(call, high), g, dtype, layout, device, pin_memory,
                      format);
}
Tensor OfTensor(Call call, const Tensor& self, const Tensor& high, Optional<DType> dtype,
                Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                Optional<MemoryFormat> format) {
  return TensorGenerator(call, self, high, nullptr, dtype, layout, device, pin_memory, format);
}
void TensorGeneratorOut(Call call, const Tensor& self, const Tensor& high, Generator* g,
                        Optional<MemoryFormat> format, const Tensor& out) {
  LowGeneratorOut(call, self, 0, NumberOf(call, high), g, format, out);
}
void OfTensorOut(Call call, const Tensor& self, const Tensor& high, Optional<MemoryFormat> format,
                 const Tensor& out) {
  TensorGeneratorOut(call, self, high, nullptr, format, out);
}
const Composite tensor_body{"randint_like.Tensor", OfTensor};
const Composite tensor_out_body{"randint_like.Tensor_out", OfTensorOut};
const Composite tensor_generator_body{"randint_like.Tensor_generator", TensorGenerator};
const Composite tensor_generator_out_body{"randint_like.Tensor_generator_out", TensorGeneratorOut};

}  // namespace
}  // namespace sy
