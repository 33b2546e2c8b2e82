#include "switchyard/op/variants.h"

#include <cxxabi.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <typeinfo>
#include <vector>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/constant.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/operator.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {
namespace {

// Throws on, in a handler, what ended the making of a tensor, which knows no operator. What a
// device has to say of calls before stays as it is.
[[noreturn]] SY_COLD void FailMaking(const ShapeContext& r, const Error& e) {
  const bool asked = e.code() == ErrorCode::kInvalidArgument ||
                     e.code() == ErrorCode::kOutOfMemory || e.code() == ErrorCode::kNotImplemented;
  if (!asked || !e.op().empty()) throw;
  r.Fail(e.code(), {e.reason()});
}

TensorImpl* NewPinned(const OutputSpec& o) {
  const IntSpan sizes = o.size_span();
  const Device at = PinningDevice();
  Tensor t = o.strides == nullptr
                 ? EmptyPinned(sizes, o.dtype, at)
                 : EmptyStridedPinned(sizes, {o.strides, sizes.size()}, o.dtype, at);
  return t.release();
}

TensorImpl* NewOutput(ShapeContext& r, const OutputSpec& o) {
  const KeyWord key = WithDType(r.ComputeKey(), o.dtype);
  const size_t n = static_cast<size_t>(o.ndim);
  try {
    if (r.pins_outputs()) return NewPinned(o);
    if (o.strides == nullptr) return NewContiguous(key, {o.sizes, n});
    return NewStrided(key, {o.sizes, n}, {o.strides, n});
  } catch (const Error& e) {
    FailMaking(r, e);
  }
}

// Through the operator that op's registry has for it, in place and typed.
void Copy(const OperatorEntry& op, const Tensor& dst, const Tensor& src) {
  const OperatorEntry& copy = op.registry().CopyEntry();
  using TypedFn = void (*)(const OperatorEntry&, const Tensor&, const Tensor&, bool);
  reinterpret_cast<TypedFn>(copy.variant.load(std::memory_order_acquire))(copy, dst, src, false);
}

const Tensor& AsTensor(const TensorBase& m) { return static_cast<const Tensor&>(m); }

// Storage that was lent cannot grow.
bool Fits(const Tensor& out, IntSpan sizes) {
  const StorageImpl* s = out.impl()->storage;
  if (!IsLent(s)) return true;
  const auto have = static_cast<int64_t>(s->nbytes / out.itemsize());
  return NumElements(sizes) <= have - out.storage_offset();
}

enum class SelfOverlap : uint8_t {
  kForbidden,
  kForbiddenUnlessResized,  // as ATen: resizing undoes it
  kAllowed,
};

CastPolicy CastOf(const OperatorEntry& op, bool is_out, CastPolicy otherwise) {
  return is_out && op.Has(OperatorTag::kSameDTypeOut) ? CastPolicy::kSame : otherwise;
}

// `out` is given for a result of such sizes and dtype; in place it keeps its sizes. Returns whether
// it has to be resized.
bool RequireTarget(const OperatorEntry& op, bool in_place, const Tensor& out, KeyWord place,
                   IntSpan sizes, DType dtype, CastPolicy cast, SelfOverlap overlap) {
  const std::string_view name = in_place ? "self" : "out";
  const auto fail = [&](std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, op.name(), pieces);
  };
  if (!out.defined()) fail({name, " is undefined"});
  if (is_frozen(out)) fail({name, " is constant (sy::freeze), and would be written"});
  if (PlaceOfKey(out.key()) != place)
    fail({name, " is on ", out.device().str(), ", expected ", DeviceOfKey(place).str()});
  if (out.dtype() != dtype && cast != CastPolicy::kAny) {
    if (cast == CastPolicy::kSame) fail({name, " must be ", dtype, ", got ", out.dtype()});
    if (!CanCast(dtype, out.dtype())) {
      fail({"the result is ", dtype, ", which cannot be stored in ", name, ", which is ",
            out.dtype()});
    }
  }
  const bool resize = !SameSizes(out.sizes(), sizes);
  if (resize && in_place) fail({"self has sizes ", out.sizes(), ", but the result has ", sizes});
  if (resize && !Fits(out, sizes))
    fail({"out has sizes ", out.sizes(), " of storage that was lent, too small for ", sizes});
  const SelfOverlap allowed = resize ? SelfOverlap::kForbiddenUnlessResized : SelfOverlap::kAllowed;
  if (overlap < allowed) RequireNoSelfOverlap(op.name(), out);
  return resize;
}

