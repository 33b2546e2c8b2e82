// Writes the typed API from the registered schemas: ops.h, its definitions in shards, and a file in
// which every documented example is compiled.
//
//   apigen OUTPUT_DIR SHARDS
//
// Documentation is the comment at the top of the file that registers an operator, read relative to
// the working directory.

#include <fstream>
#include <iostream>
#include <map>
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
  Function f{&op, s.name + (out ? "_out" : ""), {}, 0};
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

std::string Parameters(const Function& f, bool with_defaults) {
  std::string list;
  for (size_t i = 0; i < f.params.size(); ++i) {
    const Argument& a = *f.params[i];
    list += (i == 0 ? "" : ", ") + ApiType(a.type) + " " + Identifier(a.name);
    if (with_defaults && i >= f.defaults_from) list += " = " + DefaultOf(a);
  }
  return list;
}

void WriteDeclaration(std::ostream& h, const Function& f) {
  h << "// " << f.op->schema().str() << "\n";
  h << "SY_API " << ReturnType(f.op->schema()) << " " << f.name << "(" << Parameters(f, true)
    << ");\n";
}

void WriteDefinition(std::ostream& cc, const Function& f) {
  const Schema& s = f.op->schema();
  const bool written = s.ReturnsWritten();
  std::string types, values;
  for (const Argument& a : s.arguments) {
    types += (types.empty() ? "" : ", ") + HandleType(a.type);
    values += (values.empty() ? "" : ", ") + Identifier(a.name);
  }
  const std::string result = ReturnType(s);
  const bool has_form = f.op->form.load() != nullptr;
  cc << result << " " << f.name << "(" << Parameters(f, false) << ") {\n";
  cc << "  static constinit Handle<" << (written ? "void" : result) << "(" << types
     << ")> handle{\"" << f.op->name() << "\"};\n";
  cc << "  " << (written || result == "void" ? "" : "return ") << "handle"
     << (has_form ? ".CallForm(" : "(") << values << ");\n";
  if (written && s.returns.size() == 1) {
    for (const Argument& a : s.arguments) {
      if (a.type.alias.write) cc << "  return " << Identifier(a.name) << ";\n";
    }
  }
  cc << "}\n\n";
}

int Run(const std::string& dir, int shards) {
  Registry& registry = Registry::Global();
  const std::vector<std::string> problems = registry.Problems();
  for (const std::string& p : problems) std::cerr << "apigen: " << p << "\n";
  if (!problems.empty()) return 1;

  // By the file that registers them: related overloads stand together, under its comment.
  std::map<std::string, std::vector<Function>> by_file;
  std::set<std::string> taken;
  std::vector<std::string> skipped;
  for (const OperatorEntry* op : registry.Entries()) {
    Function f = MakeFunction(*op);
    if (MakeUnambiguous(f, taken)) {
      by_file[op->def()->file].push_back(std::move(f));
    } else {
      skipped.emplace_back(op->name());
    }
  }

  std::ofstream h(dir + "/ops.h"), examples(dir + "/examples.cc");
  std::vector<std::ofstream> cc;
  for (int i = 0; i < shards; ++i) {
    cc.emplace_back(dir + "/ops_" + std::to_string(i) + ".cc");
    cc.back() << "// Generated by tools/apigen.\n#include "
                 "\"switchyard/dispatcher/handle.h\"\n#include \"switchyard/ops.h\"\n\n"
                 "namespace sy {\n\n";
  }
  h << "// The typed API: one function per overload, generated by tools/apigen from the registered "
       "schemas.\n"
       "//\n"
       "//   sy::Tensor c = sy::add(a, b, 2);  sy::add_(a, b);  sy::add_out(out, a, b);  a + b;\n"
       "//\n"
       "// In-place functions return their first argument, out= functions (name_out, outputs "
       "first) their output. Optional\n"
       "// tensors may be left undefined. Threads: any. Errors: sy::Error, as each says, and "
       "kNotImplemented without a kernel.\n"
       "#ifndef SWITCHYARD_OPS_H_\n#define SWITCHYARD_OPS_H_\n\n"
       "#include <optional>\n#include <span>\n#include <string_view>\n#include <tuple>\n#include "
       "<vector>\n\n"
       "#include \"switchyard/core/optional.h\"\n#include \"switchyard/core/scalar.h\"\n"
       "#include \"switchyard/core/tensor.h\"\n#include \"switchyard/ops/api/arguments.h\"\n"
       "#include \"switchyard/registry/signature.h\"\n\n"
       "namespace sy {\n\n";
  examples << "// Generated by tools/apigen: every example of the operator reference, compiled.\n"
              "#include \"switchyard/ops.h\"\n\nnamespace sy {\n\n";

  int number = 0;
  for (const auto& [file, functions] : by_file) {
    const apigen::Doc doc = apigen::ReadDoc(file);
    for (const std::string& line : doc.lines) h << "// " << line << "\n";
    for (const Function& f : functions) {
      WriteDeclaration(h, f);
      WriteDefinition(cc[HashName(f.name) % static_cast<unsigned>(shards)], f);
    }
    h << "\n";
    examples << "[[maybe_unused]] void Example" << number++
             << "([[maybe_unused]] Tensor x, [[maybe_unused]] Tensor y, [[maybe_unused]] Tensor a, "
                "[[maybe_unused]] Tensor "
                "b, [[maybe_unused]] Tensor index, [[maybe_unused]] Tensor t, [[maybe_unused]] "
                "Tensor src) {  // "
             << file << "\n  " << doc.example << ";\n}\n\n";
  }
  if (!skipped.empty()) {
    h << "// By string alone, since their C++ parameters are those of another overload:";
    for (const std::string& s : skipped) h << " " << s;
    h << "\n\n";
  }
  h << "}  // namespace sy\n\n#include \"switchyard/ops/api/operators.h\"\n\n#endif  // "
       "SWITCHYARD_OPS_H_\n";
  for (std::ofstream& shard : cc) shard << "}  // namespace sy\n";
  examples << "}  // namespace sy\n";
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
