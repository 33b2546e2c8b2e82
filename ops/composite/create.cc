// Creation operators that are an empty tensor and what fills it.

#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

// --- empty
void EmptyOut(Call, IntSpan size, Optional<MemoryFormat> format, const Tensor& out) {
  resize_(out, size, format);
}
void EmptyLikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  resize_(out, self.sizes(), format);
}
const Composite empty_out_body{"empty.out", EmptyOut};
const Composite empty_like_out_body{"empty_like.out", EmptyLikeOut};

// --- zeros, ones
template <int kValue>
Tensor Filled(Call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  fill_(t, kValue);
  return t;
}
template <int kValue>
Tensor FilledLike(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
                  Optional<Device> device, Optional<bool> pin_memory,
                  Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  fill_(t, kValue);
  return t;
}
template <int kValue>
void FilledOut(Call, IntSpan size, const Tensor& out) {
  fill_(resize_(out, size), kValue);
}
template <int kValue>
void FilledLikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  fill_(resize_(out, self.sizes(), format), kValue);
}
const Composite zeros_body{"zeros", Filled<0>};
const Composite zeros_like_body{"zeros_like", FilledLike<0>};
const Composite zeros_out_body{"zeros.out", FilledOut<0>};
const Composite zeros_like_out_body{"zeros_like.out", FilledLikeOut<0>};
const Composite ones_body{"ones", Filled<1>};
const Composite ones_like_body{"ones_like", FilledLike<1>};
const Composite ones_out_body{"ones.out", FilledOut<1>};
const Composite ones_like_out_body{"ones_like.out", FilledLikeOut<1>};

// --- full
DType DTypeOfNumber(const Scalar& s) {
  return s.is_complex()    ? ComplexType(DefaultDType())
         : s.is_floating() ? DefaultDType()
                           : s.dtype();
}
Tensor Full(Call, IntSpan size, const Scalar& value, Optional<DType> dtype, Optional<Layout> layout,
            Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype.value_or(DTypeOfNumber(value)), layout, device, pin_memory);
  fill_(t, value);
  return t;
}
Tensor FullLike(Call, const Tensor& self, const Scalar& value, Optional<DType> dtype,
                Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  fill_(t, value);
  return t;
}
void FullOut(Call, IntSpan size, const Scalar& value, const Tensor& out) {
  fill_(resize_(out, size), value);
}
void FullLikeOut(Call, const Tensor& self, const Scalar& value, Optional<MemoryFormat> format,
                 const Tensor& out) {
  fill_(resize_(out, self.sizes(), format), value);
}
const Composite full_body{"full", Full};
const Composite full_like_body{"full_like", FullLike};
const Composite full_out_body{"full.out", FullOut};
const Composite full_like_out_body{"full_like.out", FullLikeOut};

// --- arange
Tensor Arange(Call, const Scalar& end, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  return arange(0, end, 1, dtype, layout, device, pin_memory);
}
Tensor ArangeStart(Call, const Scalar& start, const Scalar& end, Optional<DType> dtype,
                   Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return arange(start, end, 1, dtype, layout, device, pin_memory);
}
void ArangeStartOut(Call, const Scalar& start, const Scalar& end, const Scalar& step,
                    const Tensor& out) {
  const Tensor t = arange(start, end, step, out.dtype(), std::nullopt, out.device());
  if (out.numel() != t.numel()) resize_(out, t.sizes());
  copy_(out, view(t, out.sizes()));
}
void ArangeOut(Call call, const Scalar& end, const Tensor& out) {
  ArangeStartOut(call, 0, end, 1, out);
}
const Composite arange_end_body{"arange", Arange};
const Composite arange_start_body{"arange.start", ArangeStart};
const Composite arange_start_out_body{"arange.start_out", ArangeStartOut};
const Composite arange_out_body{"arange.out", ArangeOut};

// --- fill
Tensor FillTensor(Call call, const Tensor& self, const Tensor& value) {
  if (value.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): value must be 0-d, got sizes ", value.sizes()});
  }
  Tensor t = empty_like(self);
  copy_(t, value);
  return t;
}
void FillTensorInPlace(Call call, const Tensor& self, const Tensor& value) {
  if (value.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): value must be 0-d, got sizes ", value.sizes()});
  }
  copy_(self, value);
}
Tensor Zero(Call, const Tensor& self) { return zeros_like(self); }
void ZeroInPlace(Call, const Tensor& self) { fill_(self, 0); }
const Composite fill_tensor_body{"fill.Tensor", FillTensor};
const Composite fill_tensor_in_place_body{"fill_.Tensor", FillTensorInPlace};
const Composite zero_body{"zero", Zero};
const Composite zero_in_place_body{"zero_", ZeroInPlace};

}  // namespace
}  // namespace sy
