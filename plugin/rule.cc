#include "plugin/rule.h"

#include <algorithm>

#include "plugin/calls.h"

namespace sy::plugin {
namespace {

static_assert(static_cast<int>(Promote::kDefault) == SY_PROMOTE_DEFAULT &&
              static_cast<int>(Promote::kFloat) == SY_PROMOTE_FLOAT &&
              static_cast<int>(Promote::kCompare) == SY_PROMOTE_COMPARE &&
              static_cast<int>(Promote::kSame) == SY_PROMOTE_SAME);
static_assert(static_cast<int>(CastPolicy::kSame) == SY_CAST_SAME &&
              static_cast<int>(CastPolicy::kCan) == SY_CAST_CAN &&
              static_cast<int>(CastPolicy::kAny) == SY_CAST_ANY);
static_assert(static_cast<int>(OverlapPolicy::kTemporary) == SY_OVERLAP_TEMPORARY &&
              static_cast<int>(OverlapPolicy::kForbid) == SY_OVERLAP_FORBID);

// The argument that a view is of.
const TensorBase& TensorOf(const ShapeContext& r, const SyTensor& view) {
  const TensorBase* found = nullptr;
  const auto look = [&](const TensorBase& t) { found = t.impl() == ImplOf(view.ref) ? &t : found; };
  for (const TensorBase* t : r.tensors()) look(*t);
  r.ForEachListed(look);
  if (found == nullptr) Fail(ErrorCode::kInvalidArgument, "a tensor that is no argument");
  return *found;
}

uint32_t AbiVariant(Variant v) {
  return v == Variant::kInPlace ? SY_VARIANT_IN_PLACE
         : v == Variant::kOut   ? SY_VARIANT_OUT
                                : SY_VARIANT_FUNCTIONAL;
}

DType CheckedDType(uint32_t dtype) {
  if (dtype >= static_cast<uint32_t>(kNumDTypes))
    Fail(ErrorCode::kInvalidArgument, {"there is no dtype number ", dtype});
  return static_cast<DType>(dtype);
}

// An output that is stated already, as the rule may read and change it.
void Show(SyOutput& o, const OutputSpec& spec) {
  const auto n = static_cast<size_t>(spec.ndim);
  std::copy_n(spec.sizes, n, o.sizes);
  if (spec.strides != nullptr) std::copy_n(spec.strides, n, o.strides);
  o.strided = spec.strides == nullptr ? 0 : 1;
  o.ndim = static_cast<uint32_t>(spec.ndim);
  o.dtype = static_cast<uint32_t>(spec.dtype);
  o.pointwise = spec.pointwise ? 1 : 0;
  o.cast = static_cast<uint32_t>(spec.cast);
}

}  // namespace

// What the plugin gets, and what its answers go to.
struct Rule::Question : SyRule {
  Question(Rule& of, const Views& views)
      : SyRule{sizeof(SyRule),
               AbiVariant(of.r_.variant()),
               views.data(),
               views.size(),
               static_cast<uint32_t>(of.op_.is_view ? 0 : of.op_.num_outputs),
               of.outputs_,
               sizeof(SyOutput),
               SY_NOT_STATED,
               SY_OVERLAP_TEMPORARY,
               0,
               of.op_.user,
               nullptr,
               StatePointwise,
               StateLike,
               StateView,
               StorageOffset},
        rule(of) {
    error = text.abi();
  }

  static Question& Of(SyRule* q) { return *static_cast<Question*>(q); }

