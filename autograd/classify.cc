#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/registry/registry.h"

namespace sy::autograd {

constinit internal::RecentClasses<OpClass> recent_classes;

namespace {

struct Table {
  std::mutex mutex;
  std::vector<Registration*> linked;
  size_t indexed = 0;
  std::map<std::string, std::vector<const Registration*>, std::less<>> by_name;
  std::unordered_map<const OperatorEntry*, const OpClass*> classes;
  std::deque<OpClass> kept;

  static Table& Get() {
    static Table& t = *new Table;  // used until the last registration goes
    return t;
  }
  Table() {
    internal::derivatives_changed.store([] {
      Table& t = Get();
      std::lock_guard lock(t.mutex);
      t.Forget();
    });
  }
  // What was found so far may be otherwise now.
  void Forget() {
    if (classes.empty()) return;
    classes.clear();
    recent_classes.Clear();
  }
  // Registrations are indexed once their constructors have ended.
  void Index() {
    for (; indexed < linked.size(); ++indexed) {
      for (const char* op : linked[indexed]->ops) by_name[op].push_back(linked[indexed]);
    }
  }
  const Registration* Find(std::string_view name) {
    const auto it = by_name.find(name);
    return it == by_name.end() || it->second.empty() ? nullptr : it->second.front();
  }
};

bool CodesFit(std::string_view expected, const Term& t) {
  const std::string_view arguments = expected.substr(0, expected.find('>'));
  if (arguments.size() != static_cast<size_t>(t.num_arguments)) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (t.code[i] != arguments[i] && t.code[i] != '*') return false;
  }
  return true;
}

Wants WantsOfTerm(const Term& t) {
  Wants wants;
  wants.results = t.results;
  for (int i = 0; i < t.num_arguments; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    switch (t.keeps[i]) {
      case Keep::kValue:
        wants.values |= bit;
        break;
      case Keep::kTensor:
        wants.tensors |= bit;
        break;
      case Keep::kShape:
        wants.shapes |= bit;
        break;
      case Keep::kTensors:
        wants.tensor_lists |= bit;
        break;
      case Keep::kShapes:
        wants.shape_lists |= bit;
        break;
      case Keep::kNothing:
      case Keep::kResult:
        break;
    }
  }
  return wants;
}

// Finds the arguments of the formulas in the schema that they are for. Returns what is wrong.
std::string Prepare(const Registration& r, const Schema& schema, OpClass& c) {
  const std::string code = schema.Code();
  const std::string name = schema.full_name();
  if (r.kind == Kind::kDecomposition) {
    const std::string_view given = r.code;
    if (given != code)
      return Join({"decomposition of ", name, ": its types are ", given, ", expected ", code});
    return "";
  }
  if (schema.arguments.size() > 64) {
    return Join({"gradient of ", name, ": it has more than 64 arguments"});
  }
  for (const Term& t : r.terms) {
    if (t.num_inputs == 0) {
      c.constant |= t.constant;
      if ((t.constant >> schema.returns.size()) != 0)
        return Join({"gradient of ", name, ": a result is constant that there is not"});
      continue;
    }
    if (!CodesFit(code, t)) {
      return Join({"gradient of ", name, ": a formula takes ", std::string_view(t.code),
                   ", the operator ", code});
    }
    if ((t.results >> schema.returns.size()) != 0 &&
        !(schema.returns.size() == 1 && schema.returns[0].type.list)) {
      return Join({"gradient of ", name, ": a formula keeps a result that there is not"});
    }
    PreparedTerm& p = c.terms.emplace_back();
    p.term = &t;
    p.wants = WantsOfTerm(t);
    for (int i = 0; i < t.num_inputs; ++i) {
      const int at = schema.Find(t.inputs[static_cast<size_t>(i)]);
      if (at < 0) {
        return Join({"gradient of ", name, ": no argument is named ",
                     std::string_view(t.inputs[static_cast<size_t>(i)])});
      }
      if (i == 0) p.first = static_cast<size_t>(at);
      p.positions |= uint64_t{1} << at;
    }
    c.differentiable |= p.positions;
  }
  return "";
}

// An operator that computes the gradient, by name (registry/derivative.h). Returns what is wrong.
std::string PrepareDerivative(const std::string& by, const OperatorEntry& of, OpClass& c) {
  c.by = of.registry().Find(by);
  if (c.by == nullptr) {
    return Join({"gradient of ", of.name(), ": there is no operator '", by, "'"});
  }
  if (std::string problem = MatchDerivative(of.schema(), c.by->schema(), &c.match);
      !problem.empty())
    return problem;
  PreparedTerm& p = c.terms.emplace_back();
  for (const DerivativeMatch::Source& s : c.match.arguments) {
    const uint64_t bit = uint64_t{1} << s.at;
    if (s.from == DerivativeMatch::From::kResult) p.wants.results |= static_cast<uint32_t>(bit);
    if (s.from != DerivativeMatch::From::kArgument) continue;
    const Type& type = of.schema().arguments[s.at].type;
    (type.is_tensor()        ? p.wants.tensors
     : type.is_tensor_list() ? p.wants.tensor_lists
                             : p.wants.values) |= bit;
  }
  for (const size_t at : c.match.inputs) p.positions |= uint64_t{1} << at;
  c.differentiable = p.positions;
  return "";
}

bool ReturnsDifferentiable(const Schema& s) {
  return std::any_of(s.returns.begin(), s.returns.end(),
                     [](const Argument& r) { return r.type.kind == TypeKind::kTensor; });
}

// Those of the runtime that no formula file names.
constexpr std::string_view kNever[] = {
    "detach",  "data",     "requires_grad_",     "retain_grad", "retains_grad",
    "is_leaf", "_version", "output_nr",          "_backward",   "is_conj",
    "is_neg",  "item",     "_local_scalar_dense"};

Writes WritesOf(const OperatorEntry& op) {
  if (op.kind == Variant::kInPlace) return Writes::kSelf;
  if (op.kind == Variant::kOut) return Writes::kOut;
  if (op.kind == Variant::kViewInPlace) return Writes::kGeometry;
  Writes w = Writes::kNothing;
  size_t i = 0;
  for (const Argument& a : op.schema().arguments) {
    if (a.type.alias.write) {
      if (a.type.list) return Writes::kLists;
      w = a.kwarg_only ? Writes::kOut : i == 0 ? Writes::kSelf : w;
    }
    ++i;
  }
  return w;
}

OpClass Classify(Table& table, const OperatorEntry& op) {
  OpClass c;
  c.op = &op;
  c.writes = WritesOf(op);
  const Schema& schema = op.schema();
  c.writes_more = op.Has(OperatorTag::kMaybeAliasingOrMutating);
  for (size_t i = 1; i < schema.arguments.size(); ++i) {
    c.writes_more = c.writes_more || schema.arguments[i].type.alias.write;
  }
  const bool view_like = !schema.returns.empty() && !schema.returns[0].type.alias.text.empty() &&
                         !schema.returns[0].type.alias.write;
  c.view = op.kind == Variant::kView || view_like;
  if (std::find(std::begin(kNever), std::end(kNever), op.name()) != std::end(kNever)) {
    c.how = How::kNone;
    c.writes = Writes::kNothing;
    c.view = false;
    return c;
  }
  const std::string& name = schema.name;
  if (name == "detach_" || name == "set_" || name == "resize_" || name == "resize_as_") {
    c.how = name == "detach_" ? How::kCutsOff : How::kMoves;
    c.writes = Writes::kNothing;
    c.view = false;
    return c;
  }
  // Its own registration, its functional form's, or that of the operator whose kernels serve it.
  Registry& registry = op.registry();
  const Registration* r = table.Find(op.name());
  const Schema* of = &schema;
  const auto look = [&](std::string_view name) {
    if (r != nullptr) return;
    r = table.Find(name);
    if (r == nullptr) return;
    const OperatorEntry* e = registry.Find(name);
    of = e == nullptr ? &schema : &e->schema();
    if (of->arguments.size() != schema.arguments.size()) r = nullptr;
  };
  if (c.writes != Writes::kNothing) look(internal::WithoutUnderscore(op.name()));
  if (const OperatorDef* def = op.def(); def != nullptr) {
    look(def->schema.text.substr(0, def->schema.text.find('(')));
  }
  if (op.kind != Variant::kDirect) look(op.kernels->entry().name());
  if (r != nullptr && r->kind == Kind::kDecomposition && c.writes != Writes::kNothing) {
    r = nullptr;
    // What has no body of its own in place is the functional form's, and then copied.
    const OperatorEntry* functional =
        c.writes == Writes::kSelf ? registry.Find(internal::WithoutUnderscore(op.name())) : nullptr;
    if (functional != nullptr && op.kind != Variant::kDirect) {
      c.how = How::kThenCopied;
      c.functional = functional;
      return c;
    }
  }
  if (r != nullptr) {
    c.registration = r;
    c.problem = Prepare(*r, *of, c);
    switch (r->kind) {
      case Kind::kFormulas:
        c.how = How::kFormulas;
        break;
      case Kind::kZero:
        c.how = How::kZero;
        break;
      case Kind::kNotDifferentiable:
        c.how = c.writes == Writes::kSelf ? How::kZero : How::kNone;
        break;
      case Kind::kDecomposition:
        c.how = How::kDecomposed;
        break;
    }
    if (c.how == How::kZero) c.differentiable = ~uint64_t{0};
    // What was written no longer has the history that it had, also where its own gradient is zero.
    if (c.writes == Writes::kSelf) c.differentiable |= 1;
    if (!c.problem.empty()) c.how = How::kRefused;
    if (c.how == How::kRefused) c.differentiable = ~uint64_t{0};
    return c;
  }
  const OperatorEntry* base = op.kind == Variant::kDirect ? &op : &op.kernels->entry();
  std::string by = FindDerivative(op.name());
  if (by.empty()) by = FindDerivative(base->name());
  if (!by.empty() && c.writes != Writes::kOut && c.writes != Writes::kLists) {
    c.problem = PrepareDerivative(by, *base, c);
    c.how = c.problem.empty() ? How::kFormulas : How::kRefused;
    if (!c.problem.empty()) c.differentiable = ~uint64_t{0};
    if (c.writes == Writes::kSelf) c.differentiable |= 1;
    return c;
  }
  if (c.writes == Writes::kGeometry || op.kind == Variant::kView) {
    c.how = How::kView;
    return c;
  }
  c.differentiable = ~uint64_t{0};
  if (c.writes == Writes::kOut || c.writes == Writes::kLists) return c;
  if (!ReturnsDifferentiable(schema) && c.writes == Writes::kNothing && !schema.returns.empty()) {
    c.how = How::kNone;
    return c;
  }
  if (op.kind == Variant::kDirect) {
    if (op.kernels->derived_from != nullptr && c.writes == Writes::kSelf) {
      c.how = How::kThenCopied;
      c.functional = op.kernels->derived_from;
      return c;
    }
    const internal::Composite made = internal::CompositeOf(op);
    if (made.body != nullptr) {
      c.how = How::kBody;
      if (made.kernels) c.body = made.body;
      return c;
    }
  }
  // What draws in place of what was there.
  if (c.writes == Writes::kSelf && op.Has(OperatorTag::kNondeterministicSeeded)) {
    c.how = How::kZero;
  }
  return c;
}

}  // namespace

