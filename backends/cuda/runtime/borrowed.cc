#include "backends/cuda/runtime/borrowed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "backends/cuda/runtime/marks.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/core/error.h"

namespace sy::cuda {

struct Borrowed::Loan {
  std::mutex mutex;
  DeviceState& device;
  std::function<void()> on_free;
  std::vector<StreamHandle> used_by;  // where no mark is set yet
  std::vector<void*> marks = {};      // not yet reached

  void UsedBy(StreamHandle stream) {
    if (std::ranges::find(used_by, stream) == used_by.end()) used_by.push_back(stream);
  }
};

Borrowed& BorrowedMemory() {
  static Borrowed* borrowed = new Borrowed;
  return *borrowed;
}

Allocation Borrowed::Allocate(const AllocationRequest&) {
  Fail(ErrorCode::kInternal, "lent memory is not allocated");
}

Allocation Borrowed::Take(void* address, DeviceState& device, std::function<void()> on_free) {
  GiveBack(false);
  auto loan = std::unique_ptr<Loan>(new Loan{{}, device, {}, {&CurrentStreamOf(device.index())}});
  loan->on_free = std::move(on_free);
  return {address, loan.release()};
}

void Borrowed::RecordStream(const Allocation& allocation, StreamHandle stream) {
  auto* loan = static_cast<Loan*>(allocation.context);
  std::lock_guard lock(loan->mutex);
  loan->UsedBy(stream);
}

// Whether nothing uses it any more. Marks are set where they are missing and can be set.
bool Borrowed::IsDue(Loan& loan, bool wait) {
  std::erase_if(loan.used_by, [&](StreamHandle s) {
    void* mark = SetMark(s);
    if (mark != nullptr) loan.marks.push_back(mark);
    return mark != nullptr;
  });
  std::erase_if(loan.marks, [wait](void* mark) { return ReachedMark(mark, wait); });
  return loan.used_by.empty() && loan.marks.empty();
}

void Borrowed::Free(const Allocation& allocation, size_t) noexcept {
  std::unique_ptr<Loan> loan(static_cast<Loan*>(allocation.context));
  loan->UsedBy(&CurrentStreamOf(loan->device.index()));
  if (IsDue(*loan, false)) {
    if (loan->on_free) loan->on_free();
    return;
  }
  std::lock_guard lock(mutex_);
  waiting_.push_back(loan.release());
  num_waiting_.store(waiting_.size(), std::memory_order_relaxed);
}

void Borrowed::GiveBack(bool wait) {
  if (num_waiting_.load(std::memory_order_relaxed) == 0) [[likely]]
    return;
  std::vector<std::unique_ptr<Loan>> due;
  {
    std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](Loan* loan) {
      const bool done = IsDue(*loan, wait);
      if (done) due.emplace_back(loan);
      return done;
    });
    num_waiting_.store(waiting_.size(), std::memory_order_relaxed);
  }
  for (const std::unique_ptr<Loan>& loan : due) {
    if (loan->on_free) loan->on_free();
  }
}

}  // namespace sy::cuda
