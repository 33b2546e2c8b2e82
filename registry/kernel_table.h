// The table of resolved kernels of one operator: cell[device row][dtype], filled at the first call
// of each cell.
//
//   const KernelDef* k = op.kernels->Find(key);   // null: FailMissingKernel says why
//
// A cell is a pure function of what is registered. Registering or deregistering empties cells in
// place, so that readers never hold a retired table; they take no lock.
// Cost: three loads where the cell is filled; rows are made as devices are first used.
// Owns: its rows.
// Threads: any; writers hold the registry's lock.
// Errors: resolving throws kRegistration for what is registered wrongly, and kNotFound for an
// operator without a shape function that is no longer registered.
#ifndef SWITCHYARD_REGISTRY_KERNEL_TABLE_H_
#define SWITCHYARD_REGISTRY_KERNEL_TABLE_H_

#include <atomic>

#include "switchyard/core/key_word.h"
#include "switchyard/registry/kernel_def.h"
#include "switchyard/registry/operator_def.h"

namespace sy {

class KernelTable {
 public:
  // Null: not resolved yet, or nothing serves it, which is asked anew each time.
  using Cell = std::atomic<const KernelDef*>;
  using RowCells = std::atomic<Cell*>;

  // entry: the operator's base variant, whose name kernels register for.
  explicit KernelTable(const OperatorEntry& entry) : entry_(entry) {}
  ~KernelTable();
  KernelTable(const KernelTable&) = delete;

  // The kernel for a key's slot; null when there is none, by whatever way: its own kernels, its
  // formula's, those of its tags, composites, the fallback. Its fn has the operator's kernel types.
  // Errors: kRegistration when what is registered is wrong.
  SY_INLINE const KernelDef* Find(KeyWord key) const {
    RowCells* rows = rows_.load(std::memory_order_acquire);
    Cell* row = rows[(key & kSlotMask) >> kDTypeBits].load(std::memory_order_acquire);
    const KernelDef* k = row[key & (kMaxDTypes - 1)].load(std::memory_order_acquire);
    if (k == nullptr) [[unlikely]]
      return Resolve(key);
    return k;
  }
  // Empties the cells, which are resolved anew when next needed. Under the registry's lock.
  void Reset();

  const OperatorEntry& entry() const { return entry_; }
  // A typed function of the operator's kernel signature that boxes its arguments; by it a boxed
  // kernel is called like any other. Null while nobody makes typed calls of an operator without a
  // shape function.
  Fn boxing_kernel = nullptr;
  // The same for kernels that take views; null where the arguments cannot be shown as such.
  Fn viewing_kernel = nullptr;
  // Shows boxed arguments as the operator's shape function leaves them; null where it leaves all as
  // they are.
  NormaliseFn normalise = nullptr;
  std::string_view kernel_code;  // SignatureCode expected of kernels
  Fn shape_function = nullptr;   // null: kernels return the results; else they are given outputs
  const FormulaDef* formula = nullptr;  // whose kernels serve the operator besides its own
  // The operator whose results this one, an in-place or out= variant without a shape function,
  // computes and copies.
  const OperatorEntry* derived_from = nullptr;

 private:
  friend class Registry;
  SY_API SY_COLD const KernelDef* Resolve(KeyWord key) const;
  void Fill(KeyWord key, const KernelDef* k);  // under the registry's lock

  static RowCells* NoRows();

  const OperatorEntry& entry_;
  std::atomic<RowCells*> rows_{NoRows()};
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_KERNEL_TABLE_H_