void Registration::Link() {
  Table& t = Table::Get();
  std::lock_guard lock(t.mutex);
  t.linked.push_back(this);
  t.Forget();
}

Registration::~Registration() {
  Table& t = Table::Get();
  std::lock_guard lock(t.mutex);
  const auto it = std::find(t.linked.begin(), t.linked.end(), this);
  if (it == t.linked.end()) return;
  if (static_cast<size_t>(it - t.linked.begin()) < t.indexed) --t.indexed;
  t.linked.erase(it);
  for (auto& [name, all] : t.by_name) std::erase(all, this);
  t.Forget();
}

const OpClass& FindClass(const OperatorEntry& op) {
  Table& t = Table::Get();
  const OpClass* c;
  {
    std::lock_guard lock(t.mutex);
    t.Index();
    const OpClass*& known = t.classes[&op];
    if (known == nullptr) known = &t.kept.emplace_back(Classify(t, op));
    c = known;
    recent_classes.Put(*c);
  }
  const bool plain_body = c->how == How::kBody && c->body == nullptr && !c->view;
  if ((c->how == How::kNone || plain_body) && c->writes == Writes::kNothing)
    FallThrough(kGradLayer, op);
  return *c;
}

Differentiation DifferentiationOf(const OperatorEntry& op) {
  switch (ClassOf(op).how) {
    case How::kFormulas:
    case How::kDecomposed:
      return Differentiation::kFormulas;
    case How::kNone:
    case How::kZero:
      return Differentiation::kNever;
    default:
      return Differentiation::kOthers;
  }
}

}  // namespace sy::autograd

namespace sy {

std::vector<std::string> GradientProblems() {
  using namespace autograd;
  Table& t = Table::Get();
  std::vector<std::string> all;
  std::lock_guard lock(t.mutex);
  t.Index();
  for (const auto& [name, registrations] : t.by_name) {
    if (registrations.empty()) continue;
    if (registrations.size() > 1) all.push_back(Join({"gradient of ", name, ": registered twice"}));
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr) {
      all.push_back(Join({"gradient of ", name, ": there is no such operator"}));
      continue;
    }
    OpClass c;
    if (std::string problem = Prepare(*registrations[0], op->schema(), c); !problem.empty())
      all.push_back(std::move(problem));
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> RefusedGradients() {
  using namespace autograd;
  std::vector<std::string> all;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    const std::vector<Argument>& arguments = op->schema().arguments;
    const bool takes_tensors =
        std::any_of(arguments.begin(), arguments.end(),
                    [](const Argument& a) { return a.type.kind == TypeKind::kTensor; });
    if (!takes_tensors) continue;
    const OpClass& c = ClassOf(*op);
    const bool writes = c.writes == Writes::kOut || c.writes == Writes::kLists;
    if (c.how == How::kRefused && !writes) all.emplace_back(op->name());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace sy
