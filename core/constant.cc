#include "switchyard/core/constant.h"

#include "switchyard/core/error.h"

namespace sy {
namespace {

// Of bytes that lie in their tensor's block: they go with it.
class InBlock final : public Allocator {
 public:
  Allocation Allocate(const AllocationRequest&) override {
    Fail(ErrorCode::kInternal, "bytes in a block are not allocated");
  }
  void Free(const Allocation&, size_t) noexcept override {}
  MemoryStats Stats(int) const override { return {}; }
};

Allocator* InBlockAllocator() {
  static InBlock* in_block = new InBlock;
  return in_block;
}

}  // namespace

const Tensor& freeze(const Tensor& t) {
  if (!t.defined()) Fail(ErrorCode::kInvalidArgument, "freeze(): the tensor is undefined");
  StorageImpl* s = t.impl()->storage;
  // Storage with an allocator says when it goes.
  if (s->allocator == nullptr) s->allocator = InBlockAllocator();
  s->marks.fetch_or(StorageImpl::kConstant, std::memory_order_release);
  return t;
}

}  // namespace sy
