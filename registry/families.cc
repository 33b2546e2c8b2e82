// Families and their forms: what goes by a name, made aside of all that is registered, then shown
// to calls at once. Once a name, and compiled for size.

#include <algorithm>
#include <new>
#include <set>
#include <tuple>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

std::string_view NameOf(const OperatorDef& def) {
  return def.schema.text.substr(0, def.schema.name_length);
}
std::string_view FullNameOf(const OperatorDef& def) {
  return def.schema.text.substr(0, def.schema.text.find('('));
}

bool IsView(const OperatorDef& def) {
  return def.traits != nullptr && def.traits().num_outputs == 0;
}

// A stable identity, by which equals are ordered whatever the order of registration.
SY_COLD bool Less(const RegisteredForm& a, const RegisteredForm& b) {
  const auto key = [](const RegisteredForm& f) {
    const OperatorDef& d = *f.def;
    return std::tuple(std::string_view(f.name), std::string_view(d.file == nullptr ? "" : d.file),
                      d.line, d.schema.text);
  };
  return key(a) < key(b);
}

// Schema of the in-place form: the first argument is written and returned.
SY_COLD Schema InPlaceSchema(Schema s) {
  s.name += "_";
  if (s.arguments.empty() || !s.arguments[0].type.is_tensor()) {
    Fail(ErrorCode::kRegistration,
         {"'", s.full_name(), "' needs a Tensor as first argument to have an in-place form"});
  }
  s.arguments[0].type.alias = {"a!", true};
  s.returns = {Argument{.name = "", .type = s.arguments[0].type}};
  s.returns_in_parentheses = false;
  return s;
}

// Schema of the out= form: outputs become keyword arguments at the end.
SY_COLD Schema OutSchema(Schema s, const char* overload) {
  s.overload = overload != nullptr ? overload : s.overload.empty() ? "out" : s.overload + "_out";
  for (Argument& a : s.arguments) {
    if (!a.type.alias.write) a.type.alias = {};
  }
  const bool one = s.returns.size() == 1;
  for (size_t i = 0; i < s.returns.size(); ++i) {
    Argument out{.name = one ? "out" : "out" + std::to_string(i),
                 .type = s.returns[i].type,
                 .kwarg_only = true};
    out.type.alias = {std::string(1, static_cast<char>('a' + i)) + "!", true};
    s.returns[i] = Argument{.name = "", .type = out.type};
    s.arguments.push_back(std::move(out));
  }
  return s;
}

SY_COLD Schema SchemaOf(const OperatorDef& def, FormKind kind) {
  const bool in_place = kind == FormKind::kInPlace || kind == FormKind::kViewInPlace;
  const char* text = in_place                 ? def.forms.in_place_text
                     : kind == FormKind::kOut ? def.forms.out_text
                                              : nullptr;
  if (text != nullptr && std::string_view(text).find('(') != std::string_view::npos)
    return ParseSchema(text);
  Schema base = ParseSchema(def.schema.text);
  if (kind == FormKind::kOut) return OutSchema(std::move(base), text);
  if (in_place && def.forms.functional) {
    if (text != nullptr) base.overload = text;
    return InPlaceSchema(std::move(base));
  }
  return base;
}

// Whether forms of the definition go by the family's name.
bool BelongsTo(const OperatorDef& def, std::string_view family) {
  const std::string_view name = NameOf(def);
  return family == name ||
         (family.size() == name.size() + 1 && family.ends_with('_') && family.starts_with(name));
}

// Whether the forms may change when the definition comes or goes: they are its, or their kernels.
bool IsAffected(const std::string& family, const std::vector<RegisteredForm>& forms,
                const OperatorDef& def) {
  if (BelongsTo(def, family)) return true;
  const auto serves = [&](const RegisteredForm& form) {
    return form.def->kernels_of != nullptr && form.def->kernels_of == FullNameOf(def);
  };
  return std::any_of(forms.begin(), forms.end(), serves);
}

bool IsTwin(const RegisteredForm* first, const RegisteredForm& form) {
  return first != nullptr && !form.name.empty() && form.name == first->name;
}

bool KernelsAreGone(const RegisteredForm& form) {
  return form.kernels != nullptr && form.kernels_def == nullptr;
}

constexpr int kMostSteps = 8;  // from an operator to the one whose kernels serve it

// Calls may be reading plain members meanwhile: they change only when the operator does.
template <class T>
void Change(T& member, const T& value) {
  if (member != value) member = value;
}

}  // namespace

SY_COLD OperatorEntry& Registry::InternEntry(Schema schema) {
  OperatorEntry*& e = entry_of_schema_[schema.str()];
  if (e != nullptr) return *e;
  if (schema.arguments.size() > kMaxArguments || schema.returns.size() > kMaxResults) {
    Fail(ErrorCode::kRegistration,
         {"'", schema.name, "' has ", schema.arguments.size(), " arguments, ",
          schema.returns.size(), " results: at most ", kMaxArguments, ", ", kMaxResults});
  }
  e = &entries_.emplace_back(*this, std::move(schema));
  return *e;
}

