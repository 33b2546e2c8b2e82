// Creation operators that are an empty tensor and what fills it.

#include "ops/composite/fill_out.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"
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
  ResizeAndFill(out, size, std::nullopt, [](const Tensor& t) { fill_(t, kValue); });
}
template <int kValue>
void FilledLikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  ResizeAndFill(out, self.sizes(), format, [](const Tensor& t) { fill_(t, kValue); });
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
void FillOut(const Tensor& out, IntSpan size, Optional<MemoryFormat> format, const Scalar& value) {
  ResizeAndFill(out, size, format, [&](const Tensor& t) { fill_(t, value); });
}
void FullOut(Call, IntSpan size, const Scalar& value, const Tensor& out) {
  FillOut(out, size, std::nullopt, value);
}
void FullLikeOut(Call, const Tensor& self, const Scalar& value, Optional<MemoryFormat> format,
                 const Tensor& out) {
  FillOut(out, self.sizes(), format, value);
}
const Composite full_body{"full", Full};
const Composite full_like_body{"full_like", FullLike};
const Composite full_out_body{"full.out", FullOut};
const Composite full_like_out_body{"full_like.out", FullLikeOut};

// --- scalar_tensor, eye
Tensor ScalarTensor(Call, const Scalar& s, Optional<DType> dtype, Optional<Layout> layout,
                    Optional<Device> device, Optional<bool> pin_memory) {
  return full({}, s, dtype.value_or(DefaultDType()), layout, device, pin_memory);
}
const Composite scalar_tensor_body{"scalar_tensor", ScalarTensor};

void RequireSides(Call call, int64_t n, int64_t m) {
  if (n >= 0 && m >= 0) return;
  Fail(ErrorCode::kInvalidArgument,
       {call.op(), "(): n and m must not be negative, got ", n, " and ", m});
}
Tensor EyeM(Call call, int64_t n, int64_t m, Optional<DType> dtype, Optional<Layout> layout,
            Optional<Device> device, Optional<bool> pin_memory) {
  RequireSides(call, n, m);
  Tensor t = zeros({n, m}, dtype, layout, device, pin_memory);
  fill_(diagonal(t), 1);
  return t;
}
Tensor Eye(Call call, int64_t n, Optional<DType> dtype, Optional<Layout> layout,
           Optional<Device> device, Optional<bool> pin_memory) {
  return EyeM(call, n, n, dtype, layout, device, pin_memory);
}
void EyeMOut(Call call, int64_t n, int64_t m, const Tensor& out) {
  RequireSides(call, n, m);
  const int64_t size[] = {n, m};
  FilledOut<0>(call, size, out);
  fill_(diagonal(out), 1);
}
void EyeOut(Call call, int64_t n, const Tensor& out) { EyeMOut(call, n, n, out); }
const Composite eye_body{"eye", Eye};
const Composite eye_m_body{"eye.m", EyeM};
const Composite eye_out_body{"eye.out", EyeOut};
const Composite eye_m_out_body{"eye.m_out", EyeMOut};

// --- one_hot
Tensor OneHot(Call call, const Tensor& self, int64_t num_classes) {
  if (self.dtype() != DType::kInt64)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be int64, got ", self.dtype()});
  const bool empty = self.numel() == 0;
  if (num_classes < -1 || num_classes == 0 || (empty && num_classes < 0)) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): num_classes must be at least 1",
                                       empty ? "" : ", or -1", ", got ", num_classes});
  }
  const bool has_values = !empty && self.data() != nullptr;  // meta has none
  if (num_classes < 0 || has_values) {
    const int64_t least = item(min(self)).To<int64_t>(), most = item(max(self)).To<int64_t>();
    if (least < 0 || (num_classes > 0 && most >= num_classes)) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): classes must be 0 to ", num_classes < 0 ? most : num_classes - 1,
            ", got ", least < 0 ? least : most});
    }
    if (num_classes < 0) num_classes = most + 1;
  }
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  sizes.push_back(num_classes);
  Tensor rows = new_zeros(self, sizes);
  if (!empty) scatter_(rows, -1, unsqueeze(self, -1), 1);
  return rows;
}
const Composite one_hot_body{"one_hot", OneHot};

// --- new_zeros, new_ones, new_full, and what out= makes of these and new_empty
Tensor NewFull(Call, const Tensor& self, IntSpan size, const Scalar& value, Optional<DType> dtype,
               Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = new_empty(self, size, dtype, layout, device, pin_memory);
  fill_(t, value);
  return t;
}
template <int kValue>
Tensor NewFilled(Call call, const Tensor& self, IntSpan size, Optional<DType> dtype,
                 Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return NewFull(call, self, size, kValue, dtype, layout, device, pin_memory);
}
void NewEmptyOut(Call, const Tensor&, IntSpan size, const Tensor& out) { resize_(out, size); }
void NewEmptyStridedOut(Call call, const Tensor&, IntSpan size, IntSpan stride, const Tensor& out) {
  if (size.size() != stride.size()) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): size ", size, " and stride ", stride, " differ in length"});
  }
  if (!SameSizes(out.sizes(), size)) internal::Resize(out.impl(), size, stride);
}
template <int kValue>
void NewFilledOut(Call call, const Tensor&, IntSpan size, const Tensor& out) {
  FilledOut<kValue>(call, size, out);
}
void NewFullOut(Call, const Tensor&, IntSpan size, const Scalar& value, const Tensor& out) {
  FillOut(out, size, std::nullopt, value);
}
const Composite new_full_body{"new_full", NewFull};
const Composite new_zeros_body{"new_zeros", NewFilled<0>};
const Composite new_ones_body{"new_ones", NewFilled<1>};
const Composite new_empty_out_body{"new_empty.out", NewEmptyOut};
const Composite new_empty_strided_out_body{"new_empty_strided.out", NewEmptyStridedOut};
const Composite new_zeros_out_body{"new_zeros.out", NewFilledOut<0>};
const Composite new_ones_out_body{"new_ones.out", NewFilledOut<1>};
const Composite new_full_out_body{"new_full.out", NewFullOut};

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
  copy_(self, OverlapOf(self, value) == Overlap::kNo ? value : clone(value));
}
Tensor Zero(Call, const Tensor& self) { return zeros_like(self); }
void ZeroInPlace(Call, const Tensor& self) { fill_(self, 0); }
const Composite fill_tensor_body{"fill.Tensor", FillTensor};
const Composite fill_tensor_in_place_body{"fill_.Tensor", FillTensorInPlace};
const Composite zero_body{"zero", Zero};
const Composite zero_in_place_body{"zero_", ZeroInPlace};

}  // namespace
}  // namespace sy
