// Random tensors: an empty tensor, filled in place.

#include <vector>

#include "ops/composite/fill_out.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

void FillUniform(const Tensor& t, Generator* g) { uniform_(t, 0, 1, g); }
void FillNormal(const Tensor& t, Generator* g) { normal_(t, 0, 1, g); }
using Fill = void (*)(const Tensor&, Generator*);

// --- rand, randn
template <Fill kFill>
Tensor NewGenerator(Call, IntSpan size, Generator* g, Optional<DType> dtype,
                    Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  kFill(t, g);
  return t;
}
template <Fill kFill>
Tensor New(Call call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
           Optional<Device> device, Optional<bool> pin_memory) {
  return NewGenerator<kFill>(call, size, nullptr, dtype, layout, device, pin_memory);
}
template <Fill kFill>
void Out(Call, IntSpan size, const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [](const Tensor& t) { kFill(t, nullptr); });
}
template <Fill kFill>
Tensor Like(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
            Optional<Device> device, Optional<bool> pin_memory, Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  kFill(t, nullptr);
  return t;
}
template <Fill kFill>
void LikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  ResizeAndFill(out, self.sizes(), format, [](const Tensor& t) { kFill(t, nullptr); });
}
const Composite rand_body{"rand", New<FillUniform>};
const Composite rand_generator_body{"rand.generator", NewGenerator<FillUniform>};
const Composite rand_out_body{"rand.out", Out<FillUniform>};
const Composite rand_like_body{"rand_like", Like<FillUniform>};
const Composite rand_like_out_body{"rand_like.out", LikeOut<FillUniform>};
const Composite randn_body{"randn", New<FillNormal>};
const Composite randn_generator_body{"randn.generator", NewGenerator<FillNormal>};
const Composite randn_out_body{"randn.out", Out<FillNormal>};
const Composite randn_like_body{"randn_like", Like<FillNormal>};
const Composite randn_like_out_body{"randn_like.out", LikeOut<FillNormal>};

// --- randint
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
void RandintLowOut(Call, int64_t low, int64_t high, IntSpan size, const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [&](const Tensor& t) { random_(t, low, high); });
}
void RandintOut(Call call, int64_t high, IntSpan size, const Tensor& out) {
  RandintLowOut(call, 0, high, size, out);
}
Tensor RandintLikeLow(Call, const Tensor& self, int64_t low, int64_t high, Optional<DType> dtype,
                      Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                      Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  random_(t, low, high);
  return t;
}
Tensor RandintLike(Call call, const Tensor& self, int64_t high, Optional<DType> dtype,
                   Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                   Optional<MemoryFormat> format) {
  return RandintLikeLow(call, self, 0, high, dtype, layout, device, pin_memory, format);
}
void RandintLikeLowOut(Call, const Tensor& self, int64_t low, int64_t high,
                       Optional<MemoryFormat> format, const Tensor& out) {
  ResizeAndFill(out, self.sizes(), format, [&](const Tensor& t) { random_(t, low, high); });
}
void RandintLikeOut(Call call, const Tensor& self, int64_t high, Optional<MemoryFormat> format,
                    const Tensor& out) {
  RandintLikeLowOut(call, self, 0, high, format, out);
}
const Composite randint_body{"randint", Randint};
const Composite randint_generator_body{"randint.generator", RandintGenerator};
const Composite randint_low_body{"randint.low", RandintLow};
const Composite randint_low_generator_body{"randint.low_generator", RandintLowGenerator};
const Composite randint_out_body{"randint.out", RandintOut};
const Composite randint_low_out_body{"randint.low_out", RandintLowOut};
const Composite randint_like_body{"randint_like", RandintLike};
const Composite randint_like_low_body{"randint_like.low_dtype", RandintLikeLow};
const Composite randint_like_out_body{"randint_like.out", RandintLikeOut};
const Composite randint_like_low_out_body{"randint_like.low_dtype_out", RandintLikeLowOut};

// --- randperm
Tensor Randperm(Call, int64_t n, Optional<DType> dtype, Optional<Layout> layout,
                Optional<Device> device, Optional<bool> pin_memory) {
  return randperm(n, nullptr, dtype, layout, device, pin_memory);
}
void RandpermOut(Call, int64_t n, const Tensor& out) {
  const Tensor t = randperm(n, nullptr, out.dtype(), std::nullopt, out.device());
  copy_(resize_(out, {n}), t);
}
const Composite randperm_body{"randperm", Randperm};
const Composite randperm_out_body{"randperm.out", RandpermOut};

// --- normal
Tensor NewContiguousLike(const Tensor& self) {
  return empty_like(self, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
                    MemoryFormat::kContiguous);
}
void RequireStd(Call call, const Tensor& std) {
  if (IsComplex(std.dtype()))
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): std must be real, got ", std.dtype()});
  if (std.numel() == 0 || !std.is_host()) return;
  if (item(all(ge(std, 0))).To<bool>()) return;
  Fail(ErrorCode::kInvalidValue, {call.op(), "(): std must not be negative anywhere"});
}
void RequireStd(Call call, double std) {
  if (!(std >= 0))
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): std must not be negative, got ", std});
}
std::vector<int64_t> BroadcastSizes(Call call, const Tensor& a, const Tensor& b) {
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(a.sizes(), b.sizes(), sizes, call.op());
  return {sizes, sizes + rank};
}
// Standard normal numbers in a new tensor, then scaled and shifted in place.
Tensor ScaledAndShifted(Tensor t, const Tensor& mean, const Tensor& std, Generator* g) {
  normal_(t, 0, 1, g);
  return add_(mul_(t, std), mean);
}
// A tensor as `out` will be, so that it draws the same numbers in the same places; what is refused,
// is before `out` is touched.
Tensor Beside(const Tensor& out, IntSpan size) {
  if (!SameSizes(out.sizes(), size)) return new_empty(out, size);
  return new_empty_strided(out, out.sizes(), out.strides());
}
void Store(const Tensor& out, const Tensor& t) { copy_(resize_(out, t.sizes()), t); }

