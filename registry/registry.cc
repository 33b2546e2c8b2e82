#include "switchyard/registry/registry.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/keep_object.h"
#include "switchyard/registry/formula.h"

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
void PushChain(std::atomic<Def*>& list, Def* first) {
  Def* last = first;
  while (last->next != nullptr) last = last->next;
  last->next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(last->next, first, std::memory_order_acq_rel)) {
  }
}

// Adds all that is pending; what is left when one cannot be added stays pending.
template <class Def>
void TakeAll(Registry& registry, std::atomic<Def*>& pending) {
  Def* def = pending.exchange(nullptr, std::memory_order_acq_rel);
  while (def != nullptr) {
    Def* next = def->next;
    try {
      registry.Add(*def);
    } catch (...) {
      def->next = next;
      PushChain(pending, def);
      throw;
    }
    def = next;
  }
}

template <class Def>
void Link(Def*& head, Def& def) {
  def.next = head;
  head = &def;
}

// False where it is not linked.
template <class Def>
bool Unlink(Def*& head, Def& def) {
  for (Def** p = &head; *p != nullptr; p = &(*p)->next) {
    if (*p == &def) {
      *p = def.next;
      def.next = nullptr;
      return true;
    }
  }
  return false;
}

template <class Def>
void RequireNotLinked(const Def* head, const Def& def, std::string_view name) {
  for (const Def* d = head; d != nullptr; d = d->next) {
    if (d == &def) {
      Fail(ErrorCode::kRegistration,
           {"'", name, "' at ", def.source(), " is registered already: the same object"});
    }
  }
}

std::string_view NameOf(const OperatorDef& def) {
  return def.schema.text.substr(0, def.schema.name_length);
}

}  // namespace

std::string OperatorDef::source() const {
  return Join({file == nullptr ? "" : internal::SourceName(file), ":", line});
}

namespace internal {

void LinkOperator(OperatorDef* def) {
  KeepObjectOf(def);
  Push(pending_operators, def);
  if (started.load(std::memory_order_acquire)) Registry::Global();
}
void LinkKernel(KernelDef* def) {
  KeepObjectOf(def);
  Push(pending_kernels, def);
  if (started.load(std::memory_order_acquire)) Registry::Global();
}

}  // namespace internal

SY_COLD OperatorEntry::OperatorEntry(Registry& registry, Schema schema)
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
  argument_tags = tag_storage_.data();
  own_kernels_ = std::make_unique<KernelTable>(*this);
  direct_code_ = schema_.DirectCode();
  own_kernels_->kernel_code = direct_code_;
  kernels = own_kernels_.get();
}

Registry::Registry() {
  name_tables_.push_back(std::make_unique<NameTable>(256));
  names_.store(name_tables_.back().get(), std::memory_order_release);
}

Registry::~Registry() = default;

const internal::AtFork Registry::at_fork_{internal::ForkRank::kRegistry,
                                          [](internal::ForkPhase phase) {
                                            static bool held = false;
                                            if (phase == internal::ForkPhase::kBefore)
                                              held = started.load(std::memory_order_acquire);
                                            if (held) internal::HoldAcross(phase, Global().mutex_);
                                          }};

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
  TakeAll(*this, pending_operators);
  TakeAll(*this, pending_kernels);
}

void Registry::Add(OperatorDef& def) {
  std::lock_guard lock(mutex_);
  OperatorDef*& bucket = operators_[def.schema.name_hash % kBuckets];
  RequireNotLinked(bucket, def, NameOf(def));
  Link(bucket, def);
  ++changes_;
  try {
    AddVariants(def);
  } catch (...) {
    Remove(def);
    throw;
  }
}

void Registry::Remove(OperatorDef& def) noexcept {
  std::lock_guard lock(mutex_);
  if (!Unlink(operators_[def.schema.name_hash % kBuckets], def)) return;
  ++changes_;
  RemoveVariants(def);
}

void Registry::Add(KernelDef& def) {
  std::lock_guard lock(mutex_);
  KernelDef*& bucket = kernels_[def.op_hash % kBuckets];
  RequireNotLinked(bucket, def, def.op);
  Link(bucket, def);
  ResetFor(def);
}

void Registry::Remove(KernelDef& def) noexcept {
  std::lock_guard lock(mutex_);
  if (Unlink(kernels_[def.op_hash % kBuckets], def)) ResetFor(def);
}

void Registry::ResetFor(const KernelDef& def) noexcept {
  ++changes_;
  for (OperatorEntry& e : entries_) {
    const FormulaDef* formula = e.own_kernels_->formula;
    if (def.op == "*" || def.op == e.full_name_ || (formula != nullptr && def.op == formula->name))
      e.own_kernels_->Reset();
  }
}

void Registry::SetFallback(Fallback f) {
  std::lock_guard lock(mutex_);
  fallback_ = f;
  ++changes_;
  for (OperatorEntry& e : entries_) e.own_kernels_->Reset();
}