  static int32_t StatePointwise(SyRule* q, const SyTensor* const* operands, uint32_t n,
                                uint32_t promote) noexcept {
    return Guarded(q->error, [&] {
      ShapeContext& r = Of(q).rule.r_;
      if (r.num_outputs() != 0 || q->n_out == 0)
        Fail(ErrorCode::kInvalidArgument, "state_pointwise states output 0, once");
      if (promote > SY_PROMOTE_SAME)
        Fail(ErrorCode::kInvalidArgument, {"there is no way of promotion ", promote});
      const TensorBase* given[ShapeContext::kMaxTensors];
      size_t count = 0;
      for (uint32_t i = 0; i < n; ++i) {
        if (operands[i] == nullptr) continue;
        if (count == std::size(given))
          Fail(ErrorCode::kInvalidArgument, {"more than ", count, " operands"});
        given[count++] = &TensorOf(r, *operands[i]);
      }
      if (count == 0) Fail(ErrorCode::kInvalidArgument, "a pointwise operator without operands");
      r.PointwiseOf({given, count}, static_cast<Promote>(promote));
      Show(q->out[0], r.output(0));
      q->compute_dtype = static_cast<uint32_t>(r.compute_dtype());
      q->overlap = static_cast<uint32_t>(r.overlap());
    });
  }
  static int32_t StateLike(SyRule* q, uint32_t i, const SyTensor* t, uint32_t dtype) noexcept {
    return Guarded(q->error, [&] {
      if (i >= q->n_out) Fail(ErrorCode::kInvalidArgument, {"there is no output ", i});
      const ShapeContext& r = Of(q).rule.r_;
      ShapeContext beside(r.entry(), Variant::kFunctional);
      Show(q->out[i], beside.OutputLike(TensorOf(r, *t), CheckedDType(dtype)));
    });
  }
  static int32_t StateView(SyRule* q, uint32_t ndim, const int64_t* sizes, const int64_t* strides,
                           int64_t offset) noexcept {
    return Guarded(q->error, [&] {
      const Rule& rule = Of(q).rule;
      if (!rule.op_.is_view)
        Fail(ErrorCode::kInvalidArgument, "the schema does not say that the result is a view");
      const auto base = std::find_if(rule.args_.begin(), rule.args_.end(),
                                     [](const Value& v) { return v.tag == Tag::kTensor; });
      if (base == rule.args_.end()) Fail(ErrorCode::kInvalidArgument, "a view of no tensor");
      if (ndim > kMaxRank)
        Fail(ErrorCode::kInvalidArgument, {"a view of ", ndim, " dimensions, at most ", kMaxRank});
      // Where it lies in the storage is looked at once, here.
      const Tensor looked = base->tensor().AsStrided({sizes, ndim}, {strides, ndim}, offset);
      ShapeContext& r = rule.r_;
      r.View(r.Copy({sizes, ndim}), r.Copy({strides, ndim}), offset);
    });
  }
  static int64_t StorageOffset(const SyTensor* t) noexcept { return ImplOf(t->ref)->offset; }

  ErrorText text;
  Rule& rule;
};

void SetArguments(ShapeContext& r, std::span<const Value> args) {
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) r.SetArguments(v.tensor());
    if (v.tag == Tag::kTensorList) r.SetArguments(v.list<Tensor>());
  }
}

Rule::Rule(const OperatorRecord& op, ShapeContext& r, std::span<const Value> args, KeyWord key)
    : op_(op), r_(r), args_(args) {
  const CallScope scope(op.slot);
  if (!op.loaded.load(std::memory_order_acquire))
    Fail(ErrorCode::kUnavailable, op.name, {"plugin '", op.plugin, "' is not loaded any more"});
  SetArguments(r, args);
  if (r.tensors().empty() && !r.has_lists()) r.SetDevice(DeviceOfKey(key));
  Views views(args, nullptr);
  views.HideData();
  op.rule != nullptr ? Ask(views) : AskForSizes(views, key);
}

void Rule::Ask(const Views& views) {
  for (int i = 0; i < op_.num_outputs; ++i) {
    outputs_[i] = {sizes_[i], strides_[i], SY_NOT_STATED, SY_NOT_STATED, 0, 0, -1, SY_CAST_SAME};
  }
  Question q(*this, views);
  const int32_t code = op_.rule(&q);
  if (code != SY_OK) FailAbiOf(op_.name, code, q.text.text(), "");
  if (op_.is_view) {
    if (r_.num_outputs() == 0) FailOutput(0, {"is not stated"});
    return;
  }
  for (int i = 0; i < op_.num_outputs; ++i) Take(i, outputs_[i]);
  if (q.compute_dtype != SY_NOT_STATED) r_.SetComputeDType(CheckedDType(q.compute_dtype));
  if (q.overlap > SY_OVERLAP_FORBID) FailOutput(0, {"has overlap policy ", q.overlap});
  r_.SetOverlap(static_cast<OverlapPolicy>(q.overlap));
}

