// The meta device: tensors with sizes, strides and dtype, and no bytes. Shape functions are all
// there is to run.

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/op/kernel.h"

namespace sy {
namespace {

class MetaBackend final : public DeviceBackend {
 public:
  int Count(std::string*) override { return 1; }
  int Current() override { return -1; }  // there are no several
  Allocator* allocator() override { return nullptr; }
  void CopyFromHost(void*, const void*, size_t, int, StreamHandle) override {}
  void CopyToHost(void*, const void*, size_t, int, StreamHandle) override {
    Fail(ErrorCode::kDataDependent, "meta tensors have no data to copy");
  }
  void CopyWithin(void*, const void*, size_t, int, StreamHandle) override {}
};

DeviceBackend* Make() {
  static MetaBackend backend;
  return &backend;
}

const DeviceRegistration meta{"meta", Make};
const Kernel shapes_only{kNothingToCompute, "meta"};

}  // namespace
}  // namespace sy
