// The object that registers an operator: its schema, its shape rule, and the forms it has.
//
//   const Operator op{"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
//                     IndexCopyRule, kInPlace | kOut};
//
// registers index_copy, index_copy_ and index_copy.out. Without a rule, kernels (or a composite)
// return the results. Registration links a node before main: no allocation, no parsing, nothing
// thrown.
// Owns: nothing; the object must live as long as its registration: a shared object with operators
// stays in memory, closed or not (core/keep_object.h). What is to be unloaded is a plugin.
// Threads: any.
#ifndef SWITCHYARD_REGISTRY_OPERATOR_H_
#define SWITCHYARD_REGISTRY_OPERATOR_H_

#include "switchyard/registry/entry.h"
#include "switchyard/registry/forms.h"
#include "switchyard/registry/name.h"

namespace sy {

// A schema known to the compiler: it hashes the name.
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

// The forms of an operator with a rule. Texts are an overload name ("out") or, where ATen's schema
// follows no pattern, the whole schema. Null: the usual name ("x_"; "out", or "Overload_out").
struct Forms {
  bool functional = true, in_place = false, out = false;
  const char* out_text = nullptr;
  const char* in_place_text = nullptr;
  constexpr Forms operator|(const Forms& o) const {
    return {functional && o.functional, in_place || o.in_place, out || o.out,
            o.out_text != nullptr ? o.out_text : out_text,
            o.in_place_text != nullptr ? o.in_place_text : in_place_text};
  }
};
inline constexpr Forms kInPlace{.in_place = true};
inline constexpr Forms kOut{.out = true};
// The schema given is that of the in-place form, and there is no functional one:
// "uniform_(Tensor(a!) self, …".
inline constexpr Forms kInPlaceOnly{.functional = false, .in_place = true};
constexpr Forms Out(const char* text) { return {.out = true, .out_text = text}; }
constexpr Forms InPlace(const char* text) { return {.in_place = true, .in_place_text = text}; }

// The data of a registration.
struct OperatorDef {
  SchemaText schema;
  Fn rule = nullptr;
  RuleTraits (*traits)() = nullptr;  // of the rule's parameter list
  Forms forms = {};
  KeyRule key_rule = KeyRule::kPromote;
  const char* file = nullptr;
  int line = 0;
  const char* kernels_of = nullptr;  // the operator whose kernels serve this one, if not its own
  OperatorDef* next = nullptr;       // the registry's

  SY_API std::string source() const;  // "file:line"
};

namespace internal {
SY_API void LinkOperator(OperatorDef* def);
}

// A rule that states kN outputs; 0: a view.
template <int kN, class... A>
struct RuleWithOutputs {
  void (*rule)(Rule&, A...);
};
template <int kN, class... A>
constexpr RuleWithOutputs<kN, A...> Outputs(void (*rule)(Rule&, A...)) {
  return {rule};
}
template <class... A>
constexpr RuleWithOutputs<0, A...> View(void (*rule)(Rule&, A...)) {
  return {rule};
}

// The rule and the kernels of another operator, some of whose tensors are given as numbers here, at
// these positions.
template <class Numbers, class... A>
struct RuleWithNumbers {
  const char* kernels_of;
  void (*rule)(Rule&, A...);
};
template <size_t... kNumbers, class... A>
constexpr RuleWithNumbers<std::index_sequence<kNumbers...>, A...> WithNumber(const char* kernels_of,
                                                                             void (*rule)(Rule&,
                                                                                          A...)) {
  return {kernels_of, rule};
}
// The kernels of another operator: a second name for it.
template <class... A>
constexpr RuleWithNumbers<std::index_sequence<>, A...> SameKernels(const char* kernels_of,
                                                                   void (*rule)(Rule&, A...)) {
  return {kernels_of, rule};
}

class Operator : public OperatorDef {
 public:
  // One output.
  template <class... A>
  Operator(SchemaText text, void (*function)(Rule&, A...), Forms has_forms = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : Operator(text, Outputs<1>(function), has_forms, in_file, at_line) {}
  // Outputs<2>(rule), View(rule).
  template <int kN, class... A>
  Operator(SchemaText text, RuleWithOutputs<kN, A...> function, Forms has_forms = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{text,
                    reinterpret_cast<Fn>(function.rule),
                    &FormsOf<kN, A...>::Traits,
                    has_forms,
                    KeyRule::kPromote,
                    in_file,
                    at_line} {
    internal::LinkOperator(this);
  }
  // WithNumber<1>("add.Tensor", rule).
  template <class Numbers, class... A>
  Operator(SchemaText text, RuleWithNumbers<Numbers, A...> function, Forms has_forms = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{text,
                    reinterpret_cast<Fn>(function.rule),
                    &NumberFormsOf<Numbers, A...>::Traits,
                    has_forms,
                    KeyRule::kPromote,
                    in_file,
                    at_line,
                    function.kernels_of} {
    internal::LinkOperator(this);
  }
  // Without a rule. In-place and out= forms without kernels of their own compute the result and
  // copy it.
  explicit Operator(SchemaText text, KeyRule rule_of_key = KeyRule::kPromote, Forms has_forms = {},
                    const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{text, nullptr, nullptr, has_forms, rule_of_key, in_file, at_line} {
    internal::LinkOperator(this);
  }
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_OPERATOR_H_
