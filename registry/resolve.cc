// Which kernel serves a key: ranking of what is registered, and the cells that remember it.

#include <algorithm>
#include <set>
#include <tuple>

#include "switchyard/core/dtype_names.h"
#include "switchyard/core/error.h"
#include "switchyard/registry/formula.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

// What an operator's table points to until its first call: rows without kernels.
constinit KernelTable::Cell no_cells[kMaxDTypes] = {};
struct EmptyRows {
  KernelTable::RowCells rows[kMaxRows];
  template <size_t... I>
  constexpr explicit EmptyRows(std::index_sequence<I...>)
      : rows{(static_cast<void>(I), no_cells)...} {}
};
constinit EmptyRows no_rows{std::make_index_sequence<kMaxRows>()};

// Lower is better.
enum Rank : int { kExactDType, kDeviceAnyDType, kDeviceAnyOperator, kComposite, kByTag };

Rank RankOf(const KernelDef& k) {
  if (k.device == nullptr) return kComposite;
  if (k.op == "*") return k.tags.empty() ? kDeviceAnyOperator : kByTag;
  return k.dtypes == kAnyDType ? kDeviceAnyDType : kExactDType;
}

// Registered for a formula: it stands behind one of the operator's own.
bool IsOfFormula(const KernelDef& k) { return k.op.starts_with("formula "); }

// Best first; a stable identity decides between equals, never time.
bool Better(const KernelDef* a, const KernelDef* b) {
  const auto key = [](const KernelDef* k) {
    return std::tuple(RankOf(*k), -int64_t{k->priority}, IsOfFormula(*k),
                      std::string_view(k->file == nullptr ? "" : k->file), k->line, k->dtypes);
  };
  return key(a) < key(b);
}

bool SameKey(const KernelDef& a, const KernelDef& b) {
  const bool same_device = a.device == nullptr || b.device == nullptr
                               ? a.device == b.device
                               : std::string_view(a.device) == b.device;
  return same_device && RankOf(a) == RankOf(b) && a.priority == b.priority &&
         IsOfFormula(a) == IsOfFormula(b) && (a.dtypes & b.dtypes) != 0;
}

std::string DTypeList(DTypeMask mask) { return mask == kAnyDType ? "any dtype" : DTypeNames(mask); }

// The kernel as calls of the operator need it: a formula's by the operator's name; a boxed one is
// called by a function that boxes, or shows, their arguments. Under the registry's lock.
const KernelDef* AsTyped(Registry& registry, const KernelTable& table, const KernelDef& k) {
  if (IsOfFormula(k)) {  // messages name the operator
    KernelDef named = k;
    named.op = table.entry().name();
    named.next = nullptr;
    return registry.Keep(named);
  }
  if (k.boxed == nullptr || k.fn != nullptr) return &k;
  KernelDef typed = k;
  const bool viewed = k.viewed != nullptr && table.viewing_kernel != nullptr;
  typed.fn = viewed ? table.viewing_kernel : table.boxing_kernel;
  typed.entry = &table.entry();
  typed.next = nullptr;
  return registry.Keep(typed);
}

}  // namespace

KernelTable::RowCells* KernelTable::NoRows() { return no_rows.rows; }

KernelTable::~KernelTable() {
  RowCells* rows = rows_.load(std::memory_order_relaxed);
  if (rows == no_rows.rows) return;
  for (int r = 0; r < kMaxRows; ++r) {
    if (Cell* row = rows[r].load(std::memory_order_relaxed); row != no_cells) delete[] row;
  }
  delete[] rows;
}

void KernelTable::Reset() {
  RowCells* rows = rows_.load(std::memory_order_relaxed);
  if (rows == no_rows.rows) return;
  for (int r = 0; r < kMaxRows; ++r) {
    Cell* row = rows[r].load(std::memory_order_relaxed);
    if (row == no_cells) continue;
    for (int d = 0; d < kMaxDTypes; ++d) row[d].store(nullptr, std::memory_order_release);
  }
}

void KernelTable::Fill(KeyWord key, const KernelDef* k) {
  RowCells* rows = rows_.load(std::memory_order_relaxed);
  if (rows == no_rows.rows) {
    rows = new RowCells[kMaxRows];
    for (int r = 0; r < kMaxRows; ++r) rows[r].store(no_cells, std::memory_order_relaxed);
    rows_.store(rows, std::memory_order_release);
  }
  Cell* row = rows[RowOfKey(key)].load(std::memory_order_relaxed);
  if (row == no_cells) {
    row = new Cell[kMaxDTypes]();
    rows[RowOfKey(key)].store(row, std::memory_order_release);
  }
  row[static_cast<int>(DTypeOfKey(key))].store(k, std::memory_order_release);
}

