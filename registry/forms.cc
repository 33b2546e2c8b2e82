#include "switchyard/registry/forms.h"

#include <algorithm>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/operator.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {
namespace {

TensorImpl* NewPinned(const Rule& r, const OutputSpec& o) {
  const IntSpan sizes = o.size_span();
  try {
    const Device at = PinningDevice();
    Tensor t = o.strides == nullptr
                   ? EmptyPinned(sizes, o.dtype, at)
                   : EmptyStridedPinned(sizes, {o.strides, sizes.size()}, o.dtype, at);
    return t.release();
  } catch (const Error& e) {
    r.Fail(e.code(), {e.message()});
  }
}

TensorImpl* NewOutput(Rule& r, const OutputSpec& o) {
  const KeyWord key = WithDType(r.ComputeKey(), o.dtype);
  const size_t n = static_cast<size_t>(o.ndim);
  if (r.pins_outputs()) return NewPinned(r, o);
  if (o.strides == nullptr) return NewContiguous(key, {o.sizes, n});
  return NewStrided(key, {o.sizes, n}, {o.strides, n});
}

// Through the operator that the registry has for it, in place and typed.
void Copy(Rule& r, const Tensor& dst, const Tensor& src) {
  const OperatorEntry& copy = r.entry().registry().CopyEntry();
  using Form = void (*)(const OperatorEntry&, const Tensor&, const Tensor&, bool);
  reinterpret_cast<Form>(copy.form.load(std::memory_order_acquire))(copy, dst, src, false);
}

const Tensor& AsTensor(const Meta& m) { return static_cast<const Tensor&>(m); }

}  // namespace

TensorImpl* MakeAnyOutput(Rule& r, int i) {
  const OutputSpec& o = r.output(i);
  if (o.starts_as < 0) return NewOutput(r, o);
  Tensor t(NewOutput(r, o));
  Copy(r, t, AsTensor(*r.tensors()[o.starts_as]));
  return t.release();
}

TensorImpl* MakeView(Rule& r, const Tensor& base) {
  const OutputSpec& o = r.output(0);
  TensorImpl* t = NewAlias(base.impl(), o.ndim);
  int64_t numel = 1;
  for (int i = 0; i < o.ndim; ++i) {
    t->dims[i] = o.sizes[i];
    t->dims[o.ndim + i] = o.strides[i];
    numel *= o.sizes[i];
  }
  t->numel = numel;
  t->offset = o.offset;
  if (r.drops_layers()) t->key &= kPlaceMask;
  UpdateContiguity(t);
  return t;
}

void ViewInPlace(Rule& r, const Tensor& self) {
  const OutputSpec& o = r.output(0);
  SetGeometry(self.impl(), o.size_span(), {o.strides, static_cast<size_t>(o.ndim)}, o.offset);
  if (r.drops_layers()) self.impl()->key &= kPlaceMask;
}

bool IsEasyTarget(Rule& r, const Tensor& out) {
  const OutputSpec& o = r.output(0);
  const TensorImpl* t = out.impl();
  if (r.num_outputs() != 1 || t->dtype() != o.dtype || t->ndim != o.ndim ||
      (t->flags & kContiguousFlag) == 0 || r.has_lists() ||
      PlaceOfKey(t->key) != PlaceOfKey(r.ComputeKey())) {
    return false;
  }
  if (o.sizes != t->dims) {
    for (int i = 0; i < o.ndim; ++i) {
      if (o.sizes[i] != t->dims[i]) return false;
    }
  }
  // An input in the same memory must be out itself, and be read only where it is written.
  const std::span<const Meta* const> in = r.tensors();
  for (size_t k = 0; k < in.size(); ++k) {
    const TensorImpl* m = in[k]->impl();
    if (m->storage != t->storage) continue;
    if (m != t || (!o.pointwise && static_cast<int>(k) != o.starts_as)) return false;
  }
  return o.starts_as < 0 || in[o.starts_as]->impl() == t;
}

Targets::Targets(Rule& r, const Tensor* const* given) : r_(r), given_(given) {
  for (int i = 0; i < r.num_outputs(); ++i) Check(i, *given[i]);
  for (int i = 0; i < r.num_outputs(); ++i) {
    const OutputSpec& o = r.output(i);
    const Tensor& out = *given[i];
    // A pointwise kernel converts as it stores; others write the dtype they were asked for.
    const bool converts = o.pointwise || out.dtype() == o.dtype;
    // A kernel may refuse what it finds in its arguments, an index out of range: until then the
    // copy of the input that it starts from must not be in `out`.
    const bool computes = r.kernel() == nullptr || r.kernel()->fn != nullptr;
    const bool restarts =
        o.starts_as >= 0 && computes && r.tensors()[o.starts_as]->impl() != out.impl();
    const bool beside = resize_[i] || !converts || Overlaps(i, out) || restarts;
    if (beside) beside_[i] = Tensor(NewOutput(r, o));
    targets_[i] = beside ? &beside_[i] : &out;
    if (o.starts_as >= 0 && r.tensors()[o.starts_as]->impl() != targets_[i]->impl()) {
      Copy(r, *targets_[i], AsTensor(*r.tensors()[o.starts_as]));
    }
  }
}