void NormalTensorTensorOut(Call call, const Tensor& mean, const Tensor& std, Generator* g,
                           const Tensor& out) {
  RequireStd(call, std);
  Store(out, ScaledAndShifted(Beside(out, BroadcastSizes(call, mean, std)), mean, std, g));
}
Tensor NormalTensorTensor(Call call, const Tensor& mean, const Tensor& std, Generator* g) {
  RequireStd(call, std);
  return ScaledAndShifted(
      empty(BroadcastSizes(call, mean, std), mean.dtype(), std::nullopt, mean.device()), mean, std,
      g);
}
Tensor Shifted(Tensor t, const Tensor& mean, double std, Generator* g) {
  normal_(t, 0, std, g);
  return add_(t, mean);
}
void NormalTensorFloatOut(Call call, const Tensor& mean, double std, Generator* g,
                          const Tensor& out) {
  RequireStd(call, std);
  Store(out, Shifted(Beside(out, BroadcastSizes(call, mean, out)), mean, std, g));
}
Tensor NormalTensorFloat(Call call, const Tensor& mean, double std, Generator* g) {
  RequireStd(call, std);
  return Shifted(NewContiguousLike(mean), mean, std, g);
}
Tensor MeanOf(double mean, const Tensor& like) {
  return full({}, mean, like.dtype(), std::nullopt, like.device());
}
void NormalFloatTensorOut(Call call, double mean, const Tensor& std, Generator* g,
                          const Tensor& out) {
  RequireStd(call, std);
  Store(out, ScaledAndShifted(Beside(out, std.sizes()), MeanOf(mean, out), std, g));
}
Tensor NormalFloatTensor(Call call, double mean, const Tensor& std, Generator* g) {
  RequireStd(call, std);
  return ScaledAndShifted(NewContiguousLike(std), MeanOf(mean, std), std, g);
}
Tensor NormalFloatFloat(Call, double mean, double std, IntSpan size, Generator* g,
                        Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  normal_(t, mean, std, g);
  return t;
}
void NormalFloatFloatOut(Call, double mean, double std, IntSpan size, Generator* g,
                         const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [&](const Tensor& t) { normal_(t, mean, std, g); });
}
const Composite normal_tensor_tensor_body{"normal.Tensor_Tensor", NormalTensorTensor};
const Composite normal_tensor_tensor_out_body{"normal.Tensor_Tensor_out", NormalTensorTensorOut};
const Composite normal_tensor_float_body{"normal.Tensor_float", NormalTensorFloat};
const Composite normal_tensor_float_out_body{"normal.Tensor_float_out", NormalTensorFloatOut};
const Composite normal_float_tensor_body{"normal.float_Tensor", NormalFloatTensor};
const Composite normal_float_tensor_out_body{"normal.float_Tensor_out", NormalFloatTensorOut};
const Composite normal_float_float_body{"normal.float_float", NormalFloatFloat};
const Composite normal_float_float_out_body{"normal.float_float_out", NormalFloatFloatOut};

// --- bernoulli, dropout
Tensor Bernoulli(Call, const Tensor& self, Generator* g) {
  Tensor t = NewContiguousLike(self);
  bernoulli_(t, self, g);
  return t;
}
Tensor BernoulliP(Call, const Tensor& self, double p, Generator* g) {
  Tensor t = NewContiguousLike(self);
  bernoulli_(t, p, g);
  return t;
}
const Composite bernoulli_body{"bernoulli", Bernoulli};
const Composite bernoulli_p_body{"bernoulli.p", BernoulliP};

void RequireProbability(Call call, double p) {
  if (!(p >= 0 && p <= 1))
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): p must be 0 to 1, got ", p});
}
// Ones with probability 1 - p, divided by it, and zeros.
Tensor Noise(const Tensor& input, double p) {
  Tensor noise = empty_like(input);
  bernoulli_(noise, 1 - p);
  return div_(noise, 1 - p);
}
Tensor Dropout(Call call, const Tensor& input, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return mul(input, zeros({}, input.dtype(), std::nullopt, input.device()));
  return mul(input, Noise(input, p));
}
void DropoutInPlace(Call call, const Tensor& self, double p, bool train) {
  RequireProbability(call, p);
  if (p == 0 || !train || self.numel() == 0) return;
  if (p == 1) {
    mul_(self, zeros({}, self.dtype(), std::nullopt, self.device()));
  } else {
    mul_(self, Noise(self, p));
  }
}
const Composite dropout_body{"dropout", Dropout};
const Composite dropout_in_place_body{"dropout_", DropoutInPlace};

}  // namespace
}  // namespace sy
