// What stands for the cuda device in a program built where there is no CUDA toolkit: a name, and
// the reason why there is no device of it.

#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"

namespace sy {
namespace {

constexpr const char* kReason =
    "this program was built without NVIDIA's CUDA toolkit: nvcc was not found in CUDA_HOME, on "
    "PATH or in /usr/local/cuda";

class MissingBackend final : public DeviceBackend {
 public:
  int Count(std::string* reason) override {
    if (reason != nullptr) *reason = kReason;
    return 0;
  }
  Allocator* allocator() override { return nullptr; }
  void CopyFromHost(void*, const void*, size_t, int, StreamHandle) override { Refuse(); }
  void CopyToHost(void*, const void*, size_t, int, StreamHandle) override { Refuse(); }
  void CopyWithin(void*, const void*, size_t, int, StreamHandle) override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() { Fail(ErrorCode::kUnavailable, kReason); }
};

DeviceBackend* Make() {
  static MissingBackend backend;
  return &backend;
}

const DeviceRegistration cuda{"cuda", Make};

}  // namespace

cuda::FormulaKernel::FormulaKernel(const FormulaDef& formula, const char* header)
    : formula_(formula), header_(header) {}
cuda::HeaderText::HeaderText(const char* name, const char* text) : name_(name), text_(text) {}

}  // namespace sy
