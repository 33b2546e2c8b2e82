// Registrations that tests add to registries of their own, and take out again.
#ifndef SWITCHYARD_REGISTRY_TESTING_H_
#define SWITCHYARD_REGISTRY_TESTING_H_

#include <string_view>

#include "switchyard/registry/registry.h"

namespace sy::testing {

// An operator without a rule. The text must outlive it.
inline OperatorDef Direct(std::string_view schema, int line) {
  return {.schema = SchemaText::Of(schema), .file = "test", .line = line};
}
// An operator with a rule of one output.
template <class... A>
OperatorDef WithRule(std::string_view schema, void (*rule)(Rule&, A...), Forms forms, int line) {
  return {.schema = SchemaText::Of(schema),
          .rule = reinterpret_cast<Fn>(rule),
          .traits = &FormsOf<1, A...>::Traits,
          .forms = forms,
          .file = "test",
          .line = line};
}
// device: null for a composite.
template <class R, class... A>
KernelDef KernelFor(std::string_view op, const char* device, DTypeMask dtypes, R (*fn)(Call, A...),
                    int line, int priority = 0) {
  KernelDef k;
  k.fn = reinterpret_cast<Fn>(fn);
  k.thunk = internal::ThunkOf<R, A...>::Run;
  k.op = op;
  k.op_hash = HashName(op);
  k.device = device;
  k.dtypes = dtypes;
  k.code = SignatureCode<R(A...)>::kText;
  k.file = "test";
  k.line = line;
  k.priority = priority;
  return k;
}

}  // namespace sy::testing

#endif  // SWITCHYARD_REGISTRY_TESTING_H_
