#include "switchyard/registry/registry.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "switchyard/core/error.h"

namespace sy {
namespace {

// Static registrations that nobody has taken in yet.
constinit std::atomic<OperatorDef*> pending_operators{nullptr};
constinit std::atomic<KernelDef*> pending_kernels{nullptr};
// Set once the global registry exists: from then on registrations are taken in at once (shared
// objects opened later).
constinit std::atomic<bool> started{false};

template <class Def>
void Push(std::atomic<Def*>& list, Def* def) {
  def->next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(def->next, def, std::memory_order_acq_rel)) {
  }
}

template <class Def>
void Unlink(Def*& head, Def& def) {
  for (Def** p = &head; *p != nullptr; p = &(*p)->next) {
    if (*p == &def) {
      *p = def.next;
      def.next = nullptr;
      return;
    }
  }
}

std::string_view NameOf(const OperatorDef& def) {
  return def.schema.text.substr(0, def.schema.name_length);
}

// A stable identity, by which equals are ordered whatever the order of registration.
bool SourceLess(const OperatorDef* a, const OperatorDef* b) {
  const auto key = [](const OperatorDef* d) {
    return std::tuple(std::string_view(d->file == nullptr ? "" : d->file), d->line, d->schema.text);
  };
  return key(a) < key(b);
}

}  // namespace

std::string OperatorDef::source() const { return Join({file == nullptr ? "" : file, ":", line}); }

namespace internal {

void LinkOperator(OperatorDef* def) {
  Push(pending_operators, def);
  if (started.load(std::memory_order_acquire)) Registry::Global();
}
void LinkKernel(KernelDef* def) {
  Push(pending_kernels, def);
  if (started.load(std::memory_order_acquire)) Registry::Global();
}

}  // namespace internal

OperatorEntry::OperatorEntry(Registry& registry, Schema schema)
    : registry_(registry), schema_(std::move(schema)) {
  full_name_ = schema_.full_name();
  num_arguments = static_cast<uint8_t>(schema_.arguments.size());
  num_results = static_cast<uint8_t>(schema_.returns.size());
  returns_written = schema_.ReturnsWritten();
  const std::string text = schema_.str();
  for (const Argument& a : schema_.arguments) {
    tag_storage_.push_back(a.type.Tags());
    defaults_.push_back(a.has_default ? default_storage_.emplace_back(a, text).value() : Value());
  }
  tags = tag_storage_.data();
  own_kernels_ = std::make_unique<KernelTable>(*this);
  own_kernels_->kernel_code = schema_.DirectCode();
  kernels = own_kernels_.get();
}

Registry::Registry() {
  name_tables_.push_back(std::make_unique<NameTable>(256));
  names_.store(name_tables_.back().get(), std::memory_order_release);
}

Registry::~Registry() = default;

Registry& Registry::Global() {
  static Registry* global = [] {  // never destroyed: static destructors may still call
    auto* r = new Registry;
    started.store(true, std::memory_order_release);
    return r;
  }();
  if (pending_operators.load(std::memory_order_acquire) != nullptr ||
      pending_kernels.load(std::memory_order_acquire) != nullptr) {
    global->TakePending();
  }
  return *global;
}

void Registry::TakePending() {
  std::lock_guard lock(mutex_);
  OperatorDef* op = pending_operators.exchange(nullptr, std::memory_order_acq_rel);
  while (op != nullptr) {
    OperatorDef* next = op->next;
    Add(*op);
    op = next;
  }
  KernelDef* kernel = pending_kernels.exchange(nullptr, std::memory_order_acq_rel);
  while (kernel != nullptr) {
    KernelDef* next = kernel->next;
    Add(*kernel);
    kernel = next;
  }
}

void Registry::Add(OperatorDef& def) {
  std::lock_guard lock(mutex_);
  OperatorDef*& bucket = operators_[def.schema.name_hash % kBuckets];
  def.next = bucket;
  bucket = &def;
  ++changes_;
  Remake(def);
}

void Registry::Remove(OperatorDef& def) {
  std::lock_guard lock(mutex_);
  Unlink(operators_[def.schema.name_hash % kBuckets], def);
  ++changes_;
  Remake(def);
}

void Registry::Add(KernelDef& def) {
  std::lock_guard lock(mutex_);
  KernelDef*& bucket = kernels_[def.op_hash % kBuckets];
  def.next = bucket;
  bucket = &def;
  ResetFor(def);
}