SY_COLD const KernelDef* Registry::Keep(const KernelDef& def) {
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

// --- Packets ---

bool Registry::IsRegistered(std::string_view name) const {
  for (OperatorDef* d = operators_[HashName(name) % kBuckets]; d != nullptr; d = d->next) {
    if (NameOf(*d) == name) return true;
  }
  if (!name.ends_with('_')) return false;
  const std::string_view base = name.substr(0, name.size() - 1);
  for (OperatorDef* d = operators_[HashName(base) % kBuckets]; d != nullptr; d = d->next) {
    if (NameOf(*d) == base && d->variants.in_place && d->variants.functional) return true;
  }
  return false;
}

OverloadPacket* Registry::FindOwner(std::string_view name) {
  const std::string_view plain = WithoutATen(name);
  const size_t dot = plain.find('.');
  OverloadPacket* owner = FindPacket(plain.substr(0, dot));
  if (owner == nullptr || owner->of_ != nullptr) return nullptr;  // "aten::" twice
  if (dot == plain.npos) return owner;
  Make(*owner);
  for (const RegisteredVariant& variant : owner->variants_) {
    if (variant.name == plain) return owner;
  }
  FailProblem(*owner);
  return nullptr;
}

OverloadPacket* Registry::FindPacketSlow(std::string_view name, uint64_t hash) {
  std::lock_guard lock(mutex_);
  if (this == &Global()) TakePending();
  for (OverloadPacket& f : packets_) {  // a table may have been replaced meanwhile
    if (f.name_ == name) return &f;
  }
  OverloadPacket* owner = nullptr;
  if (!IsRegistered(name)) {
    if (name.find('.') == name.npos && WithoutATen(name) == name) return nullptr;
    owner = FindOwner(name);
    if (owner == nullptr) return nullptr;
  }
  GrowNames();
  OverloadPacket* f = &packets_.emplace_back(std::string(name), hash);
  f->of_ = owner;
  Insert(*names_.load(std::memory_order_relaxed), f);
  return f;
}

// A table that is full to half is replaced by a larger one; it stays for its readers.
void Registry::GrowNames() {
  const NameTable* t = names_.load(std::memory_order_relaxed);
  if ((packets_.size() + 1) * 2 <= t->mask) return;
  auto larger = std::make_unique<NameTable>(2 * (t->mask + 1));
  for (OverloadPacket& each : packets_) Insert(*larger, &each);
  name_tables_.push_back(std::move(larger));
  names_.store(name_tables_.back().get(), std::memory_order_release);
}

void Registry::Insert(const NameTable& table, OverloadPacket* f) {
  uint64_t i = f->hash();
  while (table.cells[i & table.mask].load(std::memory_order_relaxed) != nullptr) ++i;
  table.cells[i & table.mask].store(f, std::memory_order_release);
}

// --- Looking up ---

// What is wrong with a packet where nothing right was found.
void Registry::FailProblem(const OverloadPacket& f) {
  const std::vector<std::string> problems = ProblemsOf(f);
  if (!problems.empty()) Fail(ErrorCode::kRegistration, problems[0]);
}

std::vector<OperatorEntry*> Registry::Overloads(OverloadPacket& f) {
  std::lock_guard lock(mutex_);
  OverloadPacket& owner = f.of_ == nullptr ? f : *f.of_;
  Make(owner);
  std::vector<OperatorEntry*> entries = Serving(owner);
  const std::string_view name = WithoutATen(f.name_);
  if (name != owner.name_) std::erase_if(entries, [&](auto* e) { return e->name() != name; });
  if (entries.empty()) FailProblem(owner);
  return entries;
}

uint64_t Registry::changes() {
  std::lock_guard lock(mutex_);
  return changes_;
}

namespace {

// The plan among all there ever were; null where there is no room for a new one.
const CallPlan* InternPlan(std::deque<CallPlan>& all, const CallPlan& plan) noexcept {
  const auto known = std::find(all.begin(), all.end(), plan);
  if (known != all.end()) return &*known;
  if (all.size() >= OverloadPacket::kPlansEver) return nullptr;
  try {
    return &all.emplace_back(plan);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void Registry::AddPlan(OverloadPacket& f, const CallPlan& plan, uint64_t seen) noexcept {
  std::lock_guard lock(mutex_);
  if (changes_ != seen) return;
  const CallPlan* kept = InternPlan(f.all_plans, plan);
  if (kept == nullptr) return;
  for (auto& p : f.plans) {
    const CallPlan* old = p.load(std::memory_order_relaxed);
    if (old == kept) return;
    if (old == nullptr) return p.store(kept, std::memory_order_release);
  }
  // All taken: the new one replaces one of them, so that what is called now is remembered.
  const size_t place = plan.signature * 0x9E3779B97F4A7C15u >> 32;
  f.plans[place % OverloadPacket::kPlans].store(kept, std::memory_order_release);
}

OperatorEntry* Registry::Find(std::string_view full_name) {
  const size_t dot = full_name.find('.');
  const std::string_view name = full_name.substr(0, dot);
  std::lock_guard lock(mutex_);
  OverloadPacket* f = FindPacket(name);
  if (f == nullptr) return nullptr;
  Make(*f);
  for (const RegisteredVariant& variant : f->variants_) {
    if (variant.name == full_name && variant.entry != nullptr &&
        variant.entry->def() == variant.def)
      return variant.entry;
  }
  FailProblem(*f);
  return nullptr;
}

SY_COLD std::vector<std::string> Registry::PacketNames() {
  std::lock_guard lock(mutex_);
  if (this == &Global()) TakePending();
  std::vector<std::string> names;
  for (OperatorDef* bucket : operators_) {
    for (OperatorDef* d = bucket; d != nullptr; d = d->next) {
      const std::string_view name = NameOf(*d);
      names.emplace_back(name);
      if (d->variants.in_place && d->variants.functional) names.emplace_back(name).push_back('_');
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

SY_COLD std::vector<OperatorEntry*> Registry::Entries() {
  std::lock_guard lock(mutex_);
  std::vector<OperatorEntry*> all;
  for (const std::string& name : PacketNames()) {
    OverloadPacket* f = FindPacket(name);
    Make(*f);
    const std::vector<OperatorEntry*> entries = Serving(*f);
    all.insert(all.end(), entries.begin(), entries.end());
  }
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name() < b->name(); });
  return all;
}

}  // namespace sy
