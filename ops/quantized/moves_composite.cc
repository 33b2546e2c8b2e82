// Views and moves of quantised tensors: the operator is computed of the integers, and its results
// stand for numbers as they did.
#include <array>
#include <optional>

#include "ops/quantized/held_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

// --- Views.

// The numbers of channels, one for each element of q without a copy: what a view shows of it says
// where the axis went.
Tensor ChannelsOf(const Tensor& q, int64_t axis) {
  const Tensor numbers = arange(q.sizes()[static_cast<size_t>(axis)],
                                Options{.dtype = DType::kInt64, .device = q.device()});
  std::vector<int64_t> strides(q.sizes().size());
  strides[static_cast<size_t>(axis)] = 1;
  return as_strided(numbers, q.sizes(), strides);
}

// The quantiser of a view in which the channels lie so.
Quantizer Followed(const OperatorEntry& op, const Quantizer& q, const Tensor& channels) {
  std::optional<size_t> axis;
  for (size_t d = 0; d < channels.sizes().size(); ++d) {
    if (channels.strides()[d] == 0) continue;
    if (axis && channels.sizes()[d] == 1) continue;
    if (axis && channels.sizes()[*axis] != 1) {
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"channels along axis ", q.axis, " would lie along several dimensions"});
    }
    axis = d;
  }
  Tensor line = channels;
  for (size_t d = channels.sizes().size(); d-- > 0;) {
    if (axis == d) continue;
    if (channels.sizes()[d] == 0) line = narrow(line, static_cast<int64_t>(d), 0, 0);
    line = channels.sizes()[d] == 0 ? line : select(line, static_cast<int64_t>(d), 0);
  }
  if (channels.numel() == 0) return q;
  if (!axis) {
    // One channel is left: it has one scale.
    const int64_t c = line.item<int64_t>();
    if (q.float_zero_points()) {
      return {reshape(select(q.scales, 0, c), {1}), reshape(select(q.zero_points, 0, c), {1}), 0};
    }
    return {select(q.scales, 0, c).item<double>(), select(q.zero_points, 0, c).item<int64_t>()};
  }
  return {index_select(q.scales, 0, line), index_select(q.zero_points, 0, line),
          static_cast<int64_t>(*axis)};
}

// Results of op of `t` in place of its first argument.
std::vector<Tensor> Of(const OperatorEntry& op, std::span<const Value> args, const Tensor& t) {
  std::vector<Value> given(args.begin(), args.end());
  given[0] = Value(t);
  Result result;
  CallBoxed(op, given, {&result, 1});
  if (result.value().tag == Tag::kTensorList) return result.TakeTensors();
  std::vector<Tensor> one;
  one.push_back(result.TakeTensor());
  return one;
}

void View(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const Tensor self = args[0].tensor();
  const Quantizer by = *FindQuantizer(self);
  std::vector<Tensor> views = Of(op, args, IntegersOf(self));
  std::vector<Tensor> channels;
  if (by.per_channel()) channels = Of(op, args, ChannelsOf(self, by.axis));
  for (size_t i = 0; i < views.size(); ++i)
    views[i] = MakeQuantized(views[i], by.per_channel() ? Followed(op, by, channels[i]) : by);
  const Type& type = op.schema().returns[0].type;
  if (type.list) return results[0].Set(std::move(views));
  results[0].Set(std::move(views[0]));
}

// --- Copies, which keep every element where it is.
void Copy(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const Tensor self = args[0].tensor();
  const Quantizer by = *FindQuantizer(self);
  results[0].Set(MakeQuantized(Of(op, args, IntegersOf(self))[0], by));
}
// --- Moves to other places: of one scale for all.
void Move(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  const Tensor self = args[0].tensor();
  if (FindQuantizer(self)->per_channel()) {
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"expected one scale for all, got one for each position along axis ",
          FindQuantizer(self)->axis});
  }
  Copy(op, args, results);
}

Tensor ToCopy(Call call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory, bool non_blocking,
              Optional<MemoryFormat> format) {
  if (dtype.value_or(self.dtype()) != self.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"a quantized tensor keeps its dtype, ", self.dtype(), ", got ", *dtype,
          "; dequantize gives the numbers"});
  }
  const Quantizer& q = *FindQuantizer(self);
  const Tensor moved =
      _to_copy(IntegersOf(self), dtype, layout, device, pin_memory, non_blocking, format);
  if (!q.per_channel()) return MakeQuantized(moved, q);
  const Device where = moved.device();
  return MakeQuantized(moved, Quantizer(to(q.scales, where, q.scales.dtype()),
                                        to(q.zero_points, where, q.zero_points.dtype()), q.axis));
}