// None of what is to be written shares memory with another.
void RequireApart(const OperatorEntry& op, std::span<const Tensor* const> outs) {
  for (size_t i = 0; i < outs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (OverlapOf(*outs[i], *outs[j]) != Overlap::kNo)
        FailOverlap(op.name(), "an output", "another output");
    }
  }
}

// Frees a view that has no elements, or too many, where its sizes are not a tensor's.
SY_COLD void RequireCountable(const ShapeContext& r, TensorImpl* view) {
  try {
    view->numel = NumElements({view->dims, view->ndim});
  } catch (const Error& e) {
    TensorDead(view);
    FailMaking(r, e);
  }
}

// Puts a result where it is wanted: in a tensor that RequireTarget has seen.
void Store(const OperatorEntry& op, const Tensor& out, const Tensor& result) {
  if (!SameSizes(result.sizes(), out.sizes())) {
    if (out.numel() != 0) {
      Log(LogLevel::kWarning,
          Join({op.name(), "(): out has sizes ", out.sizes(), " and is resized to ", result.sizes(),
                "; give it no elements to say that this is meant"}));
    }
    if (op.Has(OperatorTag::kRowMajorOut) && !result.is_contiguous()) {
      std::vector<int64_t> strides(result.sizes().size());
      ContiguousStrides(result.sizes(), strides.data());
      Resize(out.impl(), result.sizes(), strides);
    } else {
      if (AdoptStorage(out.impl(), result.impl())) return;
      Resize(out.impl(), result.sizes(), result.strides());
    }
  }
  Copy(op, out, result);
}

}  // namespace

TensorImpl* MakeAnyOutput(ShapeContext& r, int i) {
  const OutputSpec& o = r.output(i);
  if (o.starts_as < 0) return NewOutput(r, o);
  Tensor t(NewOutput(r, o));
  Copy(r.entry(), t, AsTensor(*r.tensors()[o.starts_as]));
  return t.release();
}

// But those that say what the elements are.
void DropLayers(TensorImpl* t) { t->key &= kPlaceMask | kConjBit | kNegBit; }

constinit std::atomic<void (*)(TensorImpl*, const Tensor&)> view_made{nullptr};

TensorImpl* MakeView(ShapeContext& r, const Tensor& base) {
  const OutputSpec& o = r.output(0);
  TensorImpl* t = NewAlias(base.impl(), o.ndim);
  int64_t numel = 1;
  bool overflow = false;
  for (int i = 0; i < o.ndim; ++i) {
    t->dims[i] = o.sizes[i];
    t->dims[o.ndim + i] = o.strides[i];
    overflow |= __builtin_mul_overflow(numel, o.sizes[i], &numel);
  }
  t->numel = numel;
  if (numel == 0 || overflow) [[unlikely]]
    RequireCountable(r, t);
  t->offset = o.offset;
  UpdateContiguity(t);
  if (r.drops_layers()) {
    DropLayers(t);
  } else if (const auto told = view_made.load(std::memory_order_relaxed)) [[unlikely]] {
    told(t, base);
  }
  return t;
}

void ViewInPlace(ShapeContext& r, const Tensor& self) {
  const OutputSpec& o = r.output(0);
  SetGeometry(self.impl(), o.size_span(), {o.strides, static_cast<size_t>(o.ndim)}, o.offset);
  if (r.drops_layers()) {
    DropLayers(self.impl());
  } else if (const auto told = view_made.load(std::memory_order_relaxed)) [[unlikely]] {
    told(self.impl(), self);
  }
}