void Registry::Remove(KernelDef& def) {
  std::lock_guard lock(mutex_);
  Unlink(kernels_[def.op_hash % kBuckets], def);
  ResetFor(def);
}

void Registry::ResetFor(const KernelDef& def) {
  ++changes_;
  for (OperatorEntry& e : entries_) {
    if (def.op == "*" || def.op == e.full_name_) e.own_kernels_->Reset();
  }
}

void Registry::SetFallback(Fallback f) {
  std::lock_guard lock(mutex_);
  fallback_ = f;
  ++changes_;
  for (OperatorEntry& e : entries_) e.own_kernels_->Reset();
}

const KernelDef* Registry::Keep(const KernelDef& def) {
  std::lock_guard lock(mutex_);
  const auto same = [&](const KernelDef& k) {
    return k.entry == def.entry && k.boxed == def.boxed && k.data == def.data && k.fn == def.fn &&
           k.op == def.op && k.device == def.device && k.file == def.file && k.line == def.line;
  };
  const auto it = std::find_if(kept_.begin(), kept_.end(), same);
  return it != kept_.end() ? &*it : &kept_.emplace_back(def);
}

void Registry::SetBoxingKernel(const OperatorEntry& op, Fn boxing_kernel) {
  std::lock_guard lock(mutex_);
  KernelTable& table = *op.kernels;
  if (table.boxing_kernel != nullptr) return;
  table.boxing_kernel = boxing_kernel;
  ++changes_;
  table.Reset();
}

const OperatorEntry& Registry::CopyEntry() {
  std::lock_guard lock(mutex_);
  if (copy_entry_ == nullptr) copy_entry_ = Find("copy_");
  if (copy_entry_ == nullptr)
    Fail(ErrorCode::kNotFound, "operator 'copy_' is not registered: tensors cannot be copied");
  return *copy_entry_;
}

// --- Families ---

Family* Registry::FindFamilySlow(std::string_view name, uint64_t hash) {
  std::lock_guard lock(mutex_);
  if (this == &Global()) TakePending();
  for (Family& f : families_) {  // a table may have been replaced meanwhile
    if (f.name_ == name) return &f;
  }
  bool any = false;
  for (OperatorDef* d = operators_[hash % kBuckets]; d != nullptr && !any; d = d->next)
    any = NameOf(*d) == name;
  if (!any && name.ends_with('_')) {
    const std::string_view base = name.substr(0, name.size() - 1);
    for (OperatorDef* d = operators_[HashName(base) % kBuckets]; d != nullptr && !any;
         d = d->next) {
      any = NameOf(*d) == base && d->forms.in_place && d->forms.functional;
    }
  }
  if (!any) return nullptr;
  Family* f = &families_.emplace_back(std::string(name), hash);
  Publish(f);
  return f;
}

void Registry::Publish(Family* f) {
  const NameTable* t = names_.load(std::memory_order_relaxed);
  const auto insert = [](const NameTable* table, Family* family) {
    uint64_t i = family->hash();
    while (table->cells[i & table->mask].load(std::memory_order_relaxed) != nullptr) ++i;
    table->cells[i & table->mask].store(family, std::memory_order_release);
  };
  if (families_.size() * 2 <= t->mask) return insert(t, f);
  // Grow: publish a larger table; the old one stays for its readers.
  name_tables_.push_back(std::make_unique<NameTable>(2 * (t->mask + 1)));
  for (Family& each : families_) insert(name_tables_.back().get(), &each);
  names_.store(name_tables_.back().get(), std::memory_order_release);
}

void Registry::Remake(const OperatorDef& def) {
  const std::string_view name = NameOf(def);
  for (size_t i = 0; i < families_.size(); ++i) {  // making one may add another
    Family& f = families_[i];
    const std::string_view its = f.name_;
    const bool in_place =
        its.size() == name.size() + 1 && its.ends_with('_') && its.starts_with(name);
    if (f.made_ && (its == name || in_place)) Remake(f);
  }
}

