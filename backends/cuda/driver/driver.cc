#include "backends/cuda/driver/driver.h"

#include <atomic>

#include "backends/cuda/driver/library.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

std::atomic<const DriverTable*> replacement{nullptr};

struct Opened {
  DriverTable table{};
  std::string problem;

  Opened() {
    Library library("libcuda.so.1");
    if (!library.open()) {
      problem = "NVIDIA's driver is not installed: " + library.problem();
      return;
    }
    bool complete = true;
#define SY_CUDA_FIND(name)                                                                     \
  table.name = reinterpret_cast<decltype(table.name)>(library.Find(SY_CUDA_SYMBOL(cu##name))); \
  complete &= table.name != nullptr;
    SY_CUDA_DRIVER_FUNCTIONS(SY_CUDA_FIND)
#undef SY_CUDA_FIND
#define SY_CUDA_FIND(name, symbol, type)                                     \
  table.name = reinterpret_cast<decltype(table.name)>(library.Find(symbol)); \
  complete &= table.name != nullptr;
    SY_CUDA_OLDER_FUNCTIONS(SY_CUDA_FIND)
#undef SY_CUDA_FIND
    if (!complete) {
      problem = "NVIDIA's driver is too old, one of CUDA 12 is needed: " + library.problem();
    } else if (const CUresult r = table.Init(0); r != CUDA_SUCCESS) {
      const char* text = "unknown";
      table.GetErrorString(r, &text);
      problem = std::string("NVIDIA's driver does not start: ") + text;
    }
  }
};

}  // namespace

void UseDriver(const DriverTable& table) { replacement.store(&table, std::memory_order_release); }

const DriverTable* FindDriver(std::string* why) {
  if (const DriverTable* t = replacement.load(std::memory_order_acquire)) return t;
  static const Opened* opened = new Opened;
  if (opened->problem.empty()) return &opened->table;
  if (why != nullptr) *why = opened->problem;
  return nullptr;
}

const DriverTable& Driver() {
  std::string why;
  if (const DriverTable* table = FindDriver(&why)) [[likely]]
    return *table;
  Fail(ErrorCode::kUnavailable, why);
}

int DriverMajor() {
  int version = 0;
  const DriverTable* driver = FindDriver();
  if (driver == nullptr || driver->DriverGetVersion(&version) != CUDA_SUCCESS)
    return CUDA_VERSION / 1000;
  return version / 1000;
}

std::string Describe(CUresult result) {
  const char *name = "an unknown error", *text = "";
  Driver().GetErrorName(result, &name);
  Driver().GetErrorString(result, &text);
  return fmt::format("{}: {}", name, text);
}

void FailDriver(CUresult result, std::string_view what) {
  const ErrorCode code =
      result == CUDA_ERROR_OUT_OF_MEMORY ? ErrorCode::kOutOfMemory : ErrorCode::kUnavailable;
  Fail(code, {"cuda: ", what, " failed: ", Describe(result)});
}

}  // namespace sy::cuda
