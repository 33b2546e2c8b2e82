// The registry: what operators and kernels exist. It holds no policy; the dispatcher decides what
// happens without a kernel.
//
//   Registry& r = Registry::Global();
//   OperatorEntry* op = r.Find("add.Tensor");
//   for (const OperatorEntry* e : r.Entries()) …
//
// Static registrations are linked before main and taken in when the global registry is first used;
// schemas are parsed when first needed. What was registered wrongly is kept as a problem with both
// sources, never thrown at registration. A Registry is a plain object: tests make their own.
// Deregistering restores what was there before, in any order; it takes no memory. Registering, like
// every look-up, is done or throws with nothing changed.
// Owns: entries, tables, derived kernels.
// Threads: everything from any thread; calls go on while others register.
#ifndef SWITCHYARD_REGISTRY_REGISTRY_H_
#define SWITCHYARD_REGISTRY_REGISTRY_H_

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "switchyard/registry/entry.h"
#include "switchyard/registry/family.h"
#include "switchyard/registry/kernel.h"
#include "switchyard/registry/operator.h"

namespace sy {

namespace internal {
class AtFork;
}

// One kernel that could serve a key, and why it was or was not taken.
struct Candidate {
  const KernelDef* kernel;
  bool usable;          // serves the key; the first usable one is taken
  std::string verdict;  // "exact dtype", "any dtype", "not for int64", …
};

class SY_API Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  static Registry& Global();

  // The object must live until it is removed, and may be destroyed once calls in flight have ended.
  // Errors: kRegistration for an object that is added already. Removing one that is not does
  // nothing.
  void Add(OperatorDef& def);
  void Remove(OperatorDef& def) noexcept;
  void Add(KernelDef& def);
  void Remove(KernelDef& def) noexcept;

  // By full name, "add.Tensor"; null when nothing is registered under it. Errors: kRegistration
  // when what is registered under that name is wrong.
  OperatorEntry* Find(std::string_view full_name);
  // By name without overload; null when there is none.
  SY_INLINE Family* FindFamily(std::string_view name, uint64_t hash) {
    const NameTable* t = names_.load(std::memory_order_acquire);
    for (uint64_t i = hash;; ++i) {
      Family* f = t->cells[i & t->mask].load(std::memory_order_acquire);
      if (f == nullptr) [[unlikely]]
        return FindFamilySlow(name, hash);
      if (f->hash() == hash && f->name().size() == name.size() &&
          SameText(f->name().data(), name.data(), name.size())) [[likely]] {
        return f;
      }
    }
  }
  Family* FindFamily(std::string_view name) { return FindFamily(name, HashName(name)); }
  // Overloads of a family, sorted by overload name. Errors: kRegistration when something of that
  // name is wrong and nothing is right.
  std::vector<OperatorEntry*> Overloads(Family& family);
  // Remembers that calls with arguments of these types go to this overload, where there is memory.
  void AddPlan(Family& family, uint64_t signature, const OperatorEntry& op) noexcept;
  // Everything that is registered, sorted by name.
  std::vector<OperatorEntry*> Entries();
  std::vector<std::string> FamilyNames();
  // Kernels registered for an operator (for its base form, which all forms share), sorted by device
  // and source.
  std::vector<const KernelDef*> KernelsOf(const OperatorEntry& op);
  // Everything that is registered for the operator, as it stands to the key: best first.
  std::vector<Candidate> Candidates(const OperatorEntry& op, KeyWord key);
  // What was registered wrongly: one message each, with both sources. Parses every schema.
  std::vector<std::string> Problems();

  // Asked when nothing registered serves a key: a kernel to use instead, kept with Keep, or null.
  using Fallback = const KernelDef* (*)(const OperatorEntry& op, KeyWord key);
  void SetFallback(Fallback f);  // and forgets resolved kernels
  // A kernel made while running, kept as long as the registry.
  const KernelDef* Keep(const KernelDef& def);
  // The typed function by which a call of a direct operator boxes its arguments, once somebody
  // makes typed calls.
  void SetBoxingKernel(const OperatorEntry& op, Fn boxing_kernel);
  // The entry by which forms copy tensors: "copy_". Errors: kNotFound.
  const OperatorEntry& CopyEntry();

 private:
  friend class KernelTable;
  static const internal::AtFork at_fork_;
  struct NameTable {
    explicit NameTable(size_t size) : mask(size - 1), cells(new std::atomic<Family*>[size]()) {}
    uint64_t mask;
    std::unique_ptr<std::atomic<Family*>[]> cells;
  };
  static constexpr size_t kBuckets = 1024;

  Family* FindFamilySlow(std::string_view name, uint64_t hash);
  void TakePending();
  void GrowNames();  // so that there is room for one more
  static void Insert(const NameTable& table, Family* f);

  // --- Families and their forms (registry/families.cc).
  void Make(Family& f);
  // What all forms of the family need to serve, made aside: nothing that calls see changes.
  std::vector<RegisteredForm> Prepare(const Family& f);
  void PrepareForm(const Family& f, RegisteredForm& form, const OperatorEntry& e);
  void FindKernels(RegisteredForm& form);
  void Serve(Family& f, std::vector<RegisteredForm> forms) noexcept;
  static void Install(Family& f) noexcept;
  static void Retire(OperatorEntry& e) noexcept;
  void AddForms(const OperatorDef& def);
  void RemoveForms(const OperatorDef& def) noexcept;
  static std::vector<OperatorEntry*> Serving(const Family& f);
  static std::vector<std::string> ProblemsOf(const Family& f);
  static void FailProblem(const Family& f);  // returns where there is none
  OperatorEntry& InternEntry(Schema schema);
  void ResetFor(const KernelDef& def) noexcept;
  const KernelDef* ResolveCell(const KernelTable& table, KeyWord key);
  void CheckKernels(std::vector<std::string>& problems);

  std::recursive_mutex mutex_;
  std::atomic<const NameTable*> names_;
  std::vector<std::unique_ptr<const NameTable>> name_tables_;  // older ones stay for their readers
  std::deque<Family> families_;
  std::deque<OperatorEntry> entries_;
  std::unordered_map<std::string, OperatorEntry*> entry_of_schema_;
  std::array<OperatorDef*, kBuckets> operators_ = {};  // by hash of the name without overload
  std::array<KernelDef*, kBuckets> kernels_ = {};      // by hash of the operator's full name
  std::deque<KernelDef> kept_;
  Fallback fallback_ = nullptr;
  uint64_t changes_ = 0;  // registrations, deregistrations and fallbacks so far
  const OperatorEntry* copy_entry_ = nullptr;
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_REGISTRY_H_
