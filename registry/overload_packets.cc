// Packets and their variants: what goes by a name, made aside of all that is registered, then shown
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
SY_COLD bool Less(const RegisteredVariant& a, const RegisteredVariant& b) {
  const auto key = [](const RegisteredVariant& f) {
    const OperatorDef& d = *f.def;
    return std::tuple(std::string_view(f.name), std::string_view(d.file == nullptr ? "" : d.file),
                      d.line, d.schema.text);
  };
  return key(a) < key(b);
}

// Schema of the in-place variant: the first argument is written and returned.
SY_COLD Schema InPlaceSchema(Schema s) {
  s.name += "_";
  if (s.arguments.empty() || !s.arguments[0].type.is_tensor()) {
    Fail(ErrorCode::kRegistration,
         {"'", s.full_name(), "' needs a Tensor as first argument to have an in-place variant"});
  }
  s.arguments[0].type.alias = {"a!", true};
  s.returns = {Argument{.name = "", .type = s.arguments[0].type}};
  s.returns_in_parentheses = false;
  return s;
}

// Schema of the out= variant: outputs become keyword arguments at the end.
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

SY_COLD Schema SchemaOf(const OperatorDef& def, Variant kind) {
  const bool in_place = kind == Variant::kInPlace || kind == Variant::kViewInPlace;
  const char* text = in_place                ? def.variants.in_place_text
                     : kind == Variant::kOut ? def.variants.out_text
                                             : nullptr;
  if (text != nullptr && std::string_view(text).find('(') != std::string_view::npos)
    return ParseSchema(text);
  Schema base = ParseSchema(def.schema.text);
  if (kind == Variant::kOut) return OutSchema(std::move(base), text);
  if (in_place && def.variants.functional) {
    if (text != nullptr) base.overload = text;
    return InPlaceSchema(std::move(base));
  }
  return base;
}

// Whether variants of the definition go by the packet's name.
bool BelongsTo(const OperatorDef& def, std::string_view packet) {
  const std::string_view name = NameOf(def);
  return packet == name ||
         (packet.size() == name.size() + 1 && packet.ends_with('_') && packet.starts_with(name));
}

// Whether the variants may change when the definition comes or goes: they are its, or their
// kernels.
bool IsAffected(const std::string& packet, const std::vector<RegisteredVariant>& variants,
                const OperatorDef& def) {
  if (BelongsTo(def, packet)) return true;
  const auto serves = [&](const RegisteredVariant& variant) {
    return variant.def->kernels_of != nullptr && variant.def->kernels_of == FullNameOf(def);
  };
  return std::any_of(variants.begin(), variants.end(), serves);
}

// What is said of an operator, and what follows for this variant of it. kind: of the variant as it
// was registered.
SY_COLD OperatorTags TagsOf(const OperatorDef& def, Variant kind, const OperatorEntry& e) {
  OperatorTags tags = def.variants.tags;
  const auto draws = [](const Argument& a) { return a.type.kind == TypeKind::kGenerator; };
  if (std::any_of(e.schema().arguments.begin(), e.schema().arguments.end(), draws))
    tags = tags | SetOf(OperatorTag::kNondeterministicSeeded);
  if (kind == Variant::kViewInPlace) tags = tags | SetOf(OperatorTag::kInplaceView);
  if (e.name() != FullNameOf(def)) tags = tags | SetOf(OperatorTag::kGenerated);
  return tags;
}

bool IsTwin(const RegisteredVariant* first, const RegisteredVariant& variant) {
  return first != nullptr && !variant.name.empty() && variant.name == first->name;
}

bool KernelsAreGone(const RegisteredVariant& variant) {
  return variant.kernels != nullptr && variant.kernels_def == nullptr;
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

void Registry::Make(OverloadPacket& f) {
  if (!f.made_) Serve(f, Prepare(f));
}

SY_COLD std::vector<RegisteredVariant> Registry::Prepare(const OverloadPacket& f) {
  std::vector<RegisteredVariant> variants;
  const auto add = [&](const OperatorDef* d, Variant kind) SY_COLD {
    RegisteredVariant variant{"", d, kind};
    try {
      Schema s = SchemaOf(*d, kind);
      if (s.name != f.name_) return;
      variant.name = s.full_name();
      OperatorEntry& entry = InternEntry(std::move(s));
      PrepareVariant(f, variant, entry);
      variant.entry = &entry;
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kOutOfMemory) throw;
      variant.problem = e.message();
    }
    variants.insert(std::upper_bound(variants.begin(), variants.end(), variant, Less),
                    std::move(variant));
  };
  for (const OperatorDef* d = operators_[f.hash_ % kBuckets]; d != nullptr; d = d->next) {
    if (NameOf(*d) != f.name_) continue;
    if (d->traits == nullptr) {
      if (d->variants.functional) add(d, Variant::kDirect);
    } else if (d->variants.functional) {
      add(d, IsView(*d) ? Variant::kView : Variant::kFunctional);
    } else {
      add(d, Variant::kInPlace);
    }
    if (d->variants.out) add(d, Variant::kOut);
  }
  if (f.name_.ends_with('_')) {
    const std::string base = f.name_.substr(0, f.name_.size() - 1);
    for (const OperatorDef* d = operators_[HashName(base) % kBuckets]; d != nullptr; d = d->next) {
      if (NameOf(*d) != base || !d->variants.in_place || !d->variants.functional) continue;
      add(d, IsView(*d) ? Variant::kViewInPlace : Variant::kInPlace);
    }
  }
  return variants;
}

