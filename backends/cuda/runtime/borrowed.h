// Memory of a device that others have allocated and lend (DLPack, FromBlob): given back by a
// function of theirs, once the work that uses it is done.
//
//   Allocation a = BorrowedMemory().Take(address, device, [] { … });
//   BorrowedMemory().Free(a, bytes);       // queued work may still use it; then the function runs
//   BorrowedMemory().GiveBack(false);      // what is due by now
//
// Marks are set, when memory is freed, in the stream that was current when it was taken in, in
// those that it was recorded for, and in the freeing thread's current one. Whether they are reached
// is looked at when memory is allocated, borrowed or freed, and when the device is waited for.
// Owns: the functions, until they have run.
// Threads: any; a function runs in whichever finds it due, without a lock.
// Errors: none of its own.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_BORROWED_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_BORROWED_H_

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "switchyard/core/allocator.h"

namespace sy::cuda {

class DeviceState;

class Borrowed final : public Allocator {
 public:
  // on_free may be empty.
  Allocation Take(void* address, DeviceState& device, std::function<void()> on_free);
  // wait: for the work that uses what is freed already.
  void GiveBack(bool wait);

  Allocation Allocate(const AllocationRequest&) override;  // kInternal
  void Free(const Allocation& allocation, size_t bytes) noexcept override;
  void RecordStream(const Allocation& allocation, StreamHandle stream) override;
  bool is_lent(const Allocation&) const override { return true; }
  MemoryStats Stats(int) const override { return {}; }

 private:
  struct Loan;
  static bool IsDue(Loan& loan, bool wait);

  std::mutex mutex_;
  std::vector<Loan*> waiting_;
  std::atomic<size_t> num_waiting_{0};
};

Borrowed& BorrowedMemory();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_BORROWED_H_