void Targets::Check(int i, const Tensor& out) {
  const OutputSpec& o = r_.output(i);
  const bool in_place = r_.form() == FormKind::kInPlace;
  const std::string_view name = in_place ? "self" : "out";
  if (!out.defined()) r_.Fail({name, " is undefined"});
  if (PlaceOfKey(out.key()) != PlaceOfKey(r_.ComputeKey())) {
    r_.Fail(
        {name, " is on ", out.device().str(), ", expected ", DeviceOfKey(r_.ComputeKey()).str()});
  }
  if (out.dtype() != o.dtype && o.cast != CastPolicy::kAny) {
    if (o.cast == CastPolicy::kSame) r_.Fail({name, " must be ", o.dtype, ", got ", out.dtype()});
    if (!CanCast(o.dtype, out.dtype())) {
      r_.Fail({"the result is ", o.dtype, ", which cannot be stored in ", name, ", which is ",
               out.dtype()});
    }
  }
  resize_[i] = !SameSizes(out.sizes(), o.size_span());
  if (resize_[i] && in_place) {
    r_.Fail({"self has sizes ", out.sizes(), ", but the result has ", o.size_span()});
  }
  // As ATen: where overlap is forbidden it is so before resizing, elsewhere resizing undoes it.
  const bool checked = !resize_[i] || r_.overlap() == OverlapPolicy::kForbid;
  if (checked && !r_.allows_self_overlap()) RequireNoSelfOverlap(r_.op(), out);
}

bool Targets::Overlaps(int i, const Tensor& out) const {
  const OutputSpec& o = r_.output(i);
  const bool forbid = r_.overlap() == OverlapPolicy::kForbid;
  // Pointwise kernels may write exactly where they read; so may one whose output starts as that
  // input.
  const auto meets = [&](const Meta& in, bool may_be_same) {
    const Overlap overlap = OverlapOf(out, in);
    if (overlap == Overlap::kNo || (overlap == Overlap::kFull && may_be_same)) return false;
    if (forbid && overlap != Overlap::kMaybe)
      FailOverlap(r_.op(), "the written tensor", "an input");
    return true;
  };
  bool any = false;
  for (size_t k = 0; k < r_.tensors().size(); ++k) {
    const Meta& in = *r_.tensors()[k];
    const bool pointwise = o.pointwise && in.dtype() == out.dtype();
    if (in.defined()) any |= meets(in, pointwise || static_cast<int>(k) == o.starts_as);
  }
  r_.ForEachListed([&](const Tensor& in) { any |= meets(in, false); });
  for (int j = 0; j < i; ++j) {
    if (OverlapOf(out, *given_[j]) != Overlap::kNo)
      FailOverlap(r_.op(), "an output", "another output");
  }
  return any;
}

void Targets::Finish() {
  for (int i = 0; i < r_.num_outputs(); ++i) {
    if (!beside_[i].defined()) continue;
    const Tensor& out = *given_[i];
    if (resize_[i]) {
      if (out.numel() != 0) {
        Log(LogLevel::kWarning,
            Join({r_.op(), "(): out has sizes ", out.sizes(), " and is resized to ",
                  beside_[i].sizes(), "; give it no elements to say that this is meant"}));
      }
      if (AdoptStorage(out.impl(), beside_[i].impl())) continue;
      Resize(out.impl(), beside_[i].sizes(), beside_[i].strides());
    }
    Copy(r_, out, beside_[i]);
  }
}

void FailAs(const OperatorEntry& op, const Error& e) {
  const OperatorEntry* from = op.kernels->derived_from;
  const std::string_view name = from != nullptr ? from->name() : op.kernels->entry().name();
  std::string_view text = e.message();
  if (name == op.name() || !text.starts_with(name)) throw;
  text.remove_prefix(name.size());
  if (!text.starts_with("()")) throw;  // another operator, whose name is longer
  Fail(e.code(), {op.name(), text});
}

void FailGone(const OperatorEntry& op) {
  Fail(ErrorCode::kNotFound, {"operator '", op.name(), "' is no longer registered"});
}

void FailMissingKernel(Rule& r, KeyWord key) {
  std::vector<const Meta*> tensors(r.tensors().begin(), r.tensors().end());
  r.ForEachListed([&](const Tensor& t) { tensors.push_back(&t); });
  FailMissingKernel(r.entry(), key, tensors);
}

}  // namespace sy::internal
