#include "tools/command/literal.h"

#include <cctype>
#include <charconv>
#include <optional>

#include "switchyard/core/literal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/io/npy.h"

namespace sy::command {
namespace {

// A decimal number at the start of `text`, without an imaginary unit; its length goes to `used`.
std::optional<Scalar> RealNumber(std::string_view text, size_t* used) {
  const bool plus = text.starts_with('+');
  const char* begin = text.data() + (plus ? 1 : 0);
  const char* end = text.data() + text.size();
  double d = 0;
  const auto [d_end, d_error] = std::from_chars(begin, end, d);
  if (d_error != std::errc() && d_error != std::errc::result_out_of_range) return std::nullopt;
  *used = static_cast<size_t>(d_end - text.data());
  int64_t i = 0;
  if (const auto [p, e] = std::from_chars(begin, end, i); e == std::errc() && p == d_end) return i;
  uint64_t u = 0;
  if (const auto [p, e] = std::from_chars(begin, end, u); e == std::errc() && p == d_end) return u;
  return d;
}

// All of `text`: "1", "-2.5e3", "2j", "1+2j", "nan".
std::optional<Scalar> Number(std::string_view text) {
  size_t used = 0;
  const std::optional<Scalar> first = RealNumber(text, &used);
  if (!first) return std::nullopt;
  if (used == text.size()) return first;
  std::string_view rest = text.substr(used);
  if (rest == "j") return std::complex<double>(0, first->To<double>());
  if (!rest.ends_with('j') || (rest[0] != '+' && rest[0] != '-')) return std::nullopt;
  rest.remove_suffix(1);
  const std::optional<Scalar> second = RealNumber(rest, &used);
  if (!second || used != rest.size()) return std::nullopt;
  return std::complex<double>(first->To<double>(), second->To<double>());
}

Literal OfTensor(Tensor t) {
  Literal l;
  l.kind = Literal::kTensor;
  l.tensor = std::move(t);
  return l;
}
Literal OfText(std::string_view text) {
  Literal l;
  l.kind = Literal::kText;
  l.text = text;
  return l;
}
Literal OfNumber(const Scalar& s) {
  Literal l;
  l.kind = Literal::kNumber;
  l.number = s;
  return l;
}

Literal OfWord(std::string_view word) {
  if (word == "None") return {};
  if (word == "True" || word == "False") return OfNumber(word == "True");
  if (const std::optional<Scalar> s = Number(word)) return OfNumber(*s);
  if (word.ends_with(".npy")) return OfTensor(ReadNpy(std::string(word)));
  return OfText(word);
}

// The length of "name=" at the start, 0 without one.
size_t KeywordLength(std::string_view text) {
  size_t i = 0;
  const auto is_name = [&](char c) {
    const auto u = static_cast<unsigned char>(c);
    return c == '_' || (i == 0 ? std::isalpha(u) : std::isalnum(u)) != 0;
  };
  while (i < text.size() && is_name(text[i])) ++i;
  return i > 0 && i < text.size() && text[i] == '=' ? i + 1 : 0;
}

constexpr int kMostLevels = kMaxRank + 2;  // tensor([…]) in a list

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Literal ParseAll() {
    Literal l = Parse();
    SkipSpaces();
    if (at_ != text_.size()) FailAt("the end");
    return l;
  }

 private:
  // Values nest, and each level calls this again.
  Literal Parse() {
    if (level_ == kMostLevels) FailAt(Join({"values nested to at most ", kMostLevels, " levels"}));
    ++level_;
    Literal l = ParseValue();
    --level_;
    return l;
  }

  Literal ParseValue() {
    SkipSpaces();
    if (Take('[')) return List(']');
    if (Take('(')) return List(')');
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) return Quoted();
    const std::string_view word = Word();
    if (word == "tensor" && Take('(')) return TensorCall();
    if (word.empty()) FailAt("a value");
    if (at_ < text_.size() && text_[at_] == '(') return Call(word);
    return OfWord(word);
  }

  // In front of "(".
  Literal Call(std::string_view op) {
    Literal l = OfText(op);
    l.kind = Literal::kCall;
    Take('(');
    while (!Take(')')) {
      CallArgument& a = l.arguments.emplace_back();
      if (const size_t n = KeywordLength(text_.substr(at_)); n > 0) {
        a.keyword = text_.substr(at_, n - 1);
        at_ += n;
      }
      a.value = Parse();
      if (Take(',')) continue;
      if (!Take(')')) FailAt("',' or ')'");
      break;
    }
    return l;
  }

  Literal List(char end) {
    Literal l;
    l.kind = Literal::kList;
    while (!Take(end)) {
      l.list.push_back(Parse());
      if (Take(',')) continue;
      if (!Take(end)) FailAt("',' or '" + std::string(1, end) + "'");
      break;
    }
    // A complex number is written in parentheses too.
    const bool one = end == ')' && l.list.size() == 1 && text_[at_ - 2] != ',';
    return one ? l.list[0] : l;
  }

  Literal Quoted() {
    const char quote = text_[at_];
    const size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) FailAt("the end of the text");
    const std::string_view s = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return OfText(s);
  }

  // Behind "tensor(".
  Literal TensorCall() {
    const Literal contents = Parse();
    Optional<DType> dtype;
    Device device{kHost};
    while (Take(',')) {
      SkipSpaces();
      const std::string_view name = Word();
      if (!Take('=')) FailAt("dtype=… or device=…");
      const Literal value = Parse();
      if (name == "dtype" && value.kind == Literal::kText) {
        dtype = ParseDType(value.text);
      } else if (name == "device" && value.kind == Literal::kText) {
        device = ParseDevice(value.text);
      } else {
        FailAt("dtype=… or device=…");
      }
    }
    if (!Take(')')) FailAt("')'");
    return OfTensor(FromHost(TensorOf(contents, dtype), device));
  }

  std::string_view Word() {
    const size_t begin = at_;
    while (at_ < text_.size() && std::string_view(" \t,[]()=").find(text_[at_]) == text_.npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void SkipSpaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void FailAt(const std::string& expected) const {
    Fail(ErrorCode::kInvalidArgument,
         {"argument '", text_, "': expected ", expected, " at position ", at_});
  }

  std::string_view text_;
  size_t at_ = 0;
  int level_ = 0;
};

TensorLiteral ToTensorLiteral(const Literal& l) {
  if (l.kind == Literal::kNumber) return l.number;
  if (l.kind != Literal::kList)
    Fail(ErrorCode::kInvalidArgument, "tensor(): expected numbers and lists of them");
  std::vector<TensorLiteral> list;
  for (const Literal& x : l.list) list.push_back(ToTensorLiteral(x));
  return TensorLiteral(std::move(list));
}

}  // namespace

CallArgument ParseArgument(std::string_view text) {
  const size_t n = KeywordLength(text);
  CallArgument a;
  if (n > 0) a.keyword = text.substr(0, n - 1);
  const std::string_view value = text.substr(n);
  // A path may hold what separates words.
  const bool path = value.ends_with(".npy") && !value.starts_with('[') && !value.starts_with('(');
  a.value = path ? OfWord(value) : Parser(value).ParseAll();
  return a;
}

Tensor TensorOf(const Literal& literal, Optional<DType> dtype) {
  return sy::tensor(ToTensorLiteral(literal), {.dtype = dtype, .device = kCpu});
}

}  // namespace sy::command