void CopyInto(Call call, const Tensor& self, const Tensor& src, bool non_blocking) {
  if (!self.is_quantized()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be quantized as src is, got ", Describe(self),
          "; dequantize gives the numbers"});
  }
  if (!src.is_quantized()) {
    const Quantizer& q = RequirePerTensor(call.op(), self, "self");
    const Tensor numbers = quantize_per_tensor(src, q.scale, q.zero_point, self.dtype());
    static_cast<void>(copy_(IntegersOf(self), IntegersOf(numbers), non_blocking));
    return;
  }
  if (self.dtype() != src.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected one dtype, got ", self.dtype(), " and ", src.dtype()});
  }
  const Quantizer by = *FindQuantizer(src);
  if (by.per_channel() && !SameSizes(self.sizes(), src.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected sizes ", self.sizes(), ", got ", src.sizes()});
  }
  copy_(IntegersOf(self), IntegersOf(src), non_blocking);
  Attach(self, std::make_unique<Quantizer>(by));
}

// Those of the first; others are quantised again.
Tensor Cat(Call call, TensorList tensors, int64_t dim) {
  const Quantizer& first = RequirePerTensor(call.op(), tensors[0], "tensors[0]");
  std::vector<Tensor> all;
  all.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    const Quantizer& q = RequirePerTensor(call.op(), t, "each of tensors");
    if (t.dtype() != tensors[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected one dtype, got ", tensors[0].dtype(), " and ", t.dtype()});
    }
    const bool same = q.scale == first.scale && q.zero_point == first.zero_point;
    all.push_back(IntegersOf(
        same ? t : quantize_per_tensor(dequantize(t), first.scale, first.zero_point, t.dtype())));
  }
  return MakeQuantized(cat(all, dim), first);
}

#define SY_VIEW(id, name) const LayoutKernel id##_view{name, kQuantized, View};
SY_VIEW(alias, "alias")
SY_VIEW(as_strided, "as_strided")
SY_VIEW(detach, "detach")
SY_VIEW(diagonal, "diagonal")
SY_VIEW(expand, "expand")
SY_VIEW(narrow, "narrow")
SY_VIEW(permute, "permute")
SY_VIEW(select, "select.int")
SY_VIEW(slice, "slice.Tensor")
SY_VIEW(split, "split.Tensor")
SY_VIEW(squeeze, "squeeze")
SY_VIEW(squeeze_dim, "squeeze.dim")
SY_VIEW(squeeze_dims, "squeeze.dims")
SY_VIEW(t, "t")
SY_VIEW(transpose, "transpose.int")
SY_VIEW(unbind, "unbind.int")
SY_VIEW(unflatten, "unflatten.int")
SY_VIEW(unsqueeze, "unsqueeze")
SY_VIEW(view, "view")
#undef SY_VIEW
const LayoutBody chunk_body{"chunk", kQuantized};
const LayoutBody contiguous_body{"contiguous", kQuantized};
const LayoutBody flatten_body{"flatten.using_ints", kQuantized};
const LayoutBody reshape_body{"reshape", kQuantized};
const LayoutBody stack_body{"stack", kQuantized};
const LayoutBody to_layout_body{"to.dtype_layout", kQuantized};
const LayoutBody to_dtype_body{"to.dtype", kQuantized};
const LayoutBody to_device_body{"to.device", kQuantized};
const LayoutKernel clone_kernel{"clone", kQuantized, Copy};
const LayoutKernel flip_kernel{"flip", kQuantized, Move};
const LayoutKernel index_select_kernel{"index_select", kQuantized, Move};
const LayoutKernel repeat_kernel{"repeat", kQuantized, Move};
const LayoutKernel roll_kernel{"roll", kQuantized, Move};
const LayoutKernel to_copy_kernel{"_to_copy", kQuantized, ToCopy};
const LayoutKernel copy_kernel{"copy_", kQuantized, CopyInto};
const LayoutKernel cat_kernel{"cat", kQuantized, Cat};

}  // namespace
}  // namespace sy
