#include "switchyard/backends/cuda/formula.h"

#include <atomic>

#include "backends/cuda/plan/pointwise_source.h"

namespace sy::cuda {
namespace {

constinit std::atomic<const FormulaKernel*> first_kernel{nullptr};
constinit std::atomic<const HeaderText*> first_header{nullptr};

template <class T>
void Push(std::atomic<const T*>& list, const T*& next, const T* node) {
  next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(next, node, std::memory_order_acq_rel)) {
  }
}

}  // namespace

const FormulaKernel* FormulaKernel::First() { return first_kernel.load(std::memory_order_acquire); }
void LinkFormula(const FormulaKernel* kernel, const FormulaKernel*& next) {
  Push(first_kernel, next, kernel);
}

const HeaderText* HeaderText::First() { return first_header.load(std::memory_order_acquire); }
HeaderText::HeaderText(const char* name, const char* text) : name_(name), text_(text) {
  Push(first_header, next_, this);
}

}  // namespace sy::cuda