const KernelDef* KernelTable::Resolve(KeyWord key) const {
  return entry_.registry().ResolveCell(*this, key);
}

std::string KernelDef::source() const {
  return Join({file == nullptr ? "" : internal::SourceName(file), ":", line});
}

std::vector<const KernelDef*> Registry::KernelsOf(const OperatorEntry& op) {
  std::lock_guard lock(mutex_);
  const std::string_view name = op.kernels->entry().name();
  std::vector<const KernelDef*> all;
  const auto add = [&](std::string_view wanted) {
    for (KernelDef* k = kernels_[HashName(wanted) % kBuckets]; k != nullptr; k = k->next) {
      if (k->op == wanted) all.push_back(k);
    }
  };
  add(name);
  if (op.kernels->formula != nullptr) add(op.kernels->formula->name);
  std::sort(all.begin(), all.end(), [](const KernelDef* a, const KernelDef* b) {
    const auto device = [](const KernelDef* k) {
      return std::string_view(k->device == nullptr ? "" : k->device);
    };
    return device(a) != device(b) ? device(a) < device(b) : Better(a, b);
  });
  return all;
}

SY_COLD std::vector<Candidate> Registry::Candidates(const OperatorEntry& op, KeyWord key) {
  std::lock_guard lock(mutex_);
  const KernelTable& table = *op.kernels;
  std::vector<const KernelDef*> all = KernelsOf(op);
  static constexpr uint64_t kEvery = HashName("*");
  for (KernelDef* k = kernels_[kEvery % kBuckets]; k != nullptr; k = k->next) {
    if (k->op != "*") continue;
    const bool serves =
        k->tags.empty() ? table.shape_function != nullptr : !(k->tags & table.entry().tags).empty();
    if (serves) all.push_back(k);
  }
  std::sort(all.begin(), all.end(), Better);
  const std::string_view device = DeviceType{RowOfKey(key)}.name();
  const DType dtype = DTypeOfKey(key);
  std::vector<Candidate> usable, others;
  for (const KernelDef* k : all) {
    Candidate c{.kernel = k};
    if (k->device != nullptr && device != k->device) {
      c.verdict = Join({"for device ", k->device});
    } else if (!Contains(k->dtypes, dtype)) {
      c.verdict = Join({"for ", DTypeList(k->dtypes)});
    } else if (k->code != nullptr && table.kernel_code != k->code) {
      c.fits = false;
      c.verdict = Join(
          {"its C++ signature is '", k->code, "', the operator's is '", table.kernel_code, "'"});
    } else {
      c.usable = true;
      constexpr std::string_view kWhy[] = {"exact dtype", "any dtype of the device",
                                           "the device computes nothing", "composite",
                                           "a tag of the operator's"};
      c.verdict = kWhy[RankOf(*k)];
      if (IsOfFormula(*k)) c.verdict += ", by its formula";
      if (!usable.empty() && SameKey(*k, *usable[0].kernel))
        c.verdict += ", same key and priority: sorts after";
    }
    (c.usable ? usable : others).push_back(std::move(c));
  }
  usable.insert(usable.end(), others.begin(), others.end());
  return usable;
}

namespace internal {
void FailGone(const OperatorEntry& op) {
  Fail(ErrorCode::kNotFound, {"operator '", op.name(), "' is no longer registered"});
}
}  // namespace internal