// --- Making ---

void Registry::Make(Family& f) {
  if (!f.made_) Serve(f, Prepare(f));
}

SY_COLD std::vector<RegisteredForm> Registry::Prepare(const Family& f) {
  std::vector<RegisteredForm> forms;
  const auto add = [&](const OperatorDef* d, FormKind kind) SY_COLD {
    RegisteredForm form{"", d, kind};
    try {
      Schema s = SchemaOf(*d, kind);
      if (s.name != f.name_) return;
      form.name = s.full_name();
      OperatorEntry& entry = InternEntry(std::move(s));
      PrepareForm(f, form, entry);
      form.entry = &entry;
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kOutOfMemory) throw;
      form.problem = e.message();
    }
    forms.insert(std::upper_bound(forms.begin(), forms.end(), form, Less), std::move(form));
  };
  for (const OperatorDef* d = operators_[f.hash_ % kBuckets]; d != nullptr; d = d->next) {
    if (NameOf(*d) != f.name_) continue;
    if (d->traits == nullptr) {
      if (d->forms.functional) add(d, FormKind::kDirect);
    } else if (d->forms.functional) {
      add(d, IsView(*d) ? FormKind::kView : FormKind::kFunctional);
    } else {
      add(d, FormKind::kInPlace);
    }
    if (d->forms.out) add(d, FormKind::kOut);
  }
  if (f.name_.ends_with('_')) {
    const std::string base = f.name_.substr(0, f.name_.size() - 1);
    for (const OperatorDef* d = operators_[HashName(base) % kBuckets]; d != nullptr; d = d->next) {
      if (NameOf(*d) != base || !d->forms.in_place || !d->forms.functional) continue;
      add(d, IsView(*d) ? FormKind::kViewInPlace : FormKind::kInPlace);
    }
  }
  return forms;
}

SY_COLD void Registry::PrepareForm(const Family& f, RegisteredForm& form, const OperatorEntry& e) {
  const OperatorDef& def = *form.def;
  if (def.traits == nullptr) {
    if (form.kind != FormKind::kDirect) {
      form.derived_from = &InternEntry(ParseSchema(def.schema.text));
      // An in-place form is of another family; called first, it needs the operator of its own.
      Family* base = FindFamily(NameOf(def));
      if (base != nullptr && base != &f) Make(*base);
    }
    form.kind = FormKind::kDirect;
    return;
  }
  const RuleTraits traits = def.traits();
  OperatorEntry& base = InternEntry(ParseSchema(def.schema.text));
  const std::string code = base.schema_.Code();
  const std::string_view wanted = std::string_view(code).substr(0, code.find('>') + 1);
  if (wanted != traits.rule_code) {
    Fail(ErrorCode::kRegistration, {"the shape rule of '", base.name(), "' has parameters '",
                                    traits.rule_code, "', the schema wants '", wanted,
                                    "' (letters as in registry/schema.h):\n  ", def.schema.text});
  }
  const int outputs = traits.num_outputs == 0 ? 1 : traits.num_outputs;
  if (outputs != base.num_results) {
    Fail(ErrorCode::kRegistration,
         {"the shape rule of '", base.name(), "' states ", outputs, " outputs, the schema returns ",
          int{base.num_results}, ":\n  ", def.schema.text});
  }
  FindKernels(form);
  form.functions = traits.functions(form.kind);
  if (form.functions.form == nullptr) {
    Fail(ErrorCode::kRegistration,
         {"'", e.name(), "': an operator with several outputs has no in-place form"});
  }
}

// The kernels behind the rule: the operator's own, or those of the one that it says.
SY_COLD void Registry::FindKernels(RegisteredForm& form) {
  const OperatorDef* def = form.def;
  for (int steps = 0; def->kernels_of != nullptr; ++steps) {
    const std::string_view wanted(def->kernels_of);
    const std::string_view name = wanted.substr(0, wanted.find('.'));
    const OperatorDef* found = operators_[HashName(name) % kBuckets];
    while (found != nullptr && (found == def || FullNameOf(*found) != wanted)) found = found->next;
    if (found == nullptr || found->traits == nullptr || steps == kMostSteps) {
      Fail(ErrorCode::kRegistration, {"its kernels are those of '", wanted, "', which ",
                                      found == nullptr           ? "is not registered"
                                      : found->traits == nullptr ? "has no shape rule"
                                                                 : "leads round in a circle"});
    }
    def = found;
  }
  form.kernels = InternEntry(ParseSchema(def->schema.text)).own_kernels_.get();
  form.kernels_def = def;
}

// --- Showing ---

namespace {

// The forms of a name: the first one serves, unless something is wrong with it.
template <class Forms, class F>
void ForEachServing(Forms& forms, F f) {
  const RegisteredForm* first = nullptr;
  for (auto& form : forms) {
    if (IsTwin(first, form)) continue;
    first = &form;
    if (form.entry != nullptr && !KernelsAreGone(form)) f(form);
  }
}

}  // namespace

