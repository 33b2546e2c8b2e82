#include <array>
#include <charconv>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/registry/schema.h"

namespace sy {
namespace {

constexpr std::pair<std::string_view, TypeKind> kKinds[] = {
    {"Tensor", TypeKind::kTensor},
    {"int", TypeKind::kInt},
    {"SymInt", TypeKind::kSymInt},
    {"float", TypeKind::kFloat},
    {"bool", TypeKind::kBool},
    {"str", TypeKind::kString},
    {"Scalar", TypeKind::kScalar},
    {"ScalarType", TypeKind::kScalarType},
    {"Layout", TypeKind::kLayout},
    {"Device", TypeKind::kDevice},
    {"MemoryFormat", TypeKind::kMemoryFormat},
    {"Generator", TypeKind::kGenerator},
    {"Dimname", TypeKind::kDimname},
    {"Storage", TypeKind::kStorage},
    {"Stream", TypeKind::kStream},
    {"QScheme", TypeKind::kInt},  // as for PyTorch's JIT
};

constexpr int kMostListSize = 1024;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Schema Parse() {
    Schema s;
    s.name = Identifier("an operator name");
    while (Accept("::")) s.name += "::" + Identifier("a name after '::'");
    if (Accept(".")) s.overload = Identifier("an overload name after '.'");
    Expect("(", "'(' before the arguments");
    ParseArguments(s);
    Expect("->", "'->' before the returns");
    if (Accept("(")) {
      s.returns_in_parentheses = true;
      while (!Accept(")")) {
        if (!s.returns.empty()) Expect(",", "',' or ')'");
        s.returns.push_back(ParseArgument(/*is_return=*/true));
      }
    } else {
      s.returns.push_back(ParseArgument(/*is_return=*/true));
    }
    SkipSpace();
    if (at_ != text_.size()) FailAt("the end of the schema");
    return s;
  }

 private:
  void ParseArguments(Schema& s) {
    bool kwarg_only = false, first = true;
    while (!Accept(")")) {
      if (!first) Expect(",", "',' or ')'");
      first = false;
      if (Accept("*")) {
        if (kwarg_only) FailAt("an argument; '*' stands once");
        kwarg_only = true;
        continue;
      }
      const size_t start = at_;
      Argument a = ParseArgument(/*is_return=*/false);
      a.kwarg_only = kwarg_only;
      if (s.Find(a.name) >= 0) {
        at_ = start;
        FailAt("an argument with a name of its own; '" + a.name + "' stands twice");
      }
      s.arguments.push_back(std::move(a));
    }
  }

  Argument ParseArgument(bool is_return) {
    Argument a;
    a.type = ParseType();
    SkipSpace();
    if (!is_return || (at_ < text_.size() && IsNameChar(text_[at_])))
      a.name = Identifier("an argument name");
    if (!is_return && Accept("=")) {
      a.has_default = true;
      a.default_text = DefaultText();
      try {
        DefaultValue check(a, text_);
      } catch (const Error&) {
        at_ -= a.default_text.size();
        FailAt("a default of type " + a.type.str());
      }
    }
    return a;
  }

  Type ParseType() {
    SkipSpace();
    const size_t start = at_;
    const std::string name = Identifier("a type");
    Type t;
    bool known = false;
    for (const auto& [n, kind] : kKinds) {
      if (n == name) {
        t.kind = kind;
        known = true;
      }
    }
    if (!known) {
      at_ = start;
      FailAt(
          "a type (Tensor, int, SymInt, float, bool, str, Scalar, ScalarType, Layout, Device, "
          "MemoryFormat, Generator)");
    }
    if (at_ < text_.size() && text_[at_] == '(') t.alias = ParseAlias();
    bool question = Take('?');
    if (Take('[')) {
      t.list = true;
      t.element_optional = question;
      t.list_size = ListSize();
      question = Take('?');
    }
    t.optional = question;
    return t;
  }

  // (a), (a!), (a|b), (a -> *), (a! -> a|b)
  AliasInfo ParseAlias() {
    const size_t start = ++at_;
    AliasInfo alias;
    AliasSet();
    alias.write = Take('!');
    if (Accept("->")) {
      SkipSpace();
      AliasSet();
    }
    alias.text = text_.substr(start, at_ - start);
    if (!Take(')')) FailAt("')' after an alias set such as (a!)");
    return alias;
  }

  void AliasSet() {
    do {
      const size_t start = at_;
      if (Take('*')) continue;
      while (at_ < text_.size() && IsNameChar(text_[at_])) ++at_;
      if (at_ == start) FailAt("an alias set such as (a!)");
    } while (Take('|'));
  }

  int ListSize() {
    if (Take(']')) return 0;
    int n = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
    // A single value stands for so many, which a call has to make.
    if (error != std::errc() || n <= 0 || n > kMostListSize)
      FailAt(Join({"']' or a list size of 1 to ", kMostListSize}));
    at_ = static_cast<size_t>(end - text_.data());
    if (!Take(']')) FailAt("']'");
    return n;
  }