const KernelDef* Registry::ResolveCell(const KernelTable& table, KeyWord key) {
  const OperatorEntry& base = table.entry();
  Fallback fallback;
  uint64_t seen;
  {
    std::lock_guard lock(mutex_);
    if (table.shape_function == nullptr && base.def() == nullptr) internal::FailGone(base);
    const std::vector<Candidate> candidates = Candidates(base, key);
    const KernelDef* best = nullptr;
    if (!candidates.empty() && candidates[0].usable) best = candidates[0].kernel;
    if (best == nullptr) {
      for (const Candidate& c : candidates) {
        if (c.fits) continue;
        Fail(ErrorCode::kRegistration,
             {"kernel for '", base.name(), "' at ", c.kernel->source(), ": ", c.verdict,
              "; the operator is registered at ", base.def() == nullptr ? "" : base.def()->source(),
              ":\n  ", base.schema().str()});
      }
    }
    KernelDef derived;
    const OperatorDef* const def = base.def();
    if (best == nullptr && table.derived_from != nullptr && def != nullptr &&
        def->copies_results != nullptr) {
      derived.boxed = def->copies_results;
      derived.data = table.derived_from;
      derived.op = base.name();
      derived.file = "op/variants.cc";
      best = &derived;
    }
    if (best != nullptr) {
      best = AsTyped(*this, table, *best);
      const_cast<KernelTable&>(table).Fill(key, best);
      return best;
    }
    fallback = fallback_;
    seen = changes_;
  }
  // Without the lock, since it asks others.
  const KernelDef* other = fallback == nullptr ? nullptr : fallback(base, key);
  if (other == nullptr) return nullptr;
  std::lock_guard lock(mutex_);
  other = AsTyped(*this, table, *other);
  if (changes_ == seen) const_cast<KernelTable&>(table).Fill(key, other);
  return other;
}

SY_COLD std::vector<std::string> Registry::Problems() {
  std::lock_guard lock(mutex_);
  Entries();
  std::vector<std::string> problems = DeviceProblems();
  for (const OverloadPacket& f : packets_) {
    for (std::string& p : ProblemsOf(f)) problems.push_back(std::move(p));
  }
  CheckKernels(problems);
  const std::set<std::string> sorted(problems.begin(), problems.end());
  return {sorted.begin(), sorted.end()};
}

// A kernel for a formula needs no operator; those that name it must have its arguments.
SY_COLD void Registry::CheckFormulaKernel(const KernelDef& k, std::vector<std::string>& problems) {
  for (const OperatorEntry& op : entries_) {
    const KernelTable& table = *op.own_kernels_;
    if (op.def() == nullptr || table.formula == nullptr || k.op != table.formula->name) continue;
    if (k.code != nullptr && table.kernel_code != k.code) {
      problems.push_back(
          Join({"kernel for '", k.op, "' at ", k.source(), ": its C++ signature is '", k.code,
                "', that of '", op.name(), "' at ", op.def()->source(),
                ", which names the formula, is '", table.kernel_code, "'"}));
    }
  }
}

// Whether something of that name is there for the kernel, which fits it or is a problem.
SY_COLD bool Registry::CheckKernel(const KernelDef& k, std::vector<std::string>& problems) {
  OperatorEntry* op = nullptr;
  try {
    op = Find(k.op);
  } catch (const Error&) {  // the operator's own problem is listed already
    return false;
  }
  if (op == nullptr) {
    problems.push_back(Join(
        {"kernel for '", k.op, "' at ", k.source(), ": no operator of that name is registered"}));
    return false;
  }
  if (op->kernels->entry().name() != k.op) {
    problems.push_back(
        Join({"kernel for '", k.op, "' at ", k.source(),
              ": kernels register for the base variant, '", op->kernels->entry().name(), "'"}));
  } else if (k.code != nullptr && op->kernels->kernel_code != k.code) {
    problems.push_back(Join({"kernel for '", k.op, "' at ", k.source(), ": its C++ signature is '",
                             k.code, "', the operator's at ", op->def()->source(), " is '",
                             op->kernels->kernel_code, "'"}));
  }
  return true;
}

SY_COLD void Registry::CheckKernels(std::vector<std::string>& problems) {
  std::vector<const KernelDef*> all;
  for (const KernelDef* bucket : kernels_) {
    for (const KernelDef* k = bucket; k != nullptr; k = k->next) all.push_back(k);
  }
  std::sort(all.begin(), all.end(),
            [](auto* a, auto* b) { return a->op != b->op ? a->op < b->op : Better(a, b); });
  for (size_t i = 0; i < all.size(); ++i) {
    const KernelDef& k = *all[i];
    if (k.op == "*") continue;
    if (IsOfFormula(k)) {
      CheckFormulaKernel(k, problems);
    } else if (!CheckKernel(k, problems)) {
      continue;
    }
    for (size_t j = i + 1; j < all.size() && all[j]->op == k.op; ++j) {
      if (!SameKey(k, *all[j])) continue;
      problems.push_back(
          Join({"kernel for '", k.op, "' on ", k.device == nullptr ? "any device" : k.device,
                " is registered twice for ", DTypeList(k.dtypes & all[j]->dtypes), ": at ",
                k.source(), " and at ", all[j]->source(), "; the first one is used"}));
    }
  }
}

}  // namespace sy
