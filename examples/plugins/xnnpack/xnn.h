// XNNPACK's operators with an owner, its statuses as errors, and what kernels keep between calls.
//
//   Operator op;
//   Created(xnn_create_abs_nc_f32(1, 1, 1, 0, op.out()));
//   op.Run(pool, [&](xnn_operator_t o, pthreadpool_t p) {
//     return xnn_setup_abs_nc_f32(o, n, x, out, p);
//   });
//
// Owns: an Operator what XNNPACK has created, packed weights included.
// Threads: an operator holds one setup at a time: Run locks it.
// Errors: what XNNPACK does not serve is Declined, before anything is written; all else is an
// Error.
#ifndef XNNPACK_XNN_H_
#define XNNPACK_XNN_H_

#include <xnnpack.h>

#include <limits>
#include <memory>
#include <mutex>

#include "device.h"
#include "switchyard/c/plugin.hpp"

namespace xnnpack {

using namespace sy::abi;  // NOLINT: the vocabulary of every kernel

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr DType kFloat32 = {SY_FLOAT32}, kInt8 = {SY_INT8};

// Of making an operator or setting it up: nothing is written yet.
void Created(xnn_status status);
// Of computing.
void Computed(xnn_status status);

class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  ~Operator() {
    if (op_ != nullptr) xnn_delete_operator(op_);
  }
  xnn_operator_t* out() { return &op_; }
  // setup(operator, pool) → xnn_status, then computes. pool: null for this thread alone.
  template <class F>
  void Run(pthreadpool_t pool, F setup) {
    const std::lock_guard lock(mutex_);
    Created(setup(op_, pool));
    Computed(xnn_run_operator(op_, pool));
  }

 private:
  std::mutex mutex_;
  xnn_operator_t op_ = nullptr;
};

// An operator that is kept, and what its maker has found out about the weights in it.
struct Kept {
  Operator op;
  bool finite = true;
};

// Kept under these numbers, and by constants (bit i: argument i of the call), or made:
// make(Kept&).
template <size_t kN, class F>
Kept& Keep(Call call, const int64_t (&key)[kN], uint64_t constants, F make) {
  if (Kept* found = call.State<Kept>(key, sizeof(key), constants)) return *found;
  auto made = std::make_unique<Kept>();
  make(*made);
  return *call.KeepState(std::move(made), key, sizeof(key), constants);
}

// Argument i as a bit of `constants`; 0 where it may change.
inline uint64_t ConstantBit(Tensor t, int i) {
  return t.defined() && t.is_constant() ? uint64_t{1} << i : 0;
}

// The device's threads, for as much work as pays for waking them. elements: read or written.
inline pthreadpool_t Pool(Call call, int64_t elements) {
  return elements < 16384 ? nullptr : call.device<Device>().pool();
}

// Memory of this call, with the bytes behind it that XNNPACK may read.
template <class T>
T* Scratch(Call call, int64_t n) {
  const auto bytes = static_cast<uint64_t>(n) * sizeof(T) + XNN_EXTRA_BYTES;
  return static_cast<T*>(call.Workspace(bytes).handle);
}

// A size as XNNPACK takes it.
inline uint32_t Small(int64_t n) {
  if (n < 0 || n > INT32_MAX) throw Declined("a number past 32 bits");
  return static_cast<uint32_t>(n);
}

}  // namespace xnnpack

#endif  // XNNPACK_XNN_H_