SY_COLD void Registry::Serve(Family& f, std::vector<RegisteredForm> forms) noexcept {
  f.forms_.swap(forms);
  f.made_ = true;
  Install(f);
  for (const RegisteredForm& before : forms) {
    if (before.entry == nullptr || before.entry->def() != before.def) continue;
    bool serves = false;
    ForEachServing(f.forms_,
                   [&](const RegisteredForm& now) { serves |= now.entry == before.entry; });
    if (!serves) Retire(*before.entry);
  }
}

SY_COLD void Registry::Install(Family& f) noexcept {
  for (auto& plan : f.plans) plan.store(nullptr, std::memory_order_release);
  ForEachServing(f.forms_, [](const RegisteredForm& form) {
    OperatorEntry& e = *form.entry;
    if (form.def->traits == nullptr) {
      e.form.store(nullptr, std::memory_order_release);
      e.thunk.store(nullptr, std::memory_order_release);
      Change(e.own_kernels_->derived_from, form.derived_from);
      Change(e.own_kernels_->has_rule, false);
      Change(e.own_kernels_->kernel_code, std::string_view(e.direct_code_));
      Change(e.kernels, e.own_kernels_.get());
    } else {
      KernelTable& table = *form.kernels;
      const RuleTraits traits = form.kernels_def->traits();
      Change(table.boxing_kernel, traits.boxing_kernel);
      Change(table.viewing_kernel, traits.viewing_kernel);
      Change(table.kernel_code,
             std::string_view(traits.kernel_code == nullptr ? "" : traits.kernel_code));
      Change(table.has_rule, true);
      table.Reset();
      Change(e.kernels, &table);
      e.rule.store(form.def->rule, std::memory_order_release);
      e.form.store(form.functions.form, std::memory_order_release);
      e.thunk.store(form.functions.thunk, std::memory_order_release);
    }
    e.own_kernels_->Reset();
    Change(e.kind, form.kind);
    Change(e.key_rule, form.def->key_rule);
    e.def_.store(form.def, std::memory_order_release);
  });
}

// Calls of an entry that serves no longer fail with kNotFound.
SY_COLD void Registry::Retire(OperatorEntry& e) noexcept {
  if (const OperatorDef* gone = e.def(); gone->traits != nullptr) {
    const FormFunctions functions = gone->traits().gone(e.kind);
    e.form.store(functions.form, std::memory_order_release);
    e.thunk.store(functions.thunk, std::memory_order_release);
  }
  e.own_kernels_->Reset();
  e.def_.store(nullptr, std::memory_order_release);
}

// --- Coming and going ---

SY_COLD void Registry::AddForms(const OperatorDef& def) {
  std::vector<std::pair<Family*, std::vector<RegisteredForm>>> prepared;
  for (size_t i = 0; i < families_.size(); ++i) {  // preparing one may add another
    Family& f = families_[i];
    if (f.made_ && IsAffected(f.name_, f.forms_, def)) prepared.emplace_back(&f, Prepare(f));
  }
  for (auto& [f, forms] : prepared) Serve(*f, std::move(forms));
}

SY_COLD void Registry::RemoveForms(const OperatorDef& def) noexcept {
  for (size_t i = 0; i < families_.size(); ++i) {
    Family& f = families_[i];
    bool lost = false;
    for (RegisteredForm& form : f.forms_) {
      if (form.kernels_def != &def || form.def == &def) continue;
      form.kernels_def = nullptr;
      lost = true;
      if (form.entry->def() == form.def) Retire(*form.entry);
    }
    if (std::erase_if(f.forms_, [&](const RegisteredForm& form) { return form.def == &def; }) != 0)
      Install(f);
    if (!lost) continue;
    try {  // another of the same name may have the kernels
      Serve(f, Prepare(f));
    } catch (const std::exception&) {
    }
  }
  for (OperatorEntry& e : entries_) {
    if (e.def() == &def) Retire(e);
  }
}

SY_COLD std::vector<OperatorEntry*> Registry::Serving(const Family& f) {
  std::vector<OperatorEntry*> entries;
  ForEachServing(f.forms_, [&](const RegisteredForm& form) { entries.push_back(form.entry); });
  return entries;
}

SY_COLD std::vector<std::string> Registry::ProblemsOf(const Family& f) {
  std::vector<std::string> problems;
  const RegisteredForm* first = nullptr;
  for (const RegisteredForm& form : f.forms_) {
    if (IsTwin(first, form)) {
      problems.push_back(
          Join({"operator '", form.name, "' is registered twice: at ", first->def->source(),
                " and at ", form.def->source(), "; the first one is used"}));
      continue;
    }
    first = &form;
    if (!form.problem.empty()) problems.push_back(Join({form.def->source(), ": ", form.problem}));
    if (KernelsAreGone(form)) {
      problems.push_back(Join({form.def->source(), ": its kernels are those of '",
                               form.def->kernels_of, "', which is not registered"}));
    }
  }
  return problems;
}

}  // namespace sy
