// What a kernel has to say about values it was given: an index out of range, a division by zero.
// Kernels skip what is wrong, write one report for their stream, and go on; the host reads it where
// it next waits for the stream.
//
// The host and NVRTC compile this header: plain types alone.
// Owns: nothing; a stream owns its report (runtime/stream_report.h).
// Threads: the first thread of the device that has something to say takes the report, which lies in
// the device's memory, and says it in the host's; the host reads that when there is a complaint,
// which is written last, then gives the report free.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_REPORT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_REPORT_H_

namespace sy::cuda {

enum class Complaint : int {
  kNone,
  kPosition,        // a: the index, b: the dim's size, c: the dim
  kDivisionByZero,  // of integers
  kSourceTooShort,  // a: how many elements there are for those that a mask picks
  kProbability,     // a: one that is none, as a double's bits; b: its position, c: its row
  kNoProbability,   // c: the row that has nothing but 0
  kOutsideUnit,     // a: the bits of a double that is not 0 to 1
  kClass,           // a: the class, b: how many there are
  kSorter,          // a: the position, b: how many there are
  kRate             // a: the bits of a double that is negative or NaN
};

struct Said {
  Complaint complaint;
  int op;  // of the operator that launched (runtime/op_names.h)
  long long a, b, c;
};
struct Report {
  Said* said;
  unsigned taken;
};

#if defined(__CUDACC__)
__device__ __forceinline__ void Complain(Report* report, int op, Complaint complaint,
                                         long long a = 0, long long b = 0, long long c = 0) {
  if (*const_cast<volatile unsigned*>(&report->taken) != 0u) return;
  if (atomicCAS(&report->taken, 0u, 1u) != 0u) return;
  Said* const said = report->said;
  said->op = op;
  said->a = a;
  said->b = b;
  said->c = c;
  __threadfence_system();
  *const_cast<volatile Complaint*>(&said->complaint) = complaint;
}
#endif

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_REPORT_H_