bool IsEasyTarget(ShapeContext& r, const Tensor& out) {
  const OutputSpec& o = r.output(0);
  const TensorImpl* t = out.impl();
  if (is_frozen(out) || r.num_outputs() != 1 || t->dtype() != o.dtype || t->ndim != o.ndim ||
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
  const std::span<const TensorBase* const> in = r.tensors();
  for (size_t k = 0; k < in.size(); ++k) {
    const TensorImpl* m = in[k]->impl();
    if (m->storage != t->storage) continue;
    if (m != t || (!o.pointwise && static_cast<int>(k) != o.starts_as)) return false;
  }
  if (o.starts_as >= 0 && in[o.starts_as]->impl() != t) return false;
  t->storage->CountWrite();
  return true;
}

Targets::Targets(ShapeContext& r, const Tensor* const* given) : r_(r), given_(given) {
  for (int i = 0; i < r.num_outputs(); ++i) Check(i, *given[i]);
  RequireApart(r.entry(), {given, static_cast<size_t>(r.num_outputs())});
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
    // What is drawn depends on how the result lies.
    const bool draws = r.entry().Has(OperatorTag::kNondeterministicSeeded) &&
                       r.entry().Has(OperatorTag::kRowMajorOut) && r.variant() == Variant::kOut;
    const bool beside = resize_[i] || !converts || Overlaps(i, out) || restarts || draws;
    if (beside) beside_[i] = Tensor(NewOutput(r, o));
    targets_[i] = beside ? &beside_[i] : &out;
    out.impl()->storage->CountWrite();
    if (o.starts_as >= 0 && r.tensors()[o.starts_as]->impl() != targets_[i]->impl()) {
      Copy(r.entry(), *targets_[i], AsTensor(*r.tensors()[o.starts_as]));
    }
  }
}

void Targets::Check(int i, const Tensor& out) {
  const OutputSpec& o = r_.output(i);
  // Where overlap is forbidden it is so before resizing.
  const SelfOverlap overlap = r_.allows_self_overlap() ? SelfOverlap::kAllowed
                              : r_.overlap() == OverlapPolicy::kForbid
                                  ? SelfOverlap::kForbidden
                                  : SelfOverlap::kForbiddenUnlessResized;
  const CastPolicy cast = CastOf(r_.entry(), r_.variant() == Variant::kOut, o.cast);
  resize_[i] = RequireTarget(r_.entry(), r_.variant() == Variant::kInPlace, out,
                             PlaceOfKey(r_.ComputeKey()), o.size_span(), o.dtype, cast, overlap);
}

bool Targets::Overlaps(int i, const Tensor& out) const {
  const OutputSpec& o = r_.output(i);
  const bool forbid = r_.overlap() == OverlapPolicy::kForbid;
  // Pointwise kernels may write exactly where they read; so may one whose output starts as that
  // input.
  const auto meets = [&](const TensorBase& in, bool may_be_same) {
    const Overlap overlap = OverlapOf(out, in);
    if (overlap == Overlap::kNo || (overlap == Overlap::kFull && may_be_same)) return false;
    if (forbid && overlap != Overlap::kMaybe)
      FailOverlap(r_.op(), "the written tensor", "an input");
    return true;
  };
  bool any = false;
  for (size_t k = 0; k < r_.tensors().size(); ++k) {
    const TensorBase& in = *r_.tensors()[k];
    const bool pointwise = o.pointwise && in.dtype() == out.dtype();
    if (in.defined()) any |= meets(in, pointwise || static_cast<int>(k) == o.starts_as);
  }
  r_.ForEachListed([&](const Tensor& in) { any |= meets(in, false); });
  return any;
}

void Targets::Finish() {
  for (int i = 0; i < r_.num_outputs(); ++i) {
    if (beside_[i].defined()) Store(r_.entry(), *given_[i], beside_[i]);
  }
}

// --- In-place and out= variants of operators without a shape function: the functional operator,
// then a copy.

namespace {

void ComputeFunctional(const OperatorEntry& op, KeyWord key, std::span<const Value> args,
                       Result* results) {
  const KernelDef* k = op.kernels->Find(key);
  if (k == nullptr) {
    std::vector<const TensorBase*> tensors;
    for (const Value& v : args) {
      if (v.tag == Tag::kTensor) tensors.push_back(&v.tensor());
    }
    FailMissingKernel(op, key, tensors);
  }
  if (k->thunk != nullptr) {
    k->thunk(*k, key, args.data(), results);
  } else {
    k->boxed({k, key, {}, args, results});
  }
}

}  // namespace

void ComputeAndCopy(const BoxedCall& call) {
  const OperatorEntry& op = *call.kernel->entry;
  const auto& from = *static_cast<const OperatorEntry*>(call.kernel->data);
  const size_t given = from.num_arguments;
  Result results[kMaxResults];
  try {
    ComputeFunctional(from, call.key, call.args.first(given), results);
  } catch (...) {
    FailCall(op);
  }
  const bool in_place = call.args.size() == given;
  const Tensor* outs[kMaxResults];
  const Tensor* made[kMaxResults];
  for (int i = 0; i < from.num_results; ++i) {
    outs[i] = &call.args[in_place ? 0 : given + i].tensor();
    made[i] = &results[i].tensor();
    if (made[i]->defined()) continue;
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"result ", i, " is not asked for, and cannot be written to out"});
  }
  const size_t n = from.num_results;
  StoreResults(op, in_place, {made, n}, {outs, n});
}

