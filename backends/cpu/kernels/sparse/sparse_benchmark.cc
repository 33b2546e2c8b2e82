// Times of sparse matrices of float32: 1000 rows and columns, of which a tenth of the elements, or
// of the blocks of 20 x 20, is held. Argument: threads.

#include <benchmark/benchmark.h>

#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int64_t kRows = 1000, kBlock = 20;

// f(coo, csr, bsr, another csr, a strided one of 64 columns)
template <class F>
void Run(benchmark::State& state, F f) {
  SetNumThreads(static_cast<int>(state.range(0)));
  manual_seed(1);
  const auto held = [](int64_t rows) { return to(lt(rand({rows, rows}), 0.1), DType::kFloat32); };
  const auto elements = [&] { return mul(randn({kRows, kRows}), held(kRows)); };
  const Tensor blocks =
      repeat_interleave(repeat_interleave(held(kRows / kBlock), kBlock, 0), kBlock, 1);
  const Tensor coo = to_sparse(elements()), csr = to_sparse_csr(coo),
               other = to_sparse_csr(elements()),
               bsr = to_sparse_bsr(mul(randn({kRows, kRows}), blocks), {kBlock, kBlock}),
               dense = randn({kRows, 64});
  for (auto _ : state) benchmark::DoNotOptimize(f(coo, csr, bsr, other, dense));
}

#define SY_BENCHMARK(name, call)                                                                \
  void name(benchmark::State& state) {                                                          \
    Run(state, [](const Tensor& coo, const Tensor& csr, const Tensor& bsr, const Tensor& other, \
                  const Tensor& dense) {                                                        \
      static_cast<void>(coo), static_cast<void>(csr), static_cast<void>(bsr);                   \
      static_cast<void>(other), static_cast<void>(dense);                                       \
      return call;                                                                              \
    });                                                                                         \
  }                                                                                             \
  BENCHMARK(name)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond)
SY_BENCHMARK(CooTimesStrided, mm(coo, dense));
SY_BENCHMARK(CsrTimesStrided, mm(csr, dense));
SY_BENCHMARK(BsrTimesStrided, mm(bsr, dense));
SY_BENCHMARK(CsrTimesVector, mv(csr, select(dense, 1, 0)));
SY_BENCHMARK(CsrTimesCsr, mm(csr, other));
SY_BENCHMARK(CsrPlusCsr, add(csr, other));
SY_BENCHMARK(CooTimesNumber, mul(coo, 2));
SY_BENCHMARK(CooSumOfRows, sum(coo, {1}));
SY_BENCHMARK(CooToStrided, to_dense(coo));
SY_BENCHMARK(CsrToStrided, to_dense(csr));

}  // namespace
}  // namespace sy
