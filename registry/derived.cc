// In-place and out= forms of operators without a rule: the functional operator, then a copy.

#include "switchyard/core/error.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {
namespace {

// Whether Store will do.
void RequireStorable(const OperatorEntry& op, const Tensor& out, const Tensor& result) {
  const bool in_place = op.schema().name.ends_with('_');
  if (!CanCast(result.dtype(), out.dtype())) {
    Fail(ErrorCode::kInvalidArgument,
         {op.name(), "(): the result is ", result.dtype(), ", which cannot be stored in ",
          in_place ? "self" : "out", ", which is ", out.dtype()});
  }
  if (SameSizes(result.sizes(), out.sizes())) {
    RequireNoSelfOverlap(op.name(), out);
  } else if (in_place) {
    Fail(ErrorCode::kInvalidArgument,
         {op.name(), "(): self has sizes ", out.sizes(), ", but the result has ", result.sizes()});
  }
}

void Store(const OperatorEntry& op, const Tensor& out, const Tensor& result) {
  if (!SameSizes(result.sizes(), out.sizes())) {
    if (AdoptStorage(out.impl(), result.impl())) return;
    Resize(out.impl(), result.sizes(), result.strides());
  }
  const OperatorEntry& copy = op.registry().CopyEntry();
  using Form = void (*)(const OperatorEntry&, const Tensor&, const Tensor&, bool);
  reinterpret_cast<Form>(copy.form.load(std::memory_order_acquire))(copy, out, result, false);
}

void Compute(const OperatorEntry& op, KeyWord key, std::span<const Value> args, Result* results) {
  const KernelDef* k = op.kernels->Find(key);
  if (k == nullptr) {
    std::vector<const Meta*> tensors;
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
    Compute(from, call.key, call.args.first(given), results);
  } catch (const Error& e) {
    FailAs(op, e);
  }
  const bool in_place = call.args.size() == given;
  const auto given_out = [&](int i) -> const Tensor& {
    return call.args[in_place ? 0 : given + i].tensor();
  };
  // Nothing is written unless everything can be.
  for (int i = 0; i < from.num_results; ++i) RequireStorable(op, given_out(i), results[i].tensor());
  for (int i = 0; i < from.num_results; ++i) Store(op, given_out(i), results[i].tensor());
}

}  // namespace sy::internal
