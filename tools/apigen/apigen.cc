// Writes the typed API from the registered schemas: ops.h, its definitions in shards, methods.h, a
// file in which every documented example is compiled, and a list of the handles behind the
// functions.
//
//   apigen OUTPUT_DIR SHARDS
//
// Documentation is the comment at the top of the file that registers an operator, read relative to
// the working directory.

#include <absl/container/btree_map.h>
#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"
#include "third_party/fmt/format.h"
#include "tools/apigen/doc.h"

namespace sy {
namespace {

// --- C++ types ---

std::string HandleType(const Type& t) {
  switch (t.Code()) {
    case 'T':
      return "const Tensor&";
    case 'L':
      return "TensorList";
    case 'i':
      return "int64_t";
    case 'I':
      return "std::optional<int64_t>";
    case 'l':
      return "IntSpan";
    case 'M':
      return "std::optional<IntSpan>";
    case 'd':
      return "double";
    case 'D':
      return "std::optional<double>";
    case 'f':
      return "std::span<const double>";
    case 'F':
      return "std::optional<std::span<const double>>";
    case 'b':
      return "bool";
    case 'B':
      return "Optional<bool>";
    case 'c':
      return "std::span<const bool>";
    case 'r':
      return "std::string_view";
    case 'R':
      return "std::optional<std::string_view>";
    case 'q':
      return "NameList";
    case 's':
      return "const Scalar&";
    case 'S':
      return "const std::optional<Scalar>&";
    case 't':
      return "std::span<const Scalar>";
    case 'y':
      return "DType";
    case 'Y':
      return "Optional<DType>";
    case 'a':
      return "Layout";
    case 'A':
      return "Optional<Layout>";
    case 'v':
      return "Device";
    case 'V':
      return "Optional<Device>";
    case 'm':
      return "MemoryFormat";
    case 'N':
      return "Optional<MemoryFormat>";
    case 'g':
      return "Generator*";
    default:
      break;
  }
  std::cerr << "apigen: no C++ type for " << t.str() << "\n";
  std::exit(1);
}

std::string ApiType(const Type& t) {
  switch (t.Code()) {
    case 'L':
      return "const Tensors&";
    case 'l':
      return t.list_size > 1 ? fmt::format("const IntList<{}>&", t.list_size) : "const Ints&";
    case 'M':
      return "const OptionalInts&";
    default:
      return HandleType(t);
  }
}

std::string DefaultOf(const Argument& a) {
  const std::string& s = a.default_text;
  const char code = a.type.Code();
  if (s == "None") return code == 'T' ? "Tensor()" : code == 'g' ? "nullptr" : "std::nullopt";
  if (s == "True") return "true";
  if (s == "False") return "false";
  if (a.type.list) {
    if (s.front() == '[') return "{" + s.substr(1, s.size() - 2) + "}";
    const std::vector<std::string> list(static_cast<size_t>(a.type.list_size), s);
    return "{" + absl::StrJoin(list, ", ") + "}";
  }
  if (a.type.kind == TypeKind::kScalarType) {
    const DefaultValue v(a, "");
    std::string name(Name(static_cast<DType>(v.value().i)));
    for (const auto& [text, enumerator] :
         {std::pair("int64", "kInt64"), std::pair("float32", "kFloat32")}) {
      if (name == text) return std::string("DType::") + enumerator;
    }
    std::cerr << "apigen: no enumerator for default " << s << "\n";
    std::exit(1);
  }
  if (a.type.kind == TypeKind::kMemoryFormat) {
    const DefaultValue v(a, "");
    return fmt::format("static_cast<MemoryFormat>({})", v.value().i);
  }
  if (a.type.kind == TypeKind::kString && s.front() == '\'')
    return "\"" + s.substr(1, s.size() - 2) + "\"";
  return s;
}

std::string ReturnType(const Schema& s) {
  if (s.ReturnsWritten()) return s.returns.size() == 1 ? "const Tensor&" : "void";
  const auto one = [](const Type& t) -> std::string {
    switch (t.Code()) {
      case 'T':
        return "Tensor";
      case 'L':
        return "std::vector<Tensor>";
      case 's':
        return "Scalar";
      case 'b':
        return "bool";
      case 'i':
        return "int64_t";
      case 'd':
        return "double";
      case 'y':
        return "DType";
      default:
        break;
    }
    std::cerr << "apigen: no C++ type for result " << t.str() << "\n";
    std::exit(1);
  };
  if (s.returns.empty()) return "void";
  if (s.returns.size() == 1) return one(s.returns[0].type);
  const auto append = [&one](std::string* out, const Argument& r) { *out += one(r.type); };
  return fmt::format("std::tuple<{}>", absl::StrJoin(s.returns, ", ", append));
}

std::string Identifier(const std::string& name) {
  static const absl::flat_hash_set<std::string> kKeywords = {
      "and", "or", "not", "xor", "default", "register", "union", "new", "delete"};
  return kKeywords.contains(name) ? name + "_argument" : name;
}

// --- Functions ---

struct Function {
  const OperatorEntry* op;
  std::string name;                     // C++
  std::vector<const Argument*> params;  // out= arguments first
  size_t defaults_from = 0;             // parameters from here on have their defaults
  // A bool in whose place another overload has a number: it takes nothing that merely converts.
  std::optional<size_t> exact = {};
  // Parameters whose type another overload's in the same place makes stricter, with that type.
  absl::flat_hash_map<size_t, std::string> stricter = {};

