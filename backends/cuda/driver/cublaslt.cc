#include "backends/cuda/driver/cublaslt.h"

#include <atomic>
#include <optional>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/driver/switches.h"
#include "switchyard/core/logging.h"

namespace sy::cuda {
namespace {

std::optional<LtTable>& Given() {
  static std::optional<LtTable> given;
  return given;
}

struct Opened {
  LtTable table;
  bool complete = false;

  // SWITCHYARD_CUDA_LIBRARIES=0: this backend's own kernels alone.
  Opened() {
    if (Given()) {
      table = *Given();
      complete = true;
      return;
    }
    if (SwitchedOff("SWITCHYARD_CUDA_LIBRARIES")) return;
    Library& library = LibraryOf(Lib::kCublasLt);
    if (!library.open()) {
      WarnOfOwnProducts("it cannot be opened: " + library.problem());
      return;
    }
#define SY_CUBLASLT_FIND(name) \
  table.name = reinterpret_cast<decltype(table.name)>(library.Find(SY_CUDA_SYMBOL(cublasLt##name)));
    SY_CUBLASLT_FUNCTIONS(SY_CUBLASLT_FIND)
#undef SY_CUBLASLT_FIND
    complete = library.problem().empty();
    if (!complete) WarnOfOwnProducts(library.path() + " is too old: " + library.problem());
  }
};

}  // namespace

void UseLt(const LtTable& table) { Given() = table; }

const LtTable* FindLt() {
  static const Opened* opened = new Opened;
  return opened->complete ? &opened->table : nullptr;
}

void WarnOfOwnProducts(const std::string& why) {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true) && !is_warn_always_enabled()) return;
  Log(LogLevel::kWarning,
      "matrix products on cuda are slow, since cuBLASLt does not serve: " + why);
}

}  // namespace sy::cuda
