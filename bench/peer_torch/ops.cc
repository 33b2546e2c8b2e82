// Operators on large tensors: bench/ops_list.h through libtorch's C++ API, in InferenceMode.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench/case.h"

namespace bench {

using namespace at;  // NOLINT(google-build-using-namespace): the list's names are the API's

enum Kind : unsigned { kFloat, kHalf16, kInt, kBit };

void Prepare() { thread_local const c10::InferenceMode mode; }
void SetThreads(int n) { at::set_num_threads(n); }

Tensor Numbers(Kind kind, int64_t rows, int64_t columns) {
  constexpr ScalarType kDTypes[] = {ScalarType::Float, ScalarType::BFloat16, ScalarType::Long,
                                    ScalarType::Bool};
  Tensor t = at::empty({rows, columns}, ScalarType::Float);
  if (kind == kBit) return t.bernoulli_().to(ScalarType::Bool);
  if (kind == kInt) return t.uniform_(1, 101).to(ScalarType::Long);
  return t.uniform_(0.5, 2.5).to(kDTypes[kind]);
}
Tensor Positions(int64_t rows, int64_t columns, int64_t end) {
  return at::randint(end, {rows, columns}, ScalarType::Long);
}
Tensor Permutation(int64_t n) { return at::randperm(n, ScalarType::Long); }
Tensor Std(const Tensor& t, int64_t dim) {
  return at::std(t, at::OptionalIntArrayRef(dim), true, false);
}

// Methods, as functions.
Tensor contiguous(const Tensor& t) { return t.contiguous(); }
Tensor& add_(Tensor& t, const Tensor& b) { return t.add_(b); }
Tensor& copy_(Tensor& t, const Tensor& b) { return t.copy_(b); }
Tensor& index_copy_(Tensor& t, int64_t dim, const Tensor& index, const Tensor& b) {
  return t.index_copy_(dim, index, b);
}
Tensor& scatter_(Tensor& t, int64_t dim, const Tensor& index, const Tensor& b) {
  return t.scatter_(dim, index, b);
}
Tensor& index_add_(Tensor& t, int64_t dim, const Tensor& index, const Tensor& b) {
  return t.index_add_(dim, index, b);
}
Tensor& index_fill_(Tensor& t, int64_t dim, const Tensor& index, const Scalar& value) {
  return t.index_fill_(dim, index, value);
}
Tensor repeat(const Tensor& t, IntArrayRef times) { return t.repeat(times); }
Tensor& normal_(Tensor& t) { return t.normal_(); }
Tensor& uniform_(Tensor& t) { return t.uniform_(); }
Tensor& bernoulli_(Tensor& t) { return t.bernoulli_(); }

}  // namespace bench

#include "bench/ops_list.h"
#include "bench/ops_rows.h"