  std::string TypeOf(size_t i) const {
    const auto found = stricter.find(i);
    return found == stricter.end() ? ApiType(params[i]->type) : found->second;
  }
};

bool IsOut(const Schema& s) {
  for (const Argument& a : s.arguments) {
    if (a.kwarg_only && a.type.alias.write) return true;
  }
  return false;
}

Function MakeFunction(const OperatorEntry& op) {
  const Schema& s = op.schema();
  const bool out = IsOut(s);
  Function f{&op, s.name + (out ? "_out" : ""), {}};
  for (const Argument& a : s.arguments) {
    if (out && a.kwarg_only && a.type.alias.write) f.params.push_back(&a);
  }
  for (const Argument& a : s.arguments) {
    if (!(out && a.kwarg_only && a.type.alias.write)) f.params.push_back(&a);
  }
  f.defaults_from = f.params.size();
  while (f.defaults_from > 0 && f.params[f.defaults_from - 1]->has_default) --f.defaults_from;
  return f;
}

std::string TypesOf(const Function& f, size_t n) {
  std::string types = f.name + "(";
  for (size_t i = 0; i < n; ++i) {
    const Type& t = f.params[i]->type;
    types += (t.Code() == 'l' ? "Ints" : ApiType(t)) + ",";
  }
  return types;
}

// Overloads of a C++ name that a call with few arguments could mean both: the later one loses the
// defaults in question. False: even with all arguments it is another's twin, and only calls by
// string reach it.
bool MakeUnambiguous(Function& f, absl::flat_hash_set<std::string>& taken) {
  for (size_t n = f.defaults_from; n <= f.params.size(); ++n) {
    if (taken.contains(TypesOf(f, n))) f.defaults_from = n + 1;
  }
  if (f.defaults_from > f.params.size()) return false;
  for (size_t n = f.defaults_from; n <= f.params.size(); ++n) taken.insert(TypesOf(f, n));
  return true;
}

bool IsBool(const Type& t) { return t.Code() == 'b' || t.Code() == 'B'; }
// Whether one number may stand for it.
bool IsNumber(const Type& t) {
  return std::string_view("iIdDsSM").find(t.Code()) != std::string_view::npos || t.Code() == 'l';
}

void FindStricter(Function& f, const Function& other) {
  for (size_t i = 0; i < std::min(f.params.size(), other.params.size()); ++i) {
    const Type &mine = f.params[i]->type, &its = other.params[i]->type;
    if (IsBool(mine) && IsNumber(its)) {
      if (f.exact.value_or(i) != i) Fail(ErrorCode::kInternal, {f.name, ": two exact parameters"});
      f.exact = i;
    }
    if (mine.Code() == 'Y' && its.Code() == 'M') f.stricter[i] = "DTypeOrDefault";
    // A number is what the other takes it for.
    const bool converts = std::string_view("sSDI").find(its.Code()) != std::string_view::npos;
    if (mine.Code() == 'l' && converts) f.stricter[i] = "const IntList<0>&";
    if (mine.Code() == 'r' && its.Code() == 'l') f.stricter[i] = "const Word&";
    if (ApiType(mine) != ApiType(its) && !(IsNumber(mine) && IsNumber(its))) return;
  }
}

// One way to call a function: what a header declares for it.
struct Form {
  std::vector<std::string> parameters;  // with their defaults
  std::vector<std::string> names;       // of the parameters
  std::string deduced = {};             // the parameter of its template; empty: it is none
  std::string call = {};                // all that it does; empty: it is defined in a shard
};

// The first n parameters; those from `defaults_from` on with their defaults. `deduced` has the type
// B.
Form MakeForm(const Function& f, size_t n, size_t defaults_from,
              std::optional<size_t> deduced = {}) {
  Form form;
  for (size_t i = 0; i < n; ++i) {
    const Argument& a = *f.params[i];
    form.names.push_back(Identifier(a.name));
    form.parameters.push_back(
        fmt::format("{} {}", i == deduced ? "B" : f.TypeOf(i), form.names[i]));
    if (i >= defaults_from)
      form.parameters[i] +=
          " = " + (f.TypeOf(i) == "DTypeOrDefault" ? "Optional<DType>()" : DefaultOf(a));
  }
  return form;
}
// As a definition has them.
std::string Parameters(const Function& f) {
  return absl::StrJoin(MakeForm(f, f.params.size(), f.params.size()).parameters, ", ");
}

// A bool that is deduced, so that it is one, and behind that, where it has a default, the function
// without it.
std::vector<Form> ExactForms(const Function& f) {
  const size_t at = *f.exact;
  Form form = MakeForm(f, f.params.size(), std::max(f.defaults_from, at + 1), at);
  form.deduced = f.params[at]->type.Code() == 'b' ? "ExactBool B" : "ExactOptionalBool B";
  form.call = fmt::format("exact::{}({})", f.name, absl::StrJoin(form.names, ", "));
  std::vector<Form> forms = {form};
  if (f.defaults_from > at) return forms;
  Form shorter = MakeForm(f, at, f.defaults_from);
  std::vector<std::string> values = shorter.names;
  for (size_t i = at; i < f.params.size(); ++i) values.push_back(DefaultOf(*f.params[i]));
  shorter.call = fmt::format("exact::{}({})", f.name, absl::StrJoin(values, ", "));
  forms.push_back(shorter);
  return forms;
}

// Where dtype, layout, device and pin_memory stand among the parameters, if they do.
std::optional<size_t> OptionsOf(const Function& f) {
  const std::string_view names[] = {"dtype", "layout", "device", "pin_memory"};
  const auto found =
      std::search(f.params.begin(), f.params.end(), std::begin(names), std::end(names),
                  [](const Argument* a, std::string_view name) { return a->name == name; });
  if (found == f.params.end()) return std::nullopt;
  return found - f.params.begin();
}

// The function with Options, and with a device alone, in the place of these four, and without each
// parameter before them that has a default. Templates, so that in zeros(size, {}) the {} is a
// dtype.
void AddFormsWithOptions(const Function& f, std::vector<Form>* forms) {
  const std::optional<size_t> at = OptionsOf(f);
  if (!at) return;
  const std::string dtype = DefaultOf(*f.params[*at]);
  for (size_t n = std::min(*at, f.defaults_from); n <= *at; ++n) {
    const auto add = [&](const char* deduced, const std::string& parameter, const std::string& name,
                         const std::string& options) {
      Form form = MakeForm(f, n, n);
      form.deduced = deduced;
      form.parameters.push_back(parameter);
      std::vector<std::string> values = form.names;
      form.names.push_back(name);
      for (size_t i = n; i < *at; ++i) values.push_back(DefaultOf(*f.params[i]));
      values.push_back(options);
      for (size_t i = *at + 4; i < f.params.size(); ++i) {
        const Argument& a = *f.params[i];
        form.names.push_back(Identifier(a.name));
        values.push_back(Identifier(a.name));
        form.parameters.push_back(
            fmt::format("{} {} = {}", f.TypeOf(i), Identifier(a.name), DefaultOf(a)));
      }
      form.call = fmt::format("{}({})", f.name, absl::StrJoin(values, ", "));
      forms->push_back(form);
    };
    add("class = void", "const Options& options", "options",
        (dtype == "std::nullopt"
             ? "options.dtype"
             : fmt::format("Optional<DType>(options.dtype.value_or({}))", dtype)) +
            ", options.layout, options.device, options.pin_memory");
    add("AnyDevice D", "const D& device", "device",
        fmt::format("Optional<DType>({}), std::nullopt, Optional<Device>(Device(device)), "
                    "std::nullopt",
                    dtype));
  }
}

std::vector<Form> FormsOf(const Function& f) {
  if (f.exact) return ExactForms(f);
  std::vector<Form> forms = {MakeForm(f, f.params.size(), f.defaults_from)};
  AddFormsWithOptions(f, &forms);
  return forms;
}

void WriteDeclaration(std::ostream& h, const Function& f) {
  const std::string result = ReturnType(f.op->schema());
  h << "// " << f.op->schema().str() << "\n";
  if (f.exact)
    h << fmt::format("namespace exact {{\nSY_API {} {}({});\n}}\n", result, f.name, Parameters(f));
  for (const Form& form : FormsOf(f)) {
    const std::string head =
        fmt::format("{} {}({})", result, f.name, absl::StrJoin(form.parameters, ", "));
    if (form.call.empty()) {
      h << "SY_API " << head << ";\n";
    } else {
      h << (form.deduced.empty() ? "inline " : fmt::format("template <{}>\n", form.deduced))
        << fmt::format("{} {{\n  return {};\n}}\n", head, form.call);
    }
  }
}

// --- Methods ---

// Where self stands among the parameters of a function that M has as a method. None of out=, and
// none where Tensor has its own: item<double>(), is_conj().
std::optional<size_t> SelfOf(const Function& f) {
  // Tensor has them itself.
  static const absl::flat_hash_set<std::string> kOwn = {"item",   "is_conj", "is_neg",  "size",
                                                        "stride", "set_",    "set_data"};
  if (IsOut(f.op->schema()) || kOwn.contains(f.name)) return std::nullopt;
  for (size_t i = 0; i < f.params.size(); ++i) {
    if (f.params[i]->name == "self" && ApiType(f.params[i]->type) == "const Tensor&") return i;
  }
  return std::nullopt;
}

// The forms of a function as methods that call them.
void WriteMethods(std::ostream& h, const Function& f) {
  const std::optional<size_t> self = SelfOf(f);
  if (!self) return;
  const std::string of_function = ReturnType(f.op->schema());
  const bool written = of_function == "const Tensor&";
  const std::string result = written ? "const M&" : of_function == "Tensor" ? "M" : of_function;
  for (Form form : FormsOf(f)) {
    form.parameters.erase(form.parameters.begin() + static_cast<std::ptrdiff_t>(*self));
    form.names[*self] = "*this";
    const std::string call = fmt::format("sy::{}({})", f.name, absl::StrJoin(form.names, ", "));
    if (!form.deduced.empty()) h << fmt::format("  template <{}>\n", form.deduced);
    h << fmt::format("  {} {}({}) const {{\n    ", result, f.name,
                     absl::StrJoin(form.parameters, ", "))
      << (written ? fmt::format("{};\n    return *this;\n", call)
                  : fmt::format("return {};\n", call))
      << "  }\n";
  }
}

// Elements that were read by tensors are a copy: what would write only this copy is an error.
void WriteRefusals(std::ostream& h, const std::vector<const Function*>& functions) {
  absl::btree_set<std::string> names;
  for (const Function* f : functions) {
    if (!f->params.empty() && f->params[0]->type.alias.write &&
        ApiType(f->params[0]->type) == "const Tensor&") {
      names.insert(f->name);
    }
  }
  h << "// Elements of a tensor that are named by tensors are read as a copy, which none of these "
       "may\n"
       "// write: x(index) = y and x(index) += y write x.\n";
  for (const std::string& name : names) {
    h << fmt::format("template <class... A>\nvoid {}(const Elements&, const A&...) = delete;\n",
                     name);
  }
  h << "\n";
}

// "Tensor(const Tensor&, int64_t)"
std::string HandleSignature(const Schema& s) {
  const auto append = [](std::string* out, const Argument& a) { *out += HandleType(a.type); };
  return fmt::format("{}({})", s.ReturnsWritten() ? "void" : ReturnType(s),
                     absl::StrJoin(s.arguments, ", ", append));
}

void WriteDefinition(std::ostream& cc, const Function& f) {
  const Schema& s = f.op->schema();
  const bool written = s.ReturnsWritten();
  const auto append = [](std::string* out, const Argument& a) { *out += Identifier(a.name); };
  const std::string result = ReturnType(s);
  const bool has_form = f.op->variant.load() != nullptr;
  cc << fmt::format("{} {}{}({}) {{\n", result, f.exact ? "exact::" : "", f.name, Parameters(f));
  cc << fmt::format("  static constinit Handle<{}> handle{{\"{}\"}};\n", HandleSignature(s),
                    f.op->name());
  cc << fmt::format("  {}handle{}({});\n", written || result == "void" ? "" : "return ",
                    has_form ? ".CallVariant" : "", absl::StrJoin(s.arguments, ", ", append));
  if (written && s.returns.size() == 1) {
    for (const Argument& a : s.arguments) {
      if (a.type.alias.write) cc << "  return " << Identifier(a.name) << ";\n";
    }
  }
  cc << "}\n\n";
}

// The functions of all operators.
struct Api {
  // By the file that registers them: related overloads stand together, under its comment.
  absl::btree_map<std::string, std::vector<Function>> by_file;
  std::vector<std::string> skipped;
};

Api CollectFunctions(Registry& registry) {
  Api api;
  absl::flat_hash_set<std::string> taken;
  std::vector<Function> all;
  // Those of namespaces are called by string.
  for (const OperatorEntry* op : registry.Entries()) {
    if (op->name().find("::") == std::string_view::npos) all.push_back(MakeFunction(*op));
  }
  // As calls by name choose: the overload that has fewer arguments left out keeps its defaults.
  std::vector<Function*> shorter_first;
  shorter_first.reserve(all.size());
  for (Function& f : all) shorter_first.push_back(&f);
  std::stable_sort(shorter_first.begin(), shorter_first.end(),
                   [](auto* a, auto* b) { return a->params.size() < b->params.size(); });
  absl::flat_hash_set<const OperatorEntry*> twins;
  for (Function* f : shorter_first) {
    if (!MakeUnambiguous(*f, taken)) twins.insert(f->op);
  }
  for (Function& f : all) {
    if (twins.contains(f.op)) {
      api.skipped.emplace_back(f.op->name());
    } else {
      api.by_file[f.op->def()->file].push_back(std::move(f));
    }
  }
  absl::btree_map<std::string, std::vector<Function*>> by_name;  // errors in one order
  for (auto& [file, functions] : api.by_file) {
    for (Function& f : functions) by_name[f.name].push_back(&f);
  }
  for (const auto& [name, overloads] : by_name) {
    for (Function* f : overloads) {
      for (const Function* other : overloads) FindStricter(*f, *other);
    }
  }
  return api;
}

constexpr std::string_view kHeaderBegin =
    R"(// The typed API: one function per overload, generated by tools/apigen from the registered
// schemas.
//
//   sy::Tensor c = sy::add(a, b, 2);  sy::add_(a, b);  sy::add_out(out, a, b);  a + b;
//
// In-place functions return their first argument, out= functions (name_out, outputs first) their
// output. Where there are dtype, layout, device and pin_memory, Options or a device may stand for
// the four. Optional tensors may be left undefined. Where overloads differ by a number and a bool
// in one place, the bool is a template's parameter, so that a number is never taken for it.
// Threads: any. Errors: sy::Error, as each says, and kNotImplemented without a kernel.
#ifndef SWITCHYARD_OPS_H_
#define SWITCHYARD_OPS_H_

#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/signature.h"
#include "switchyard/ops/api/arguments.h"

namespace sy {

class Elements;

)";

constexpr std::string_view kHeaderEnd = R"(}  // namespace sy

#include "switchyard/ops/api/functions.h"
#include "switchyard/ops/api/indexing.h"
#include "switchyard/ops/api/operators.h"

#endif  // SWITCHYARD_OPS_H_
)";

void WriteHeader(std::ostream& h, const Api& api) {
  h << kHeaderBegin;
  for (const auto& [file, functions] : api.by_file) {
    for (const std::string& line : apigen::ReadDoc(file).lines) h << "// " << line << "\n";
    for (const Function& f : functions) WriteDeclaration(h, f);
    h << "\n";
  }
  if (!api.skipped.empty()) {
    h << fmt::format(
        "// By string alone, since their C++ parameters are those of another overload: {}\n\n",
        absl::StrJoin(api.skipped, " "));
  }
  std::vector<const Function*> functions;
  for (const auto& [file, in_file] : api.by_file) {
    for (const Function& f : in_file) functions.push_back(&f);
  }
  WriteRefusals(h, functions);
  h << kHeaderEnd;
}

constexpr std::string_view kMethodsBegin =
    R"(// The typed API as methods, so that chains read from left to right: generated by
// tools/apigen from the registered schemas.
//
//   sy::M(a).transpose(0, 1).matmul(b).relu().sum(-1)
//   sy::M x = sy::rand({2, 3});  x.add_(1).mul_(x);  sy::Tensor y = x.to(sy::DType::kFloat64);
//
// M is a Tensor, and nothing more: it converts to and from one, and each of its methods calls the
// function of its name in switchyard/ops.h, where it is documented, with itself for self. Methods
// that return a tensor return an M; those that return several, Tensors. Functions without a self
// stay functions (sy::cat), as do out= functions and the operators of C++: M(a + b).relu().
// Tensor's members are M's, but for `to`, whose overloads are the functions'. Not included by
// switchyard/switchyard.h: who writes sy::relu(x) needs none of it.
//
// Owns: what a Tensor owns. M(a) is one more handle of a's tensor, which counts a reference for as
// long as the expression lasts; M(std::move(a)) and results count none. In-place methods return
// the M itself, by reference: of M(a) that one ends with the expression, too.
// Threads, errors: as the functions'.
#ifndef SWITCHYARD_METHODS_H_
#define SWITCHYARD_METHODS_H_

#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"
#include "switchyard/ops.h"
#include "switchyard/ops/api/arguments.h"

namespace sy {

class M : public Tensor {
 public:
  M() = default;
  M(const Tensor& t) : Tensor(t) {}                 // NOLINT(google-explicit-constructor)
  M(Tensor&& t) noexcept : Tensor(std::move(t)) {}  // NOLINT(google-explicit-constructor)
  M(const M&) = default;
  M(M&&) noexcept = default;
  ~M() = default;
  // As Tensor's: a variable is made to name another tensor; what an expression names is written.
  M& operator=(const M&) & = default;
  M& operator=(M&&) & noexcept = default;
  template <class V>
  M operator=(const V& v) && {
    AssignTo(*this, v);
    return std::move(*this);
  }

