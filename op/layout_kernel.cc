#include "switchyard/op/layout_kernel.h"

#include <atomic>

namespace sy::internal {
namespace {

constinit std::atomic<const LayoutKernelDef*> linked{nullptr};

}  // namespace

void LinkLayoutKernel(LayoutKernelDef* def) {
  const LayoutKernelDef* last = linked.load(std::memory_order_relaxed);
  do {
    def->next_linked = last;
  } while (!linked.compare_exchange_weak(last, def, std::memory_order_release));
}

const LayoutKernelDef* LinkedLayoutKernels() { return linked.load(std::memory_order_acquire); }

}  // namespace sy::internal
