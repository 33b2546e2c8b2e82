// Operators on large tensors: bench/ops_list.h through our C++ API.

#include "switchyard/ops.h"

#include "bench/case.h"
#include "switchyard/core/parallel.h"

namespace bench {

using namespace sy;  // NOLINT(google-build-using-namespace): the list's names are the API's

enum Kind : unsigned { kFloat, kHalf16, kInt, kBit };

DType DTypeOf(Kind kind) {
  constexpr DType kDTypes[] = {DType::kFloat32, DType::kBFloat16, DType::kInt64, DType::kBool};
  return kDTypes[kind];
}
Tensor Numbers(Kind kind, int64_t rows, int64_t columns) {
  const Tensor t = empty({rows, columns}, DType::kFloat32);
  if (kind == kBit) return to(bernoulli_(t), DType::kBool);
  if (kind == kInt) return to(uniform_(t, 1, 101), DType::kInt64);
  return to(uniform_(t, 0.5, 2.5), DTypeOf(kind));
}
Tensor Positions(int64_t rows, int64_t columns, int64_t end) {
  return randint(end, {rows, columns}, DType::kInt64);
}
Tensor Permutation(int64_t n) { return randperm(n); }
Tensor Std(const Tensor& t, int64_t dim) { return sy::std(t, {dim}, 1); }
void Prepare() {}
void SetThreads(int n) { SetNumThreads(n); }

}  // namespace bench

#include "bench/ops_list.h"
#include "bench/ops_rows.h"
