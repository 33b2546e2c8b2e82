// Writes the typed API from the registered schemas: ops.h, its definitions in shards, a file in
// which every documented example is compiled, and a list of the handles behind the functions.
//
//   apigen OUTPUT_DIR SHARDS
//
// Documentation is the comment at the top of the file that registers an operator, read relative to
// the working directory.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"
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
      return t.list_size == 1 ? "const IntOrInts&" : "const Ints&";
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
    std::string list;
    for (int i = 0; i < a.type.list_size; ++i) list += (i == 0 ? "" : ", ") + s;
    return "{" + list + "}";
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
    return "static_cast<MemoryFormat>(" + std::to_string(v.value().i) + ")";
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
      default:
        break;
    }
    std::cerr << "apigen: no C++ type for result " << t.str() << "\n";
    std::exit(1);
  };
  if (s.returns.empty()) return "void";
  if (s.returns.size() == 1) return one(s.returns[0].type);
  std::string list;
  for (const Argument& r : s.returns) list += (list.empty() ? "" : ", ") + one(r.type);
  return "std::tuple<" + list + ">";
}

std::string Identifier(const std::string& name) {
  static const std::set<std::string> kKeywords = {"and",      "or",    "not", "xor",   "default",
                                                  "register", "union", "new", "delete"};
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
  std::map<size_t, std::string> stricter = {};

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
  for (size_t i = 0; i < n; ++i) types += ApiType(f.params[i]->type) + ",";
  return types;
}

// Overloads of a C++ name that a call with few arguments could mean both: the later one loses the
// defaults in question. False: even with all arguments it is another's twin, and only calls by
// string reach it.
bool MakeUnambiguous(Function& f, std::set<std::string>& taken) {
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
  return std::string_view("iIdDsSM").find(t.Code()) != std::string_view::npos ||
         (t.Code() == 'l' && t.list_size == 1);
}

void FindStricter(Function& f, const Function& other) {
  for (size_t i = 0; i < std::min(f.params.size(), other.params.size()); ++i) {
    const Type &mine = f.params[i]->type, &its = other.params[i]->type;
    if (IsBool(mine) && IsNumber(its)) {
      if (f.exact.value_or(i) != i) Fail(ErrorCode::kInternal, {f.name, ": two exact parameters"});
      f.exact = i;
    }
    if (mine.Code() == 'Y' && its.Code() == 'M') f.stricter[i] = "DTypeOrDefault";
    if (mine.Code() == 'r' && its.Code() == 'l') f.stricter[i] = "const Word&";
    if (ApiType(mine) != ApiType(its) && !(IsNumber(mine) && IsNumber(its))) return;
  }
}

// The first n parameters; those from `defaults_from` on with their defaults. `deduced` has the type
// B.
std::string Parameters(const Function& f, size_t n, size_t defaults_from,
                       std::optional<size_t> deduced = {}) {
  std::string list;
  for (size_t i = 0; i < n; ++i) {
    const Argument& a = *f.params[i];
    list += (i == 0 ? "" : ", ") + (i == deduced ? "B" : f.TypeOf(i)) + " " + Identifier(a.name);
    if (i >= defaults_from)
      list += " = " + (f.TypeOf(i) == "DTypeOrDefault" ? "Optional<DType>()" : DefaultOf(a));
  }
  return list;
}
// As a definition has them.
std::string Parameters(const Function& f) {
  return Parameters(f, f.params.size(), f.params.size());
}

// A bool that is deduced, so that it is one, and behind that, where it has a default, the function
// without it.
void WriteExactDeclaration(std::ostream& h, const Function& f) {
  const std::string result = ReturnType(f.op->schema());
  const size_t at = *f.exact;
  std::string values, shorter;
  for (size_t i = 0; i < f.params.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ", name = Identifier(f.params[i]->name);
    values += comma + name;
    shorter += comma + (i < at ? name : DefaultOf(*f.params[i]));
  }
  const char* concept_name = f.params[at]->type.Code() == 'b' ? "ExactBool" : "ExactOptionalBool";
  h << "namespace exact {\nSY_API " << result << " " << f.name << "(" << Parameters(f) << ");\n}\n";
  h << "template <" << concept_name << " B>\n"
    << result << " " << f.name << "("
    << Parameters(f, f.params.size(), std::max(f.defaults_from, at + 1), at) << ") {\n"
    << "  return exact::" << f.name << "(" << values << ");\n}\n";
  if (f.defaults_from > at) return;
  h << "inline " << result << " " << f.name << "(" << Parameters(f, at, f.defaults_from) << ") {\n"
    << "  return exact::" << f.name << "(" << shorter << ");\n}\n";
}

