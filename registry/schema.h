// Operator schemas in ATen's grammar: parsing, printing, and what dispatch needs to know of
// arguments.
//
//   Schema s = ParseSchema("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
//   s.name == "add";  s.overload == "Tensor";  s.arguments[2].kwarg_only;  s.str() == the text
//
// Grammar (types, lists, optionals, defaults, keyword-only marks, alias sets):
// aten/src/ATen/native/README.md.
// Owns: its text.
// Threads: any.
// Errors: ParseSchema throws kRegistration pointing at the column.
#ifndef SWITCHYARD_REGISTRY_SCHEMA_H_
#define SWITCHYARD_REGISTRY_SCHEMA_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/value.h"

namespace sy {

enum class TypeKind : uint8_t {
  kTensor,
  kInt,
  kSymInt,  // a size: an int64 that shape rules may treat symbolically
  kFloat,
  kBool,
  kString,
  kScalar,
  kScalarType,
  kLayout,
  kDevice,
  kMemoryFormat,
  kGenerator,
  kDimname,
  kStorage,
  kStream,
};

// Alias annotation: (a), (a!), (a -> *), (a! -> a|b). Empty text: none.
struct AliasInfo {
  std::string text;    // between the parentheses
  bool write = false;  // '!'
};

struct Type {
  TypeKind kind = TypeKind::kTensor;
  AliasInfo alias;
  bool optional = false;          // T?, or (T[])?: the whole value may be None
  bool list = false;              // T[]
  bool element_optional = false;  // T?[]
  int list_size = 0;  // T[2]: lists of 2, and a single T stands for 2 of them; 0: any length

  SY_API std::string str() const;
  // One letter by which C++ parameter types are compared with the schema's (registry/signature.h).
  SY_API char Code() const;
  // Tags of boxed values that are of this type as they stand.
  SY_API TagMask Tags() const;
  bool is_tensor() const { return kind == TypeKind::kTensor && !list; }
  bool is_tensor_list() const { return kind == TypeKind::kTensor && list; }
};

struct Argument {
  std::string name;  // may be empty for returns
  Type type = {};
  bool has_default = false;
  bool kwarg_only = false;
  std::string default_text = {};  // as written
  SY_API std::string str() const;
};

struct Schema {
  std::string name;      // "add", "ns::rms_norm"; without the overload
  std::string overload;  // "Tensor"; empty for the default overload
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool returns_in_parentheses = false;

  SY_API std::string str() const;
  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
  // Letters of all arguments, '>', letters of all returns: "TTs>T".
  SY_API std::string Code() const;
  // Position of the argument of that name, or -1.
  SY_API int Find(std::string_view argument) const;
  // Whether the returns are the written arguments, (a!), (b!), …: in-place and out= forms.
  SY_API bool ReturnsWritten() const;
  // Code of a kernel that serves the schema as it stands, without a rule: written arguments are not
  // returned again.
  SY_API std::string DirectCode() const;
};

SY_API Schema ParseSchema(std::string_view text);

// The value of a default as written in a schema; owns lists and text behind it.
class SY_API DefaultValue {
 public:
  // Errors: kRegistration when the text is no value of that type.
  DefaultValue(const Argument& argument, std::string_view schema);
  DefaultValue(const DefaultValue&) = delete;
  DefaultValue& operator=(const DefaultValue&) = delete;
  const Value& value() const { return value_; }

 private:
  std::vector<int64_t> ints_;
  std::vector<double> doubles_;
  std::string text_;
  Value value_;
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_SCHEMA_H_