void Rule::AskForSizes(const Views& views, KeyWord key) {
  SyMeta metas[ShapeContext::kMaxOutputs];
  for (int i = 0; i < op_.num_outputs; ++i)
    metas[i] = {sizes_[i], SY_NOT_STATED, static_cast<uint32_t>(DTypeOfKey(key))};
  ErrorText error;
  const int32_t code = op_.shape(views.data(), views.size(), metas,
                                 static_cast<uint32_t>(op_.num_outputs), op_.user, error.abi());
  if (code != SY_OK) FailAbiOf(op_.name, code, error.text(), "");
  for (int i = 0; i < op_.num_outputs; ++i)
    Take(i, {sizes_[i], nullptr, metas[i].ndim, metas[i].dtype, 0, 0, -1, SY_CAST_CAN});
  r_.SetComputeDType(DTypeOfKey(key));
}

// A tensor that there can be.
void Rule::RequireTensor(int i, const SyOutput& o) const {
  if (o.ndim == SY_NOT_STATED) FailOutput(i, {"is not stated"});
  if (o.dtype == SY_NOT_STATED) FailOutput(i, {"has no dtype"});
  if (o.ndim > kMaxRank) FailOutput(i, {"has ", o.ndim, " dimensions, at most ", kMaxRank});
  if (o.dtype >= static_cast<uint32_t>(kNumDTypes)) FailOutput(i, {"has dtype number ", o.dtype});
  if (o.cast > SY_CAST_ANY) FailOutput(i, {"has cast policy ", o.cast});
  for (uint32_t d = 0; d < o.ndim; ++d) {
    if (o.sizes[d] < 0) FailOutput(i, {"has size ", o.sizes[d], " at [", d, "]"});
    if (o.strided != 0 && o.strides[d] < 0)
      FailOutput(i, {"has stride ", o.strides[d], " at [", d, "]"});
  }
}

void Rule::Take(int i, const SyOutput& o) {
  RequireTensor(i, o);
  // state_pointwise has stated the first one; what has been changed since goes on top.
  OutputSpec& spec = i < r_.num_outputs() ? r_.output(i) : r_.Output({o.sizes, o.ndim}, {});
  spec.sizes = o.sizes;
  spec.ndim = static_cast<int32_t>(o.ndim);
  spec.strides = o.strided != 0 ? o.strides : nullptr;
  spec.dtype = static_cast<DType>(o.dtype);
  spec.pointwise = o.pointwise != 0;
  spec.cast = static_cast<CastPolicy>(o.cast);
  spec.starts_as = static_cast<int8_t>(TensorAt(i, o.starts_as));
  if (i == 0) r_.SetComputeDType(spec.dtype);
}

// Where an argument is among the tensors of the call; -1 for -1.
int Rule::TensorAt(int i, int32_t argument) const {
  if (argument < 0) return -1;
  if (static_cast<size_t>(argument) >= args_.size() ||
      args_[static_cast<size_t>(argument)].tag != Tag::kTensor)
    FailOutput(i, {"starts as argument ", argument, ", which is no tensor"});
  int at = 0;
  for (int32_t k = 0; k < argument; ++k)
    at += args_[static_cast<size_t>(k)].tag == Tag::kTensor ? 1 : 0;
  return at;
}

void Rule::FailOutput(int i, std::initializer_list<Piece> why) const {
  Fail(ErrorCode::kInternal, op_.name,
       {"by the rule of plugin '", op_.plugin, "' output ", i, " ", Join(why)});
}

}  // namespace sy::plugin