  // Up to the ',' or ')' that ends the argument; brackets and quotes nest.
  std::string DefaultText() {
    SkipSpace();
    const size_t start = at_;
    int depth = 0;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '"' || c == '\'') quote = c;
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (depth == 0 && (c == ',' || c == ')')) break;
    }
    if (at_ == start || at_ == text_.size()) FailAt("a default value");
    return std::string(text_.substr(start, at_ - start));
  }

  std::string Identifier(std::string_view what) {
    SkipSpace();
    const size_t start = at_;
    while (at_ < text_.size() && IsNameChar(text_[at_])) ++at_;
    if (at_ == start || (text_[start] >= '0' && text_[start] <= '9')) {
      at_ = start;
      FailAt(what);
    }
    return std::string(text_.substr(start, at_ - start));
  }

  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool Accept(std::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void Expect(std::string_view token, std::string_view what) {
    if (!Accept(token)) FailAt(what);
  }
  [[noreturn]] void FailAt(std::string_view expected) {
    SkipSpace();
    const std::string got =
        at_ == text_.size() ? "the end" : "'" + std::string(text_.substr(at_, 16)) + "'";
    Fail(ErrorCode::kRegistration, {"schema, column ", at_ + 1, ": expected ", expected, ", got ",
                                    got, "\n  ", text_, "\n  ", std::string(at_, ' '), "^"});
  }

  std::string_view text_;
  size_t at_ = 0;
};

template <class T>
bool ParseNumber(std::string_view s, T& out) {
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  return error == std::errc() && end == s.data() + s.size() && !s.empty();
}

std::vector<std::string_view> Elements(std::string_view list) {  // of "[a, b]"
  std::vector<std::string_view> out;
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view e = list.substr(0, comma);
    while (!e.empty() && e.front() == ' ') e.remove_prefix(1);
    while (!e.empty() && e.back() == ' ') e.remove_suffix(1);
    out.push_back(e);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

// ATen's reductions of losses, whose schemas name an enumerator.
int64_t Reduction(std::string_view name) {
  return name == "Mean" ? 1 : name == "Sum" ? 2 : name == "None" ? 0 : -1;
}

}  // namespace

Schema ParseSchema(std::string_view text) { return Parser(text).Parse(); }

DefaultValue::DefaultValue(const Argument& a, std::string_view schema) {
  const Type& type = a.type;
  const std::string_view s = a.default_text;
  const auto fail = [&] {
    Fail(ErrorCode::kRegistration, {"schema: '", s, "' is no default of type ", type.str(),
                                    " for argument '", a.name, "' in ", schema});
  };
  if (s == "None" && (type.optional || type.is_tensor())) return;
  if (type.list) {
    const bool brackets = s.size() >= 2 && s.front() == '[' && s.back() == ']';
    std::vector<std::string_view> elements =
        brackets ? Elements(s) : std::vector<std::string_view>(type.list_size, s);
    if (!brackets && type.list_size == 0) fail();
    switch (type.kind) {
      case TypeKind::kInt:
      case TypeKind::kSymInt:
        for (std::string_view e : elements) {
          if (!ParseNumber(e, ints_.emplace_back())) fail();
        }
        value_ = Value(IntSpan(ints_));
        return;
      case TypeKind::kFloat:
        for (std::string_view e : elements) {
          if (!ParseNumber(e, doubles_.emplace_back())) fail();
        }
        value_ = Value(std::span<const double>(doubles_));
        return;
      default:
        if (!elements.empty()) fail();
        if (type.kind == TypeKind::kTensor) value_ = Value(TensorList());
        if (type.kind == TypeKind::kBool) value_ = Value(std::span<const bool>());
        if (type.kind == TypeKind::kScalar) value_ = Value(std::span<const Scalar>());
        return;
    }
  }
  int64_t i = 0;
  double d = 0;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      if (ParseNumber(s, i)) {
        value_ = Value(i);
      } else if (Reduction(s) >= 0) {
        value_ = Value(Reduction(s));
      } else {
        fail();
      }
      return;
    case TypeKind::kFloat:
      if (!ParseNumber(s, d)) fail();
      value_ = Value(d);
      return;
    case TypeKind::kScalar:
      if (ParseNumber(s, i)) {
        value_ = Value(i);
        return;
      }
      if (ParseNumber(s, d)) {
        value_ = Value(d);
        return;
      }
      [[fallthrough]];
    case TypeKind::kBool:
      if (s != "True" && s != "False") fail();
      value_ = Value(s == "True");
      return;
    case TypeKind::kString:
      if (s.size() < 2 || (s.front() != '"' && s.front() != '\'') || s.back() != s.front()) fail();
      text_ = s.substr(1, s.size() - 2);
      value_ = Value(std::string_view(text_));
      return;
    case TypeKind::kScalarType:
      if (auto dtype = ParseNumber(s, i) ? DTypeFromATen(i) : FindDType(s)) {
        value_ = Value(*dtype);
        return;
      }
      break;
    case TypeKind::kMemoryFormat:
      if (ParseNumber(s, i) && i >= 0 && i <= 3) {
        value_ = Value(static_cast<MemoryFormat>(i));
        return;
      }
      if (auto format = FindMemoryFormat(s)) {
        value_ = Value(*format);
        return;
      }
      break;
    case TypeKind::kLayout:
      if (auto layout = FindLayout(s)) {
        value_ = Value(*layout);
        return;
      }
      break;
    default:
      break;
  }
  fail();
}

}  // namespace sy
