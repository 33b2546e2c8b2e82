// Operators of plugins that have a rule, or are another one with numbers for tensors: their
// variants, as boxed kernels.

#include <deque>

#include "plugin/kernel.h"
#include "plugin/rule.h"
#include "switchyard/core/scalar.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/op/variants.h"
#include "switchyard/registry/registry.h"

namespace sy::plugin {
namespace {

std::vector<const TensorBase*> TensorsOf(std::span<const Value> args) {
  std::vector<const TensorBase*> tensors;
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) tensors.push_back(&v.tensor());
  }
  return tensors;
}

// The kernel for what the rule says, called. from: the functional operator, which has the kernels.
void Compute(const OperatorEntry& from, const OperatorRecord& record, ShapeContext& r,
             std::span<const Tensor* const> outs, std::span<const Value> args) {
  const KeyWord key = r.ComputeKey();
  const KernelDef* k = from.kernels->Find(key);
  const bool is_rule = k != nullptr && k->data == &record;
  if (is_rule && RowOfKey(key) == FindDeviceType("meta").row) return;  // shapes are all there is
  if (k == nullptr || is_rule) k = FallbackKernel(from, key);
  if (k == nullptr) sy::internal::FailMissingKernel(from, key, TensorsOf(args));
  CallBoxedKernel(*k, from, {k, key, outs, args, nullptr});
}

const Tensor& FirstTensor(std::span<const Value> args) {
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) return v.tensor();
  }
  return Value::UndefinedTensor();
}

// The in-place or out= variant of an operator whose variants have kernels of their own.
const OperatorEntry& VariantOf(const OperatorEntry& functional, bool in_place) {
  Registry& registry = functional.registry();
  OverloadPacket* packet = registry.FindPacket(functional.schema().name + (in_place ? "_" : ""));
  if (packet != nullptr) {
    for (const OperatorEntry* e : registry.Overloads(*packet)) {
      const bool same_count = e->num_arguments == functional.num_arguments;
      if (e->kernels->derived_from == &functional && same_count == in_place) return *e;
    }
  }
  Fail(ErrorCode::kNotImplemented, functional.name(),
       {"there is no ", in_place ? "in-place" : "out=", " variant"});
}

// The call of the operator that takes tensors where this one takes numbers.
void CallWithTensors(const OperatorEntry& target, std::span<const Value> args, Result* results) {
  std::deque<Tensor> numbers;
  std::vector<Value> lifted(args.begin(), args.end());
  const std::vector<Argument>& wanted = target.schema().arguments;
  for (size_t i = 0; i < lifted.size(); ++i) {
    const Tag tag = lifted[i].tag;
    if (!wanted[i].type.is_tensor() || tag == Tag::kTensor || tag == Tag::kNone) continue;
    lifted[i] = Value(numbers.emplace_back(NumberTensor(lifted[i].scalar())));
  }
  CallBoxed(target, lifted, {results, static_cast<size_t>(target.num_results)});
}

// Of a kernel that is an operator's own.
const OperatorRecord& RecordOf(const KernelDef& k) {
  return *static_cast<const OperatorRecord*>(k.data);
}

}  // namespace

void RunRule(const BoxedCall& call) { RunRuleOf(RecordOf(*call.kernel), call); }

void RunRuleOf(const OperatorRecord& record, const BoxedCall& call) {
  const OperatorEntry& op = *call.kernel->entry;
  if (call.results == nullptr)  // a fallback looks for a kernel, and finds this
    sy::internal::FailMissingKernel(op, call.key, TensorsOf(call.args));
  ShapeContext r(op, Variant::kFunctional);
  const Rule rule(record, r, call.args, call.key);
  if (record.is_view) {
    call.results[0].Set(Tensor(sy::internal::MakeView(r, FirstTensor(call.args))));
    return;
  }
  Tensor made[ShapeContext::kMaxOutputs];
  const Tensor* outs[ShapeContext::kMaxOutputs];
  const int n = r.num_outputs();
  for (int i = 0; i < n; ++i) {
    made[i] = Tensor(sy::internal::MakeAnyOutput(r, i));
    outs[i] = &made[i];
  }
  Compute(op, record, r, {outs, static_cast<size_t>(n)}, call.args);
  for (int i = 0; i < n; ++i) call.results[i].Set(std::move(made[i]));
}

void RunVariant(const BoxedCall& call) {
  const OperatorEntry& op = *call.kernel->entry;
  const auto& from = *static_cast<const OperatorEntry*>(call.kernel->data);
  const OperatorRecord* found = RecordOf(from);
  if (found == nullptr) sy::internal::FailGone(from);  // unloaded meanwhile
  const OperatorRecord& record = *found;
  const size_t n_args = from.num_arguments;
  const bool in_place = call.args.size() == n_args;
  if (!record.numbers_for.empty()) {
    Result results[kMaxResults];
    return CallWithTensors(VariantOf(NumbersTarget(record), in_place), call.args, results);
  }
  if (!record.has_rule()) return sy::internal::ComputeAndCopy(call);
  const std::span<const Value> args = call.args.first(n_args);
  const Tensor* given[ShapeContext::kMaxOutputs];
  for (int i = 0; i < from.num_results; ++i)
    given[i] = &call.args[in_place ? 0 : n_args + static_cast<size_t>(i)].tensor();
  ShapeContext r(op, in_place ? Variant::kInPlace : Variant::kOut);
  r.SetGivenOuts(given);
  try {
    const Rule rule(record, r, args, call.key);
    const auto n = static_cast<size_t>(r.num_outputs());
    if (sy::internal::IsEasyTarget(r, *given[0])) return Compute(from, record, r, {given, n}, args);
    sy::internal::Targets targets(r, given);
    Compute(from, record, r, {targets.tensors(), n}, args);
    targets.Finish();
  } catch (...) {
    sy::internal::FailCall(op);
  }
}

const OperatorEntry& NumbersTarget(const OperatorRecord& record) {
  const OperatorEntry* target = Registry::Global().Find(record.numbers_for);
  if (target != nullptr) return *target;
  Fail(ErrorCode::kUnavailable, record.name,
       {"'", record.numbers_for, "', which it is with numbers, is not registered any more"});
}

void RunNumbers(const BoxedCall& call) {
  CallWithTensors(NumbersTarget(RecordOf(*call.kernel)), call.args, call.results);
}

}  // namespace sy::plugin