void StoreResults(const OperatorEntry& op, bool in_place, std::span<const Tensor* const> results,
                  std::span<const Tensor* const> outs) {
  for (size_t i = 0; i < outs.size(); ++i) {
    const Tensor& result = *results[i];
    RequireTarget(op, in_place, *outs[i], PlaceOfKey(result.key()), result.sizes(), result.dtype(),
                  CastOf(op, !in_place, CastPolicy::kCan), SelfOverlap::kForbiddenUnlessResized);
  }
  RequireApart(op, outs);
  for (size_t i = 0; i < outs.size(); ++i) Store(op, *outs[i], *results[i]);
}

// --- Errors.

namespace {

// Whether what is being handled is the standard library's way of saying that memory is out: a
// container asked for more than there can be, or than there is. Looked at without throwing it
// again, which costs more than all else that a failing call does.
bool IsOutOfMemory() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  return type != nullptr &&
         (*type == typeid(std::bad_alloc) || *type == typeid(std::length_error) ||
          *type == typeid(std::bad_array_new_length));
}

// The operator by whose name its shape function and kernel know it.
std::string_view NameInErrors(const OperatorEntry& op) {
  const OperatorEntry* from = op.kernels->derived_from;
  return from != nullptr ? from->name() : op.kernels->entry().name();
}

// Throws a kernel's error again in the name of the variant that was called: a kernel knows only the
// operator that it is for.
[[noreturn]] void FailAs(const OperatorEntry& op, const Error& e) {
  if (e.op() != NameInErrors(op)) throw;  // nobody's, or another operator's that it calls
  Fail(e.code(), op.name(), {e.reason()});
}

}  // namespace

void FailCall(const OperatorEntry& op) {
  if (IsOutOfMemory()) Fail(ErrorCode::kOutOfMemory, op.name(), {"out of memory"});
  if (NameInErrors(op) == op.name()) throw;
  try {
    throw;
  } catch (const Error& e) {
    FailAs(op, e);
  }
}

namespace {

// Whether an error is about the arguments of a call; else about memory, devices or ourselves.
bool IsOfArguments(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotImplemented:
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kUnavailable:
    case ErrorCode::kBusy:
    case ErrorCode::kRegistration:
    case ErrorCode::kInternal:
      return false;
    default:
      return true;
  }
}

}  // namespace

// Told in a handler, by its name, of a call that has ended for want of memory before its kernel was
// reached, or in it; null: nobody asks. Collectives are (collective/failures.cc), which tell the
// other ranks. Headers here are everybody's: whoever uses it declares it.
extern SY_API std::atomic<void (*)(std::string_view op)> no_memory_to_call;
std::atomic<void (*)(std::string_view op)> no_memory_to_call{nullptr};

void FailDirect(const OperatorEntry& op) {
  if (IsOutOfMemory()) {
    if (auto* const told = no_memory_to_call.load(std::memory_order_acquire); told != nullptr)
      told(op.name());
    FailCall(op);
  }
  try {
    throw;
  } catch (const Error& e) {
    if (!IsOfArguments(e.code()) || e.op() == op.name()) throw;
    if (e.op() == NameInErrors(op)) FailAs(op, e);
    Fail(e.code(), op.name(), {e.message()});
  }
}

void FailFunctional(const ShapeContext& r, TensorImpl* made) {
  const Tensor gone = made == nullptr ? Tensor() : Tensor(made);
  if (IsOutOfMemory()) FailCall(r.entry());
  if (made != nullptr) throw;
  try {
    throw;
  } catch (const Error& e) {
    FailMaking(r, e);
  }
}

void FailMissingKernel(ShapeContext& r, KeyWord key) {
  std::vector<const TensorBase*> tensors(r.tensors().begin(), r.tensors().end());
  r.ForEachListed([&](const Tensor& t) { tensors.push_back(&t); });
  FailMissingKernel(r.entry(), key, tensors);
}

}  // namespace sy::internal
