#include "python/core/overloads.h"

#include <algorithm>
#include <string>

namespace sy::python {
namespace {

// Names of one argument, ours and Python's of it.
struct Alias {
  std::string_view python, schema;
};
constexpr Alias kAliases[] = {{"input", "self"}, {"x", "self"},       {"axis", "dim"},
                              {"a", "self"},     {"x1", "self"},      {"x2", "other"},
                              {"size", "sizes"}, {"tensors", "self"}, {"keepdims", "keepdim"}};

}  // namespace

bool HasArgument(const std::vector<OperatorEntry*>& overloads, std::string_view name) {
  return std::any_of(overloads.begin(), overloads.end(),
                     [&](const OperatorEntry* e) { return e->schema().Find(name) >= 0; });
}

std::vector<OperatorEntry*> OverloadsOf(const Operation& op) {
  Registry& registry = Registry::Global();
  OverloadPacket* packet = registry.FindPacket(op.name);
  return packet == nullptr ? std::vector<OperatorEntry*>() : registry.Overloads(*packet);
}

std::string_view NameInSchema(const std::vector<OperatorEntry*>& overloads, std::string_view name) {
  const auto* alias = std::find_if(std::begin(kAliases), std::end(kAliases), [&](const Alias& a) {
    return a.python == name && HasArgument(overloads, a.schema);
  });
  return alias == std::end(kAliases) ? name : alias->schema;
}

// Whether sizes may be given one by one: where the argument behind leading tensors is a list of
// integers of any length, the last by position, and no overload has a number there.
void LookAt(Operation& op) {
  bool list = false, other = false;
  for (const OperatorEntry* e : OverloadsOf(op)) {
    const std::vector<Argument>& arguments = e->schema().arguments;
    size_t at = 0;
    while (at < arguments.size() && arguments[at].type.kind == TypeKind::kTensor) ++at;
    if (at == arguments.size() || arguments[at].kwarg_only) continue;
    const Type& type = arguments[at].type;
    if (type.kind != TypeKind::kInt && type.kind != TypeKind::kSymInt) {
      other = other || type.kind == TypeKind::kScalar || type.kind == TypeKind::kFloat;
      continue;
    }
    const bool last =
        at + 1 == arguments.size() || arguments[at + 1].kwarg_only || arguments[at + 1].has_default;
    (type.list && type.list_size == 0 && last ? list : other) = true;
  }
  op.packs = list && !other;
  op.looked_at = true;
}

}  // namespace sy::python