SY_COLD void Registry::PrepareVariant(const OverloadPacket& f, RegisteredVariant& variant,
                                      const OperatorEntry& e) {
  const OperatorDef& def = *variant.def;
  if (def.traits == nullptr) {
    if (variant.kind != Variant::kDirect) {
      variant.derived_from = &InternEntry(ParseSchema(def.schema.text));
      // An in-place variant is of another packet; called first, it needs the operator of its own.
      OverloadPacket* base = FindPacket(NameOf(def));
      if (base != nullptr && base != &f) Make(*base);
    }
    variant.kind = Variant::kDirect;
    return;
  }
  const ShapeTraits traits = def.traits();
  OperatorEntry& base = InternEntry(ParseSchema(def.schema.text));
  const std::string code = base.schema_.Code();
  const std::string_view wanted = std::string_view(code).substr(0, code.find('>') + 1);
  if (wanted != traits.shape_code) {
    Fail(ErrorCode::kRegistration, {"the shape function of '", base.name(), "' has parameters '",
                                    traits.shape_code, "', the schema wants '", wanted,
                                    "' (letters as in registry/schema.h):\n  ", def.schema.text});
  }
  const int outputs = traits.num_outputs == 0 ? 1 : traits.num_outputs;
  if (outputs != base.num_results) {
    Fail(ErrorCode::kRegistration,
         {"the shape function of '", base.name(), "' states ", outputs,
          " outputs, the schema returns ", int{base.num_results}, ":\n  ", def.schema.text});
  }
  FindKernels(variant);
  variant.functions = traits.functions(variant.kind);
  if (variant.functions.variant == nullptr) {
    Fail(ErrorCode::kRegistration,
         {"'", e.name(), "': an operator with several outputs has no in-place variant"});
  }
}

// The kernels behind the shape function: the operator's own, or those of the one that it says.
SY_COLD void Registry::FindKernels(RegisteredVariant& variant) {
  const OperatorDef* def = variant.def;
  for (int steps = 0; def->kernels_of != nullptr; ++steps) {
    const std::string_view wanted(def->kernels_of);
    const std::string_view name = wanted.substr(0, wanted.find('.'));
    const OperatorDef* found = operators_[HashName(name) % kBuckets];
    while (found != nullptr && (found == def || FullNameOf(*found) != wanted)) found = found->next;
    if (found == nullptr || found->traits == nullptr || steps == kMostSteps) {
      Fail(ErrorCode::kRegistration, {"its kernels are those of '", wanted, "', which ",
                                      found == nullptr           ? "is not registered"
                                      : found->traits == nullptr ? "has no shape function"
                                                                 : "leads round in a circle"});
    }
    def = found;
  }
  variant.kernels = InternEntry(ParseSchema(def->schema.text)).own_kernels_.get();
  variant.kernels_def = def;
}

// --- Showing ---

namespace {

// The variants of a name: the first one serves, unless something is wrong with it.
template <class Variants, class F>
void ForEachServing(Variants& variants, F f) {
  const RegisteredVariant* first = nullptr;
  for (auto& variant : variants) {
    if (IsTwin(first, variant)) continue;
    first = &variant;
    if (variant.entry != nullptr && !KernelsAreGone(variant)) f(variant);
  }
}

}  // namespace

SY_COLD void Registry::Serve(OverloadPacket& f, std::vector<RegisteredVariant> variants) noexcept {
  f.variants_.swap(variants);
  Install(f);
  f.made_ = true;
  for (const RegisteredVariant& before : variants) {
    if (before.entry == nullptr || before.entry->def() != before.def) continue;
    bool serves = false;
    ForEachServing(f.variants_,
                   [&](const RegisteredVariant& now) { serves |= now.entry == before.entry; });
    if (!serves) Retire(*before.entry);
  }
}