void WriteDeclaration(std::ostream& h, const Function& f) {
  h << "// " << f.op->schema().str() << "\n";
  if (f.exact) return WriteExactDeclaration(h, f);
  h << "SY_API " << ReturnType(f.op->schema()) << " " << f.name << "("
    << Parameters(f, f.params.size(), f.defaults_from) << ");\n";
}

// "Tensor(const Tensor&, int64_t)"
std::string HandleSignature(const Schema& s) {
  std::string types;
  for (const Argument& a : s.arguments) types += (types.empty() ? "" : ", ") + HandleType(a.type);
  return (s.ReturnsWritten() ? "void" : ReturnType(s)) + "(" + types + ")";
}

void WriteDefinition(std::ostream& cc, const Function& f) {
  const Schema& s = f.op->schema();
  const bool written = s.ReturnsWritten();
  std::string values;
  for (const Argument& a : s.arguments) {
    values += (values.empty() ? "" : ", ") + Identifier(a.name);
  }
  const std::string result = ReturnType(s);
  const bool has_form = f.op->form.load() != nullptr;
  cc << result << " " << (f.exact ? "exact::" : "") << f.name << "(" << Parameters(f) << ") {\n";
  cc << "  static constinit Handle<" << HandleSignature(s) << "> handle{\"" << f.op->name()
     << "\"};\n";
  cc << "  " << (written || result == "void" ? "" : "return ") << "handle"
     << (has_form ? ".CallForm(" : "(") << values << ");\n";
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
  std::map<std::string, std::vector<Function>> by_file;
  std::vector<std::string> skipped;
};

Api CollectFunctions(Registry& registry) {
  Api api;
  std::set<std::string> taken;
  for (const OperatorEntry* op : registry.Entries()) {
    Function f = MakeFunction(*op);
    if (MakeUnambiguous(f, taken)) {
      api.by_file[op->def()->file].push_back(std::move(f));
    } else {
      api.skipped.emplace_back(op->name());
    }
  }
  std::map<std::string, std::vector<Function*>> by_name;
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
// output. Optional tensors may be left undefined. Where overloads differ by a number and a bool in
// one place, the bool is a template's parameter, so that a number is never taken for it.
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
#include "switchyard/ops/api/arguments.h"
#include "switchyard/registry/signature.h"

namespace sy {

)";

constexpr std::string_view kHeaderEnd = R"(}  // namespace sy

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
    h << "// By string alone, since their C++ parameters are those of another overload:";
    for (const std::string& s : api.skipped) h << " " << s;
    h << "\n\n";
  }
  h << kHeaderEnd;
}

void WriteDefinitions(const std::string& dir, int shards, const Api& api) {
  std::vector<std::ofstream> cc;
  for (int i = 0; i < shards; ++i) {
    cc.emplace_back(dir + "/ops_" + std::to_string(i) + ".cc");
    cc.back() << R"(// Generated by tools/apigen.
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"

namespace sy {

)";
  }
  for (const auto& [file, functions] : api.by_file) {
    for (const Function& f : functions)
      WriteDefinition(cc[HashName(f.name) % static_cast<unsigned>(shards)], f);
  }
  for (std::ofstream& shard : cc) shard << "}  // namespace sy\n";
}

void WriteHandles(std::ostream& out, const Api& api) {
  out << "// Generated by tools/apigen: every function of the typed API.\n";
  for (const auto& [file, functions] : api.by_file) {
    for (const Function& f : functions)
      out << "SY_HANDLE(\"" << f.op->name() << "\", " << HandleSignature(f.op->schema()) << ")\n";
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
    for (const char* name : {"x", "y", "a", "b", "index", "t", "src"})
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
  std::ofstream header(dir + "/ops.h"), examples(dir + "/examples.cc"),
      handles(dir + "/handles.inc");
  WriteHeader(header, api);
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
