// What an operator's registration is, as data: whoever makes one without op/operator.h's Operator
// (plugins, tests) fills it in and adds it to a registry.
//
//   OperatorDef d{.schema = SchemaText::Of("toy::scale(Tensor x, float by) -> Tensor")};
//   registry.Add(d);  …  registry.Remove(d);
//
// Owns: nothing; the registry links the object itself, which must live until it is removed.
// Threads: constant once it is added.
// Errors: none here; a schema that cannot be read is found when its name is first looked up.
#ifndef SWITCHYARD_REGISTRY_OPERATOR_DEF_H_
#define SWITCHYARD_REGISTRY_OPERATOR_DEF_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "switchyard/registry/kernel_def.h"
#include "switchyard/registry/name.h"
#include "switchyard/registry/tags.h"

namespace sy {

struct FormulaDef;

// The variants of one operator: what ATen calls its functional, in-place and out= variants, and
// views.
enum class Variant : uint8_t {
  kFunctional,   // returns new tensors
  kInPlace,      // writes its first argument and returns it: name_
  kOut,          // writes tensors given as keyword arguments
  kView,         // returns a view of its first argument
  kViewInPlace,  // changes the geometry of its first argument: squeeze_
  kDirect,       // no shape function: kernels return the results
};

// From which tensors the key of an operator without a shape function takes its dtype: what all
// promote to, or the first defined one's. The device is always that of all tensors.
enum class KeyRule : uint8_t { kPromote, kFirst };

// Boxed view of a variant. results: as many as the schema returns.
using VariantThunk = void (*)(const OperatorEntry& op, const Value* args, Result* results);

// Calls show(context, args), which live that long. op: the operator's base variant.
using ShowFn = void (*)(void* context, const Value* args);
// Calls show(context, args), which live that long, with the arguments as the operator's shape
// function leaves them. op: the operator's base variant. Errors: the shape function's.
using NormaliseFn = void (*)(const OperatorEntry& op, const Value* args, ShowFn show,
                             void* context);

// One variant, typed and boxed; empty: there is no such variant.
struct VariantFunctions {
  Fn variant = nullptr;
  VariantThunk thunk = nullptr;
};
// What the registry asks of a shape function's parameter list.
struct ShapeTraits {
  int num_outputs;
  const char* shape_code;   // SignatureCode of the shape function's parameters
  const char* kernel_code;  // and of the kernels behind it
  Fn boxing_kernel;         // a typed kernel that boxes its arguments and calls the boxed one
  Fn viewing_kernel;        // one that shows them as views; null where they cannot be
  NormaliseFn normalise;    // see KernelTable
  VariantFunctions (*functions)(Variant);
  VariantFunctions (*gone)(Variant);  // the same, throwing kNotFound: after deregistration
};

// A schema known to the compiler: it hashes the name. Nothing is parsed here; the text is.
struct SchemaText {
  std::string_view text;
  uint32_t name_length;  // without overload
  uint64_t name_hash;
  template <size_t N>
  consteval SchemaText(const char (&s)[N]) : SchemaText(std::string_view(s, N - 1), 0) {}  // NOLINT
  // At run time (plugins); the text must outlive the registration.
  static SchemaText Of(std::string_view s) { return SchemaText(s, 0); }

 private:
  constexpr SchemaText(std::string_view s, int) : text(s), name_length(0), name_hash(0) {
    while (name_length < s.size() && s[name_length] != '.' && s[name_length] != '(') ++name_length;
    name_hash = HashName(s.substr(0, name_length));
  }
};

// The variants of an operator, and what is true of all of them. Texts are an overload name ("out")
// or, where ATen's schema follows no pattern, the whole schema. Null: the usual name ("x_"; "out",
// or "Overload_out").
struct Variants {
  bool functional = true, in_place = false, out = false;
  OperatorTags tags = {};
  const char* out_text = nullptr;
  const char* in_place_text = nullptr;
  // Texts of the right side win.
  constexpr Variants operator|(const Variants& o) const {
    return {functional && o.functional,
            in_place || o.in_place,
            out || o.out,
            tags | o.tags,
            o.out_text != nullptr ? o.out_text : out_text,
            o.in_place_text != nullptr ? o.in_place_text : in_place_text};
  }
};
// Beside the functional variant: kInPlace | kOut.
inline constexpr Variants kInPlace{.in_place = true};
inline constexpr Variants kOut{.out = true};
// The schema given is that of the in-place variant, and there is no functional one:
// "uniform_(Tensor(a!) self, …".
inline constexpr Variants kInPlaceOnly{.functional = false, .in_place = true};
// text: an overload name or a whole schema, as above.
constexpr Variants Out(const char* text) { return {.out = true, .out_text = text}; }
constexpr Variants InPlace(const char* text) { return {.in_place = true, .in_place_text = text}; }
// kOut | Tags(OperatorTag::kReduction)
template <std::same_as<OperatorTag>... T>
constexpr Variants Tags(T... tags) {
  return {.tags = (OperatorTags{} | ... | SetOf(tags))};
}

// The data of a registration. Without a shape function, kernels are given all arguments and return
// the results.
struct OperatorDef {
  SchemaText schema;
  Fn shape_function = nullptr;
  ShapeTraits (*traits)() = nullptr;  // of the shape function's parameter list
  Variants variants = {};
  KeyRule key_rule = KeyRule::kPromote;
  const char* file = nullptr;  // where it stands, for messages and as a stable order
  int line = 0;
  const char* kernels_of = nullptr;     // the operator whose kernels serve this one, if not its own
  const FormulaDef* formula = nullptr;  // whose kernels serve it besides its own
  // Of one without a shape function: the boxed kernel that serves an in-place or out= variant
  // without kernels, from the functional operator in KernelDef::data; null: nothing does.
  BoxedFn copies_results = nullptr;
  OperatorDef* next = nullptr;  // the registry's

  SY_API std::string source() const;  // "file:line"
};

namespace internal {
SY_API void LinkOperator(OperatorDef* def);
}

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_OPERATOR_DEF_H_