SY_COLD void Registry::Install(OverloadPacket& f) noexcept {
  if (f.made_) {  // else no call has been planned yet
    for (OverloadPacket& p : packets_) {
      if (&p != &f && p.of_ != &f) continue;
      for (auto& plan : p.plans) plan.store(nullptr, std::memory_order_release);
    }
  }
  ForEachServing(f.variants_, [](const RegisteredVariant& variant) {
    OperatorEntry& e = *variant.entry;
    if (variant.def->traits == nullptr) {
      e.variant.store(nullptr, std::memory_order_release);
      e.thunk.store(nullptr, std::memory_order_release);
      Change(e.own_kernels_->derived_from, variant.derived_from);
      Change(e.own_kernels_->shape_function, Fn{nullptr});
      Change(e.own_kernels_->formula, static_cast<const FormulaDef*>(nullptr));
      Change(e.own_kernels_->kernel_code, std::string_view(e.direct_code_));
      Change(e.kernels, e.own_kernels_.get());
    } else {
      KernelTable& table = *variant.kernels;
      const ShapeTraits traits = variant.kernels_def->traits();
      Change(table.boxing_kernel, traits.boxing_kernel);
      Change(table.viewing_kernel, traits.viewing_kernel);
      Change(table.normalise, traits.normalise);
      Change(table.kernel_code,
             std::string_view(traits.kernel_code == nullptr ? "" : traits.kernel_code));
      Change(table.shape_function, variant.kernels_def->shape_function);
      Change(table.formula, variant.kernels_def->formula);
      table.Reset();
      Change(e.kernels, &table);
      e.shape_function.store(variant.def->shape_function, std::memory_order_release);
      e.variant.store(variant.functions.variant, std::memory_order_release);
      e.thunk.store(variant.functions.thunk, std::memory_order_release);
    }
    e.own_kernels_->Reset();
    Change(e.kind, variant.kind);
    Change(e.tags, TagsOf(*variant.def, variant.kind, e));
    Change(e.key_rule, variant.def->key_rule);
    e.def_.store(variant.def, std::memory_order_release);
  });
}

// Calls of an entry that serves no longer fail with kNotFound.
SY_COLD void Registry::Retire(OperatorEntry& e) noexcept {
  if (const OperatorDef* gone = e.def(); gone->traits != nullptr) {
    const VariantFunctions functions = gone->traits().gone(e.kind);
    e.variant.store(functions.variant, std::memory_order_release);
    e.thunk.store(functions.thunk, std::memory_order_release);
  }
  e.own_kernels_->Reset();
  e.def_.store(nullptr, std::memory_order_release);
}

// --- Coming and going ---

SY_COLD void Registry::AddVariants(const OperatorDef& def) {
  std::vector<std::pair<OverloadPacket*, std::vector<RegisteredVariant>>> prepared;
  for (size_t i = 0; i < packets_.size(); ++i) {  // preparing one may add another
    OverloadPacket& f = packets_[i];
    if (f.made_ && IsAffected(f.name_, f.variants_, def)) prepared.emplace_back(&f, Prepare(f));
  }
  for (auto& [f, variants] : prepared) Serve(*f, std::move(variants));
}

SY_COLD void Registry::RemoveVariants(const OperatorDef& def) noexcept {
  for (size_t i = 0; i < packets_.size(); ++i) {
    OverloadPacket& f = packets_[i];
    bool lost = false;
    for (RegisteredVariant& variant : f.variants_) {
      if (variant.kernels_def != &def || variant.def == &def) continue;
      variant.kernels_def = nullptr;
      lost = true;
      if (variant.entry->def() == variant.def) Retire(*variant.entry);
    }
    if (std::erase_if(f.variants_,
                      [&](const RegisteredVariant& variant) { return variant.def == &def; }) != 0)
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

SY_COLD std::vector<OperatorEntry*> Registry::Serving(const OverloadPacket& f) {
  std::vector<OperatorEntry*> entries;
  ForEachServing(f.variants_,
                 [&](const RegisteredVariant& variant) { entries.push_back(variant.entry); });
  return entries;
}

SY_COLD std::vector<std::string> Registry::ProblemsOf(const OverloadPacket& f) {
  std::vector<std::string> problems;
  const RegisteredVariant* first = nullptr;
  for (const RegisteredVariant& variant : f.variants_) {
    if (IsTwin(first, variant)) {
      problems.push_back(
          Join({"operator '", variant.name, "' is registered twice: at ", first->def->source(),
                " and at ", variant.def->source(), "; the first one is used"}));
      continue;
    }
    first = &variant;
    if (!variant.problem.empty())
      problems.push_back(Join({variant.def->source(), ": ", variant.problem}));
    if (KernelsAreGone(variant)) {
      problems.push_back(Join({variant.def->source(), ": its kernels are those of '",
                               variant.def->kernels_of, "', which is not registered"}));
    }
  }
  return problems;
}

}  // namespace sy
