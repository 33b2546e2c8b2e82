#include "switchyard/dispatcher/handle.h"

#include <new>

#include "dispatcher/call_internal.h"
#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {
namespace {

const OperatorEntry* Bind(const char* full_name, const char* code, Fn boxing_kernel) {
  Registry& registry = Registry::Global();
  const OperatorEntry* op = registry.Find(full_name);
  if (op == nullptr) {
    Fail(ErrorCode::kNotFound,
         {"no operator named '", full_name, "'", NearestName(registry, full_name)});
  }
  if (op->schema().DirectCode() != code) {
    Fail(ErrorCode::kInvalidArgument,
         {"the C++ signature '", code, "' is not that of '", full_name, "', which is '",
          op->schema().DirectCode(), "':\n  ", op->schema().str()});
  }
  if (op->kind == Variant::kDirect) registry.SetBoxingKernel(*op, boxing_kernel);
  return op;
}

}  // namespace

const OperatorEntry* BindHandle(const char* full_name, const char* code, Fn boxing_kernel) {
  try {
    return Bind(full_name, code, boxing_kernel);
  } catch (const std::bad_alloc&) {
    FailMemory(full_name);
  }
}

}  // namespace sy::internal
