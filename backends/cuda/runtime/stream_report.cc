#include "backends/cuda/runtime/stream_report.h"

#include <atomic>
#include <bit>

#include "backends/cuda/runtime/op_names.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "switchyard/backends/common/checks.h"

namespace sy::cuda {
namespace {

[[noreturn]] void Fail(const Said& said) {
  const std::string_view op = OpOfNumber(said.op);
  const int64_t a = said.a, b = said.b, c = said.c;
  switch (said.complaint) {
    case Complaint::kDivisionByZero:
      FailDivisionByZero(op);
    case Complaint::kOutsideUnit:
      FailProbability(op, std::bit_cast<double>(a));
    case Complaint::kClass:
      FailClass(op, a, b);
    case Complaint::kSorter:
      FailSorter(op, a, b);
    case Complaint::kSourceTooShort:
      FailShortSource(op, a);
    case Complaint::kProbability:
      FailWeight(op, std::bit_cast<double>(a), b, c);
    case Complaint::kNoProbability:
      FailNoWeight(op, c);
    case Complaint::kRate:
      FailRate(op, std::bit_cast<double>(a));
    default:
      FailPosition(op, a, c, b);
  }
}

}  // namespace

StreamReport::StreamReport(DeviceState& device) : device_(device) {
  const RelaxedCapture relaxed;
  void* said = nullptr;
  cuda::Check(Driver().MemHostAlloc(&said, sizeof(Said),
                                    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
              "allocating pinned memory");
  said_ = new (said) Said{};
  try {
    on_device_ = static_cast<Report*>(device.TakeReport(said_));
  } catch (...) {
    Driver().MemFreeHost(said_);
    throw;
  }
}

StreamReport::~StreamReport() {
  const RelaxedCapture relaxed;
  device_.GiveBackReport(on_device_);
  if (const InUse on = device_.TryUse()) Driver().MemFreeHost(said_);
}

void StreamReport::Check() {
  const std::atomic_ref complaint(said_->complaint);
  if (complaint.load(std::memory_order_acquire) == Complaint::kNone) [[likely]]
    return;
  const Said said = *said_;
  complaint.store(Complaint::kNone, std::memory_order_relaxed);
  device_.ClearReport(on_device_);
  Fail(said);
}

}  // namespace sy::cuda