// Overloads that stay are complete all the while, because other threads are calling them.
void Registry::Remake(Family& f) {
  std::vector<OperatorEntry*> before;
  before.swap(f.entries_);
  for (OperatorEntry* e : before) e->own_kernels_->Reset();
  for (auto& plan : f.plans) plan.store(nullptr, std::memory_order_release);
  f.problems_.clear();
  f.made_ = false;
  Make(f);
  for (OperatorEntry* e : before) {
    if (std::find(f.entries_.begin(), f.entries_.end(), e) != f.entries_.end()) continue;
    if (const OperatorDef* gone = e->def(); gone != nullptr && gone->traits != nullptr) {
      const FormFunctions functions = gone->traits().gone(e->kind);
      e->form.store(functions.form, std::memory_order_release);
      e->thunk.store(functions.thunk, std::memory_order_release);
    }
    e->def_.store(nullptr, std::memory_order_release);
  }
}

namespace {

// Schema of the in-place form: the first argument is written and returned.
Schema InPlaceSchema(Schema s) {
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
Schema OutSchema(Schema s, const char* overload) {
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

Schema SchemaOf(const OperatorDef& def, FormKind kind) {
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

}  // namespace

OperatorEntry& Registry::InternEntry(Schema schema) {
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

void Registry::Make(Family& f) {
  if (f.made_) return;
  f.made_ = true;
  struct Form {
    std::string name;  // with overload
    const OperatorDef* def;
    FormKind kind;
  };
  std::vector<Form> forms;  // in order
  const auto less = [](const Form& a, const Form& b) {
    const int order = a.name.compare(b.name);
    return order != 0 ? order < 0 : SourceLess(a.def, b.def);
  };
  const auto add = [&](const OperatorDef* d, FormKind kind) {
    try {
      Schema s = SchemaOf(*d, kind);
      if (s.name != f.name_) return;
      Form form{s.full_name(), d, kind};
      forms.insert(std::upper_bound(forms.begin(), forms.end(), form, less), std::move(form));
    } catch (const Error& e) {
      f.problems_.push_back(Join({d->source(), ": ", e.message()}));
    }
  };
  for (OperatorDef* d = operators_[f.hash_ % kBuckets]; d != nullptr; d = d->next) {
    if (NameOf(*d) != f.name_) continue;
    const bool view = d->traits != nullptr && d->traits().num_outputs == 0;
    if (d->traits == nullptr) {
      if (d->forms.functional) add(d, FormKind::kDirect);
    } else if (d->forms.functional) {
      add(d, view ? FormKind::kView : FormKind::kFunctional);
    } else {
      add(d, FormKind::kInPlace);
    }
    if (d->forms.out) add(d, FormKind::kOut);
  }
  if (f.name_.ends_with('_')) {
    const std::string base = f.name_.substr(0, f.name_.size() - 1);
    for (OperatorDef* d = operators_[HashName(base) % kBuckets]; d != nullptr; d = d->next) {
      if (NameOf(*d) != base || !d->forms.in_place || !d->forms.functional) continue;
      const bool view = d->traits != nullptr && d->traits().num_outputs == 0;
      add(d, view ? FormKind::kViewInPlace : FormKind::kInPlace);
    }
  }
  const Form* first = nullptr;  // of its name
  for (const Form& form : forms) {
    if (first != nullptr && form.name == first->name) {
      f.problems_.push_back(
          Join({"operator '", form.name, "' is registered twice: at ", first->def->source(),
                " and at ", form.def->source(), "; the first one is used"}));
      continue;
    }
    first = &form;
    try {
      MakeEntry(f, *form.def, form.kind);
    } catch (const Error& e) {
      f.problems_.push_back(Join({form.def->source(), ": ", e.message()}));
    }
  }
}

// The table of the kernels behind the rule: the operator's own, or that of the one it says.
KernelTable& Registry::TableOf(const OperatorDef& def) {
  if (def.kernels_of != nullptr) {
    const std::string_view wanted(def.kernels_of);
    const std::string_view name = wanted.substr(0, wanted.find('.'));
    for (const OperatorDef* d = operators_[HashName(name) % kBuckets]; d != nullptr; d = d->next) {
      if (d != &def && d->schema.text.substr(0, d->schema.text.find('(')) == wanted)
        return TableOf(*d);
    }
    Fail(ErrorCode::kRegistration,
         {"its kernels are those of '", wanted, "', which is not registered"});
  }
  OperatorEntry& base = InternEntry(ParseSchema(def.schema.text));
  KernelTable& table = *base.own_kernels_;
  const RuleTraits traits = def.traits();
  table.boxing_kernel = traits.boxing_kernel;
  table.viewing_kernel = traits.viewing_kernel;
  table.kernel_code = traits.kernel_code == nullptr ? "" : traits.kernel_code;
  table.has_rule = true;
  return table;
}

void Registry::MakeEntry(Family& f, const OperatorDef& def, FormKind kind) {
  Schema schema = SchemaOf(def, kind);
  OperatorEntry& e = InternEntry(std::move(schema));
  if (def.traits == nullptr) {
    e.form.store(nullptr, std::memory_order_release);
    e.thunk.store(nullptr, std::memory_order_release);
    if (kind != FormKind::kDirect) {
      const OperatorEntry* from = &InternEntry(ParseSchema(def.schema.text));
      if (e.own_kernels_->derived_from != from) e.own_kernels_->derived_from = from;
      // An in-place form is of another family; called first, it needs the operator of its own.
      if (Family* base = FindFamily(NameOf(def)); base != nullptr) Make(*base);
    }
    kind = FormKind::kDirect;
  } else {
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
           {"the shape rule of '", base.name(), "' states ", outputs,
            " outputs, the schema returns ", int{base.num_results}, ":\n  ", def.schema.text});
    }
    KernelTable& table = TableOf(def);
    if (e.kernels != &table) e.kernels = &table;
    e.rule.store(def.rule, std::memory_order_release);
    const FormFunctions functions = traits.functions(kind);
    if (functions.form == nullptr) {
      Fail(ErrorCode::kRegistration,
           {"'", e.name(), "': an operator with several outputs has no in-place form"});
    }
    e.form.store(functions.form, std::memory_order_release);
    e.thunk.store(functions.thunk, std::memory_order_release);
  }
  // Calls may be reading these; they change only when the operator does.
  if (e.kind != kind) e.kind = kind;
  if (e.key_rule != def.key_rule) e.key_rule = def.key_rule;
  e.def_.store(&def, std::memory_order_release);
  f.entries_.push_back(&e);
}

// --- Looking up ---

std::vector<OperatorEntry*> Registry::Overloads(Family& f) {
  std::lock_guard lock(mutex_);
  Make(f);
  if (f.entries_.empty() && !f.problems_.empty()) Fail(ErrorCode::kRegistration, f.problems_[0]);
  return f.entries_;
}

void Registry::AddPlan(Family& f, uint64_t signature, const OperatorEntry& op) {
  std::lock_guard lock(mutex_);
  if (op.def() == nullptr) return;  // it went while the call was being looked up
  const auto same = [&](const CallPlan& p) { return p.signature == signature && p.op == &op; };
  auto it = std::find_if(f.all_plans.begin(), f.all_plans.end(), same);
  const CallPlan* plan =
      it != f.all_plans.end() ? &*it : &f.all_plans.emplace_back(CallPlan{signature, &op});
  for (auto& p : f.plans) {
    const CallPlan* old = p.load(std::memory_order_relaxed);
    if (old == plan) return;
    if (old == nullptr) return p.store(plan, std::memory_order_release);
  }
  // All taken: the new one replaces one of them, so that what is called now is remembered.
  f.plans[signature % Family::kPlans].store(plan, std::memory_order_release);
}

OperatorEntry* Registry::Find(std::string_view full_name) {
  const size_t dot = full_name.find('.');
  const std::string_view name = full_name.substr(0, dot);
  std::lock_guard lock(mutex_);
  Family* f = FindFamily(name);
  if (f == nullptr) return nullptr;
  Make(*f);
  for (OperatorEntry* e : f->entries_) {
    if (e->name() == full_name) return e;
  }
  if (!f->problems_.empty()) Fail(ErrorCode::kRegistration, f->problems_[0]);
  return nullptr;
}

std::vector<std::string> Registry::FamilyNames() {
  std::lock_guard lock(mutex_);
  if (this == &Global()) TakePending();
  std::set<std::string> names;
  for (OperatorDef* bucket : operators_) {
    for (OperatorDef* d = bucket; d != nullptr; d = d->next) {
      const std::string name(NameOf(*d));
      names.insert(name);
      if (d->forms.in_place && d->forms.functional) names.insert(name + "_");
    }
  }
  return {names.begin(), names.end()};
}

std::vector<OperatorEntry*> Registry::Entries() {
  std::lock_guard lock(mutex_);
  std::vector<OperatorEntry*> all;
  for (const std::string& name : FamilyNames()) {
    Family* f = FindFamily(name);
    Make(*f);
    all.insert(all.end(), f->entries_.begin(), f->entries_.end());
  }
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name() < b->name(); });
  return all;
}

}  // namespace sy
