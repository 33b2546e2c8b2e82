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
// Errors: as each function says; kRegistration for what is registered wrongly, when it is asked
// for.
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
#include "switchyard/registry/kernel_def.h"
#include "switchyard/registry/operator_def.h"
#include "switchyard/registry/overload_packet.h"

namespace sy {

namespace internal {
class AtFork;
}

// One kernel that could serve a key, and why it was or was not taken.
struct Candidate {
  const KernelDef* kernel;
  bool usable = false;       // serves the key; the first usable one is taken
  bool fits = true;          // false: its C++ types are not those of the operator
  std::string verdict = {};  // "exact dtype", "any dtype", "not for int64", …
};

// One set of operators and kernels. Calls go through the global one alone; others are for tests.
class SY_API Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  // The process's, made when it is first asked for and never destroyed; it takes in what static
  // registrations and shared objects opened since have linked.
  static Registry& Global();

  // The object must live until it is removed, and may be destroyed once calls in flight have ended.
  // Two operators of one full name: the one whose source sorts first serves, the other waits.
  // Errors: kRegistration for an object that is added already; std::bad_alloc, and then it is not
  // added. Removing one that is not does nothing.
  void Add(OperatorDef& def);
  void Remove(OperatorDef& def) noexcept;
  void Add(KernelDef& def);
  void Remove(KernelDef& def) noexcept;

  // By full name, "add.Tensor"; null when nothing is registered under it. Parses the schemas of
  // that name when it is the first to ask. Errors: kRegistration when what is registered under that
  // name is wrong.
  OperatorEntry* Find(std::string_view full_name);
  // By name; null when there is none. "add.Tensor" is a packet of one overload, "aten::add" is
  // add's. hash: HashName(name). Takes no lock where the name was asked for before.
  // Errors: of a full name as Find.
  SY_INLINE OverloadPacket* FindPacket(std::string_view name, uint64_t hash) {
    const NameTable* t = names_.load(std::memory_order_acquire);
    for (uint64_t i = hash;; ++i) {
      OverloadPacket* f = t->cells[i & t->mask].load(std::memory_order_acquire);
      if (f == nullptr) [[unlikely]]
        return FindPacketSlow(name, hash);
      if (f->hash() == hash && f->name().size() == name.size() &&
          SameText(f->name().data(), name.data(), name.size())) [[likely]] {
        return f;
      }
    }
  }
  OverloadPacket* FindPacket(std::string_view name) { return FindPacket(name, HashName(name)); }
  // Overloads of a packet, sorted by overload name, in which variants that are derived stand beside
  // the others. Errors: kRegistration when something of that name is wrong and nothing is right.
  std::vector<OperatorEntry*> Overloads(OverloadPacket& packet);
  // Remembers how calls with arguments of these types go on, where there is memory. seen: changes()
  // before the overload was looked for; after a change nothing is remembered.
  void AddPlan(OverloadPacket& packet, const CallPlan& plan, uint64_t seen) noexcept;
  // A number that each registration and deregistration changes.
  uint64_t changes();
  // Everything that is registered, sorted by name. Parses every schema.
  std::vector<OperatorEntry*> Entries();
  // Sorted, without parsing: every name that is registered, and those of in-place variants.
  std::vector<std::string> PacketNames();
  // Kernels registered for an operator (for its base variant, which all variants share) and for the
  // formula that it names, sorted by device and source; of all devices, whether they are there or
  // not.
  std::vector<const KernelDef*> KernelsOf(const OperatorEntry& op);
  // Everything that is registered for the operator, as it stands to the key: best first, those that
  // do not serve behind. What explain() and the error for a missing kernel show.
  std::vector<Candidate> Candidates(const OperatorEntry& op, KeyWord key);
  // What was registered wrongly: one message each, with both sources, sorted. Parses every schema.
  // Tests of a program ask for none: EXPECT_TRUE(Registry::Global().Problems().empty()).
  std::vector<std::string> Problems();

  // Asked when nothing registered serves a key: a kernel to use instead, kept with Keep, or null.
  // It is called without the registry's lock; what it gives is remembered in the cell.
  using Fallback = const KernelDef* (*)(const OperatorEntry& op, KeyWord key);
  void SetFallback(Fallback f);  // and forgets resolved kernels
  // A kernel made while running, kept as long as the registry; of equal ones the first.
  const KernelDef* Keep(const KernelDef& def);
  // The typed function by which a call of a direct operator boxes its arguments, once somebody
  // makes typed calls.
  void SetBoxingKernel(const OperatorEntry& op, Fn boxing_kernel);
  // The entry by which variants copy tensors: "copy_". Errors: kNotFound in a program without
  // operators.
  const OperatorEntry& CopyEntry();

 private:
  friend class KernelTable;
  static const internal::AtFork at_fork_;
  // Open addressing; as many cells as a power of two, half of them empty at least.
  struct NameTable {
    explicit NameTable(size_t size)
        : mask(size - 1), cells(new std::atomic<OverloadPacket*>[size]()) {}
    uint64_t mask;
    std::unique_ptr<std::atomic<OverloadPacket*>[]> cells;
  };
  // A power of two; what shares a bucket is walked.
  static constexpr size_t kBuckets = 1024;

  // Under the lock: makes the packet where something of its name is registered.
  OverloadPacket* FindPacketSlow(std::string_view name, uint64_t hash);
  // Whether operators have that name, which is without overload.
  bool IsRegistered(std::string_view name) const;
  // For the full name or ATen's spelling of a name: the packet that has the overloads, or null.
  OverloadPacket* FindOwner(std::string_view name);
  void TakePending();
  void GrowNames();  // so that there is room for one more
  static void Insert(const NameTable& table, OverloadPacket* f);

  // --- Packets and their variants (registry/overload_packets.cc).
  void Make(OverloadPacket& f);
  // What all variants of the packet need to serve, made aside: nothing that calls see changes.
  std::vector<RegisteredVariant> Prepare(const OverloadPacket& f);
  void PrepareVariant(const OverloadPacket& f, RegisteredVariant& variant, const OperatorEntry& e);
  void FindKernels(RegisteredVariant& variant);
  void Serve(OverloadPacket& f, std::vector<RegisteredVariant> variants) noexcept;
  void Install(OverloadPacket& f) noexcept;
  static void Retire(OperatorEntry& e) noexcept;
  void AddVariants(const OperatorDef& def);
  void RemoveVariants(const OperatorDef& def) noexcept;
  static std::vector<OperatorEntry*> Serving(const OverloadPacket& f);
  static std::vector<std::string> ProblemsOf(const OverloadPacket& f);
  static void FailProblem(const OverloadPacket& f);  // returns where there is none
  // The entry of a schema, the old one where there was one.
  OperatorEntry& InternEntry(Schema schema);
  void ResetFor(const KernelDef& def) noexcept;
  const KernelDef* ResolveCell(const KernelTable& table, KeyWord key);
  void CheckKernels(std::vector<std::string>& problems);
  bool CheckKernel(const KernelDef& k, std::vector<std::string>& problems);
  void CheckFormulaKernel(const KernelDef& k, std::vector<std::string>& problems);

  std::recursive_mutex mutex_;
  std::atomic<const NameTable*> names_;
  std::vector<std::unique_ptr<const NameTable>> name_tables_;  // older ones stay for their readers
  std::deque<OverloadPacket> packets_;
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
