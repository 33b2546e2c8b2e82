#include "io/npy_header.h"

#include <array>
#include <charconv>

#include "switchyard/core/error.h"

namespace sy::npy {
namespace {

struct Descr {
  DType dtype;
  std::string_view text;  // '|': the byte order does not matter
};
constexpr std::array kDescrs = {
    Descr{DType::kBool, "|b1"},      Descr{DType::kUInt8, "|u1"},
    Descr{DType::kInt8, "|i1"},      Descr{DType::kInt16, "<i2"},
    Descr{DType::kInt32, "<i4"},     Descr{DType::kInt64, "<i8"},
    Descr{DType::kUInt16, "<u2"},    Descr{DType::kUInt32, "<u4"},
    Descr{DType::kUInt64, "<u8"},    Descr{DType::kFloat16, "<f2"},
    Descr{DType::kFloat32, "<f4"},   Descr{DType::kFloat64, "<f8"},
    Descr{DType::kComplex64, "<c8"}, Descr{DType::kComplex128, "<c16"},
};

}  // namespace

void SetDescr(std::string_view text, Header& h) {
  h.descr = text;
  const char order = text.empty() ? ' ' : text[0];
  const bool known = order == '<' || order == '|' || order == '=' || order == '>';
  for (const Descr& d : kDescrs) {
    if (!known || text.size() < 3 || text.substr(1) != d.text.substr(1)) continue;
    h.dtype = d.dtype;
    const size_t numbers = IsComplex(d.dtype) ? 2 : 1;
    if (order == '>' && d.text[0] != '|')
      h.swap = static_cast<uint32_t>(ItemSize(d.dtype) / numbers);
    return;
  }
  // Bytes without a meaning: V1, V2, V4 …
  if (known && order != '>' && text.size() == 3 && text[1] == 'V' && text[2] > '0' &&
      text[2] <= '9') {
    h.opaque_bytes = text[2] - '0';
    return;
  }
  Fail(ErrorCode::kInvalidArgument, {"there is no dtype for NumPy's '", text, "'"});
}

namespace {

// Reads the few Python literals that headers are made of.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Header Parse() {
    Expect('{');
    Header h;
    bool descr = false, order = false, shape = false;
    while (!Take('}')) {
      const std::string_view key = String();
      Expect(':');
      if (key == "descr") {
        descr = true;
        SetDescr(DescrText(), h);
      } else if (key == "fortran_order") {
        order = true;
        h.fortran_order = Bool();
      } else if (key == "shape") {
        shape = true;
        h.shape = Tuple();
      } else {
        FailAt("one of 'descr', 'fortran_order', 'shape'");
      }
      if (!Take(',')) {
        Expect('}');
        break;
      }
    }
    SkipSpaces();
    if (at_ != text_.size()) FailAt("the end");
    if (!descr || !order || !shape) {
      Fail(ErrorCode::kInvalidArgument,
           {"the header lacks 'descr', 'fortran_order' or 'shape': ", text_});
    }
    return h;
  }

 private:
  void SkipSpaces() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) FailAt("'" + std::string(1, c) + "'");
  }
  [[noreturn]] void FailAt(const std::string& expected) const {
    Fail(ErrorCode::kInvalidArgument,
         {"the header is malformed at position ", at_, ": expected ", expected, ": ", text_});
  }
  std::string_view String() {
    SkipSpaces();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') FailAt("a string");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) FailAt("the end of a string");
    const std::string_view s = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return s;
  }
  std::string_view DescrText() {
    SkipSpaces();
    if (at_ < text_.size() && text_[at_] == '[') {
      Fail(ErrorCode::kInvalidArgument, {"structured dtypes have no tensor: ", text_});
    }
    return String();
  }
  bool Bool() {
    SkipSpaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    FailAt("True or False");
  }
  std::vector<int64_t> Tuple() {
    Expect('(');
    std::vector<int64_t> v;
    while (!Take(')')) {
      SkipSpaces();
      int64_t n = 0;
      const char* end = text_.data() + text_.size();
      const auto [next, error] = std::from_chars(text_.data() + at_, end, n);
      if (error != std::errc() || n < 0) FailAt("a size");
      at_ = static_cast<size_t>(next - text_.data());
      v.push_back(n);
      if (!Take(',')) {
        Expect(')');
        break;
      }
    }
    return v;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Header ParseHeader(std::string_view text) { return Parser(text).Parse(); }

std::string FormatHeader(const Header& header) {
  std::string descr;
  for (const Descr& d : kDescrs) {
    if (d.dtype == *header.dtype) descr = d.text;
  }
  if (descr.empty()) Fail(ErrorCode::kInvalidArgument, {"NumPy has no dtype for ", *header.dtype});
  std::string shape;
  for (int64_t n : header.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  if (header.shape.size() == 1) shape += ",";
  return "{'descr': '" + descr +
         "', 'fortran_order': " + (header.fortran_order ? "True" : "False") + ", 'shape': (" +
         shape + "), }";
}

}  // namespace sy::npy
