// Operator schemas in ATen's grammar: parsing, printing, and what dispatch needs to know of
// arguments.
//
//   Schema s = ParseSchema("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
//   s.name == "add";  s.overload == "Tensor";  s.arguments[2].kwarg_only;  s.str() == the text
//
// Grammar (types, lists, optionals, defaults, keyword-only marks, alias sets):
// aten/src/ATen/native/README.md. The twin of c10::FunctionSchema.
// Cost: a schema is parsed once, when something of its name is first looked up.
//
// What the grammar has:
//
//   Tensor self                       an argument
//   Tensor? weight=None               which may be absent
//   Tensor[] tensors                  a list; Tensor?[]: of optional ones
//   int[2] stride=1                   a list of 2, for which one number may stand
//   *, Scalar alpha=1                 by name alone from here on
//   Tensor(a) self → Tensor(a)        the result is a view of self
//   Tensor(a!) self                   which is written
//   → (Tensor values, Tensor indices) two results, by name
// Owns: its text.
// Threads: any, once it is made.
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

// The types of the grammar without lists and optionals. C++ types for them: op/signature.h.
enum class TypeKind : uint8_t {
  kTensor,
  kInt,
  kSymInt,  // a size: an int64 that shape functions may treat symbolically
  kFloat,
  kBool,
  kString,
  kScalar,      // a number of any kind
  kScalarType,  // a dtype
  kLayout,
  kDevice,
  kMemoryFormat,
  kGenerator,
  kDimname,  // of lists, only the empty one
  kStorage,
  kStream,
};

// Alias annotation: (a), (a!), (a -> *), (a! -> a|b). Empty text: none.
struct AliasInfo {
  std::string text;    // between the parentheses
  bool write = false;  // '!'
};

// One type: Type{.kind = kInt, .list = true} is int[].
struct Type {
  TypeKind kind = TypeKind::kTensor;
  AliasInfo alias;
  bool optional = false;          // T?, or (T[])?: the whole value may be None
  bool list = false;              // T[]
  bool element_optional = false;  // T?[]
  int list_size = 0;  // T[2]: lists of 2, and a single T stands for 2 of them; 0: any length

  // As the grammar writes it: "Tensor(a!)", "int[2]?".
  SY_API std::string str() const;
  // One letter by which C++ parameter types are compared with the schema's (op/signature.h).
  SY_API char Code() const;
  // Tags of boxed values that are of this type as they stand.
  SY_API TagMask Tags() const;
  bool is_tensor() const { return kind == TypeKind::kTensor && !list; }
  bool is_tensor_list() const { return kind == TypeKind::kTensor && list; }
};

// An argument or a return.
struct Argument {
  std::string name;  // may be empty for returns
  Type type = {};
  bool has_default = false;
  bool kwarg_only = false;
  std::string default_text = {};  // as written
  // "Scalar alpha=1", with its default.
  SY_API std::string str() const;
};

// One overload: plain data, to be copied and changed.
struct Schema {
  std::string name;      // "add", "ns::rms_norm"; without the overload
  std::string overload;  // "Tensor"; empty for the default overload
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool returns_in_parentheses = false;

  // The whole schema in the grammar's own spelling; parsing it gives an equal one.
  SY_API std::string str() const;
  // "add.Tensor": by which registries and errors name an overload.
  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
  // Letters of all arguments, '>', letters of all returns: "TTs>T".
  SY_API std::string Code() const;
  // Position of the argument of that name, or -1. Names are exact.
  SY_API int Find(std::string_view argument) const;
  // Whether the returns are the written arguments, (a!), (b!), …: in-place and out= variants.
  SY_API bool ReturnsWritten() const;
  // Code of a kernel that serves the schema as it stands, without a shape function: written
  // arguments are not returned again.
  SY_API std::string DirectCode() const;
};

// Errors: kRegistration with the text and the column where it went wrong.
SY_API Schema ParseSchema(std::string_view text);

// The value of a default as written in a schema; owns lists and text behind it, to which value()
// points.
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