  // As Tensor's; views go on as M.
  template <class I>
  auto operator[](const I& i) const {
    return Chained(At(*this, i));
  }
  template <class... I>
  auto operator()(const I&... i) const {
    return Chained(At(*this, i...));
  }

  // Functions that are no operators (switchyard/ops/api/functions.h).
  M unique() const { return sy::unique(*this); }

)";

constexpr std::string_view kMethodsEnd = R"(
 private:
  static M Chained(Tensor view) { return view; }
  static Elements Chained(const Elements& elements) { return elements; }
};
static_assert(sizeof(M) == sizeof(Tensor));

}  // namespace sy

#endif  // SWITCHYARD_METHODS_H_
)";

void WriteMethodsHeader(std::ostream& h, const Api& api) {
  h << kMethodsBegin;
  for (const auto& [file, functions] : api.by_file) {
    for (const Function& f : functions) WriteMethods(h, f);
  }
  h << kMethodsEnd;
}

void WriteDefinitions(const std::string& dir, int shards, const Api& api) {
  std::vector<std::ofstream> cc;
  for (int i = 0; i < shards; ++i) {
    cc.emplace_back(fmt::format("{}/ops_{}.cc", dir, i));
    cc.back() << R"(// Generated by tools/apigen.
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"

namespace sy {

)";
  }
  for (const auto& [file, functions] : api.by_file) {
    for (const Function& f : functions) {
      // One file compiles what all handles of a signature share.
      const std::string signature = HandleSignature(f.op->schema());
      WriteDefinition(cc[HashName(signature) % static_cast<unsigned>(shards)], f);
    }
  }
  for (std::ofstream& shard : cc) shard << "}  // namespace sy\n";
}

