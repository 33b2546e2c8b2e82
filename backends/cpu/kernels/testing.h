// What tests of kernels share.
//
//   EXPECT_EQ(Text(x), "tensor([1, 2])");
//   EXPECT_TRUE(SameBytes(x, y));
//
// Owns: nothing. Threads: one.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_TESTING_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_TESTING_H_

#include <cstring>
#include <string>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"

namespace sy {

inline std::string Text(const Tensor& t) { return ToString(t); }

// Same sizes and dtype, and every element bit for bit.
inline bool SameBytes(const Tensor& a, const Tensor& b) {
  const Tensor x = contiguous(a), y = contiguous(b);
  return SameSizes(x.sizes(), y.sizes()) && x.dtype() == y.dtype() &&
         std::memcmp(x.data(), y.data(), x.nbytes()) == 0;
}

// [2, rows, columns] of a dtype, whose rows do not lie one after the other.
inline Tensor RandomMatrices(int64_t rows, int64_t columns, DType d) {
  static int calls = 0;  // each another matrix, and the same ones on every run
  manual_seed(calls++);
  const Tensor t = transpose(randn({columns, rows, 2}, DType::kFloat64), 0, 2);
  if (!IsComplex(d)) return to(t, d);
  return to(complex(t, transpose(randn({columns, rows, 2}, DType::kFloat64), 0, 2)), d);
}

// A number of threads for the time of a test, whatever cores there are.
class ThreadsScope {
 public:
  explicit ThreadsScope(int n) : before_(NumThreads()) { SetNumThreads(n); }
  ~ThreadsScope() { SetNumThreads(before_); }
  ThreadsScope(const ThreadsScope&) = delete;

 private:
  int before_;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_TESTING_H_
