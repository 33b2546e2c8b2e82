#include "switchyard/dispatcher/composites.h"

#include <algorithm>

#include "switchyard/registry/registry.h"

namespace sy::internal {

Composite CompositeOf(const OperatorEntry& op) {
  Composite c;
  if (op.kind != Variant::kDirect) return c;
  for (const KernelDef* k : op.registry().KernelsOf(op)) {
    if (k->device == nullptr && k->thunk != nullptr) {
      if (c.body == nullptr) c.body = k;
    } else {
      c.kernels = true;
    }
  }
  return c;
}

KeyWord PlaceOfTensors(std::span<const Value> args) {
  KeyWord place = 0;
  ForEachTensor(args, [&](const Tensor& t) {
    if (place == 0) place = t.key() & kPlaceMask;
  });
  return place;
}

void RunBody(const KernelDef& body, KeyWord place, LayerCall& call) {
  body.thunk(body, place, call.args.data(), call.results.data());
  if (call.op.returns_written) ReturnWritten(call.op, call.args, call.results.data());
}

std::string WithoutUnderscore(std::string_view name) {
  const size_t dot = name.find('.');
  std::string base(name.substr(0, dot));
  if (!base.empty() && base.back() == '_') base.pop_back();
  return dot == name.npos ? base : base + std::string(name.substr(dot));
}

const OperatorEntry* FunctionalOf(const OperatorEntry& op) {
  const OperatorEntry* f = op.registry().Find(WithoutUnderscore(op.name()));
  if (f == nullptr && op.kind == Variant::kDirect) f = op.kernels->derived_from;
  if (f == nullptr && (op.kind == Variant::kInPlace || op.kind == Variant::kViewInPlace))
    f = &op.kernels->entry();
  if (f == nullptr || f == &op) return nullptr;
  return f->schema().arguments.size() == op.schema().arguments.size() ? f : nullptr;
}

bool ReturnsTensors(const Schema& schema) {
  return std::any_of(schema.returns.begin(), schema.returns.end(),
                     [](const Argument& r) { return r.type.kind == TypeKind::kTensor; });
}

}  // namespace sy::internal
