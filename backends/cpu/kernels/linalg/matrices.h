// What kernels on batches of matrices share: memory of their own in LAPACK's layout, threads over
// the matrices, and the libraries' functions by type.
//
//   const Tensor work = ByColumns(a.sizes(), a.dtype());
//   CopyElements(work, a);
//   ForEachMatrix(work, [&](int64_t begin, int64_t end) { … At<T>(work, begin) … });
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for sizes past what LAPACK counts with.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_MATRICES_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_MATRICES_H_

#include <algorithm>
#include <complex>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/backends/cpu/blas/factors.h"
#include "switchyard/backends/cpu/blas/lapack.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy::cpu {

// [batch.., rows, columns], uninitialised: each matrix by columns, one after the other.
Tensor ByColumns(IntSpan sizes, DType dtype);
// The same with t's elements; or, of complex ones with `conjugates`, with the conjugates.
Tensor CopyByColumns(const Tensor& t, bool conjugates = false);
// t itself where it is laid out so, is not complex and shares no memory with out; else such a copy.
Tensor InColumns(const Tensor& t, const Tensor& out);
// out, where it is laid out so; else memory beside it, which Store copies to it. It is written to
// when nothing can fail any more: a kernel that needs a WorkSpace takes ByColumns.
Tensor RoomFor(const Tensor& out);
void Store(const Tensor& out, const Tensor& room);

// Rows for columns, in the same memory.
Tensor Transposed(const Tensor& t);

// Elements outside the triangle become 0.
void KeepTriangle(const Tensor& by_columns, bool upper);
// Ones on the diagonal, zeros elsewhere.
void SetIdentity(const Tensor& t);

// A size that fits LAPACK's integers.
int LapackSize(Call call, int64_t n);

inline int64_t NumMatrices(const Tensor& t) { return NumElements(BatchOf(t)); }
// The i-th matrix of memory laid out by ByColumns, or vector of [batch.., n].
template <class T>
T* MatrixAt(const Tensor& t, int64_t i) {
  return t.data<T>() + i * t.size(-2) * t.size(-1);
}
template <class T>
T* VectorAt(const Tensor& t, int64_t i) {
  return t.data<T>() + i * t.size(-1);
}

// f(begin, end): matrices begin … end - 1 of `sized`'s, in one of several threads.
template <class F>
void ForEachMatrix(const Tensor& sized, F&& f) {
  constexpr int64_t kGrain = 1 << 12;  // elements of matrices worth a thread
  const int64_t elements = std::max<int64_t>(1, sized.size(-2) * sized.size(-1));
  ParallelFor(NumMatrices(sized), std::max<int64_t>(1, kGrain / elements), std::forward<F>(f));
}

// The same for an f that shares a large matrix between threads by itself (blas/factors.h).
template <class F>
void ForEachSharedMatrix(const Tensor& sized, F&& f) {
  ParallelFor(NumMatrices(sized), 1, std::forward<F>(f));
}

// How many numbers LAPACK has said that it needs to work in: at least, since it says so in a float,
// which may have lost its last digits.
// Errors: kInvalidArgument, naming op, where it counts with too few bits.
int WorkLength(std::string_view op, double said);
int WorkLength(std::string_view op, float said);

// Calls f(work, &lwork) of a LAPACK function that says in work[0] how much it needs when lwork is
// -1, and keeps as much for the calls after that.
template <class T>
class WorkSpace {
 public:
  explicit WorkSpace(std::string_view op) : op_(op) {}

  template <class F>
  void Run(F&& f) {
    if (length_ < 0) {
      T best{};
      f(&best, &length_);
      length_ = WorkLength(op_, std::real(best));
      memory_.resize(static_cast<size_t>(length_));
    }
    f(memory_.data(), &length_);
  }

 private:
  const std::string_view op_;
  int length_ = -1;
  std::vector<T> memory_;
};

// f(lapack) with the functions for the dtype.
template <class F>
void VisitLapack(Call call, DType dtype, F&& f) {
  VisitDType<kMatrixTypes>(
      dtype, [&](auto tag) { f(Lapack<typename decltype(tag)::type>::GetOrFail(call.op())); });
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_MATRICES_H_
