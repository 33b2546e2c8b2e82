// Registrations that tests add to registries of their own, and take out again.
#ifndef SWITCHYARD_OP_TESTING_H_
#define SWITCHYARD_OP_TESTING_H_

#include <string_view>

#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"
#include "switchyard/registry/registry.h"

namespace sy::testing {

// An operator without a shape function. The text must outlive it.
inline OperatorDef Direct(std::string_view schema, int line) {
  return {.schema = SchemaText::Of(schema),
          .file = "test",
          .line = line,
          .copies_results = internal::ComputeAndCopy};
}
// An operator with a shape function of one output.
template <class... A>
OperatorDef WithShapeFunction(std::string_view schema, void (*shape_function)(ShapeContext&, A...),
                              Variants variants, int line) {
  return {.schema = SchemaText::Of(schema),
          .shape_function = reinterpret_cast<Fn>(shape_function),
          .traits = &VariantsOf<1, A...>::Traits,
          .variants = variants,
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

#endif  // SWITCHYARD_OP_TESTING_H_
