#include "switchyard/registry/schema.h"

#include <array>
#include <charconv>

#include "switchyard/core/error.h"

namespace sy {
namespace {

constexpr std::array<std::string_view, 15> kKindNames = {
    "Tensor", "int",    "SymInt",       "float",     "bool",    "str",     "Scalar", "ScalarType",
    "Layout", "Device", "MemoryFormat", "Generator", "Dimname", "Storage", "Stream"};

}  // namespace

SY_COLD std::string Type::str() const {
  std::string s(kKindNames[static_cast<size_t>(kind)]);
  if (!alias.text.empty()) s += "(" + alias.text + ")";
  if (element_optional) s += "?";
  if (list) s += list_size > 0 ? "[" + std::to_string(list_size) + "]" : "[]";
  if (optional) s += "?";
  return s;
}

char Type::Code() const {
  // Pairs: as it is, optional. Tensors and generators are nullable references either way.
  const auto pick = [&](char plain, char opt) { return optional ? opt : plain; };
  switch (kind) {
    case TypeKind::kTensor:
      return list ? 'L' : 'T';
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return list ? pick('l', 'M') : pick('i', 'I');
    case TypeKind::kFloat:
      return list ? pick('f', 'F') : pick('d', 'D');
    case TypeKind::kBool:
      return list ? pick('c', 'C') : pick('b', 'B');
    case TypeKind::kString:
    case TypeKind::kDimname:
      return list ? pick('q', 'Q') : pick('r', 'R');
    case TypeKind::kScalar:
      return list ? pick('t', 'U') : pick('s', 'S');
    case TypeKind::kScalarType:
      return pick('y', 'Y');
    case TypeKind::kLayout:
      return pick('a', 'A');
    case TypeKind::kDevice:
      return pick('v', 'V');
    case TypeKind::kMemoryFormat:
      return pick('m', 'N');
    case TypeKind::kGenerator:
      return 'g';
    case TypeKind::kStorage:
    case TypeKind::kStream:
      return '?';
  }
  return '?';
}

TagMask Type::Tags() const {
  constexpr TagMask kInts = Bit(Tag::kInt),
                    kReals = kInts | Bit(Tag::kUInt) | Bit(Tag::kDouble) | Bit(Tag::kBool);
  constexpr TagMask kNumbers = kReals | Bit(Tag::kComplex);
  const TagMask none = optional || kind == TypeKind::kGenerator ? Bit(Tag::kNone) : 0;
  switch (kind) {
    case TypeKind::kTensor:
      return none | Bit(list ? Tag::kTensorList : Tag::kTensor);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return none | (list ? Bit(Tag::kIntList) : kInts | Bit(Tag::kBool));
    case TypeKind::kFloat:
      return none | (list ? Bit(Tag::kDoubleList) : kReals);
    case TypeKind::kBool:
      return none | Bit(list ? Tag::kBoolList : Tag::kBool);
    case TypeKind::kString:
    case TypeKind::kDimname:
      return none | Bit(list ? Tag::kIntList
                             : Tag::kString);  // lists of names: only empty ones, as an int list
    case TypeKind::kScalar:
      return none | (list ? Bit(Tag::kScalarList) : kNumbers);
    case TypeKind::kScalarType:
      return none | Bit(Tag::kDType);
    case TypeKind::kLayout:
      return none | Bit(Tag::kLayout);
    case TypeKind::kDevice:
      return none | Bit(Tag::kDevice);
    case TypeKind::kMemoryFormat:
      return none | Bit(Tag::kMemoryFormat);
    case TypeKind::kGenerator:
      return none | Bit(Tag::kGenerator);
    case TypeKind::kStorage:
    case TypeKind::kStream:
      return none;
  }
  return none;
}

std::string Argument::str() const {
  std::string s = type.str();
  if (!name.empty()) s += " " + name;
  if (has_default) s += "=" + default_text;
  return s;
}

SY_COLD std::string Schema::str() const {
  std::string s = full_name() + "(";
  bool star = false, first = true;
  for (const Argument& a : arguments) {
    if (!first) s += ", ";
    if (a.kwarg_only && !star) {
      s += "*, ";
      star = true;
    }
    s += a.str();
    first = false;
  }
  s += ") -> ";
  if (!returns_in_parentheses) return s + returns[0].str();
  s += "(";
  for (size_t i = 0; i < returns.size(); ++i) s += (i == 0 ? "" : ", ") + returns[i].str();
  return s + ")";
}

std::string Schema::Code() const {
  std::string s;
  for (const Argument& a : arguments) s += a.type.Code();
  s += '>';
  for (const Argument& r : returns) s += r.type.Code();
  return s;
}

int Schema::Find(std::string_view argument) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == argument) return static_cast<int>(i);
  }
  return -1;
}

bool Schema::ReturnsWritten() const {
  for (const Argument& r : returns) {
    if (!r.type.alias.write) return false;
  }
  return !returns.empty();
}

std::string Schema::DirectCode() const {
  std::string s = Code();
  return ReturnsWritten() ? s.substr(0, s.find('>') + 1) : s;
}

}  // namespace sy