void WriteHandles(std::ostream& out, const Api& api) {
  out << "// Generated by tools/apigen: every function of the typed API.\n";
  for (const auto& [file, functions] : api.by_file) {
    for (const Function& f : functions) {
      out << fmt::format("SY_HANDLE(\"{}\", {})\n", f.op->name(), HandleSignature(f.op->schema()));
    }
  }
}

void WriteExamples(std::ostream& out, const Api& api) {
  out << R"(// Generated by tools/apigen: every example of the operator reference, compiled.
#include "switchyard/ops.h"

namespace sy {

)";
  int number = 0;
  for (const auto& [file, functions] : api.by_file) {
    out << "[[maybe_unused]] void Example" << number++ << "(";
    for (const char* name : {"x", "y", "a", "b", "g", "index", "t", "src"})
      out << (*name == 'x' ? "" : ", ") << "[[maybe_unused]] Tensor " << name;
    out << ") {  // " << file << "\n  " << apigen::ReadDoc(file).example << ";\n}\n\n";
  }
  out << "}  // namespace sy\n";
}

int Run(const std::string& dir, int shards) {
  Registry& registry = Registry::Global();
  const std::vector<std::string> problems = registry.Problems();
  for (const std::string& p : problems) std::cerr << "apigen: " << p << "\n";
  if (!problems.empty()) return 1;
  const Api api = CollectFunctions(registry);
  std::ofstream header(dir + "/ops.h"), methods(dir + "/methods.h"), examples(dir + "/examples.cc"),
      handles(dir + "/handles.inc");
  WriteHeader(header, api);
  WriteMethodsHeader(methods, api);
  WriteExamples(examples, api);
  WriteHandles(handles, api);
  WriteDefinitions(dir, shards, api);
  return 0;
}

}  // namespace
}  // namespace sy

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: apigen OUTPUT_DIR SHARDS\n";
    return 2;
  }
  try {
    return sy::Run(argv[1], std::atoi(argv[2]));
  } catch (const sy::Error& e) {
    std::cerr << "apigen: " << e.message() << "\n";
    return 1;
  }
}
