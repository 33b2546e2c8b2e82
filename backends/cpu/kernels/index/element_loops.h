// Loops over the elements of an index tensor and of two others that lie beside it, one of which is
// moved along `dim` by the index: what gather and scatter are.
//
//   ForEachRun(index, dim, moved, beside, keep_order, [&](const Run& run) {
//     for (int64_t j = 0; j < run.size; ++j) … run.moved + j * run.moved_stride + i *
//     run.dim_stride …
//   });
//
// Threads: runs in parallel; with keep_order, elements that differ in dim alone come in ascending
// order in one thread.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_LOOPS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_LOOPS_H_

#include <algorithm>
#include <vector>

#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

// Offsets of a run of elements, in elements.
struct Run {
  int64_t size;
  int64_t index, index_stride;
  int64_t moved, moved_stride;  // stride 0 where the run goes along dim
  int64_t dim_stride;           // of the moved tensor, for each step of the index
  int64_t beside, beside_stride;
};

inline constexpr int64_t kElementGrain = 1 << 14;
// The least of a row that is worth a thread.
inline constexpr int64_t kMinPartBytes = 2048;

// Whether no part of `places` has a quarter more of the positions than its share.
inline bool AreSpread(const int64_t* position, int64_t n, int64_t stride, int64_t places,
                      int64_t parts) {
  std::vector<int64_t> count(static_cast<size_t>(parts));
  const int64_t part = (places + parts - 1) / parts;
  for (int64_t i = 0; i < n; ++i) ++count[position[i * stride] / part];
  return *std::max_element(count.begin(), count.end()) * 4 * parts <= n * 5;
}

// 0-d tensors count as 1-d; an undefined `beside` has offset 0. dim: 0 or above.
template <class F>
void ForEachRun(const Tensor& index, int64_t dim, const Tensor& moved, const Tensor& beside,
                bool keep_order, F f) {
  if (index.numel() == 0) return;
  const auto stride = [](const Tensor& t, int64_t d) {
    return t.defined() && t.dim() != 0 ? t.strides()[d] : 0;
  };
  const int64_t dim_stride = stride(moved, dim);
  // Operands: the one that decides the order of loops first.
  Outer<3> loops;
  int64_t dim_size = 1, dim_index = 0, dim_beside = 0;
  for (int64_t d = index.dim() - 1; d >= 0; --d) {
    const int64_t size = index.sizes()[d];
    if (d == dim) {
      dim_size = size;
      dim_index = stride(index, d);
      dim_beside = stride(beside, d);
    } else {
      loops.Add(size, {stride(moved, d), stride(index, d), stride(beside, d)});
    }
  }
  loops.SortByFirst();
  const bool along_dim = loops.rank() == 0 || dim_stride < loops[0].strides[0];
  Run base = {.size = dim_size,
              .index = 0,
              .index_stride = dim_index,
              .moved = 0,
              .moved_stride = 0,
              .dim_stride = dim_stride,
              .beside = 0,
              .beside_stride = dim_beside};
  if (along_dim) {
    const bool one = loops.count() == 1 && !keep_order;  // threads share the run itself
    const int64_t grain = std::max<int64_t>(1, kElementGrain / dim_size);
    if (one) {
      ParallelFor(dim_size, kElementGrain, [&](int64_t begin, int64_t end) {
        Run run = base;
        run.size = end - begin;
        run.index = begin * dim_index;
        run.beside = begin * dim_beside;
        f(run);
      });
      return;
    }
    ParallelFor(loops.count(), grain, [&](int64_t begin, int64_t end) {
      loops.ForEach(begin, end, [&](const int64_t(&at)[3]) {
        Run run = base;
        run.moved = at[0];
        run.index = at[1];
        run.beside = at[2];
        f(run);
      });
    });
    return;
  }
  // Rows of the innermost other dimension; dim goes around them.
  const auto inner = loops.TakeInnermost();
  base.moved_stride = inner.strides[0];
  base.index_stride = inner.strides[1];
  base.beside_stride = inner.strides[2];
  const auto row = [&](const int64_t(&at)[3], int64_t i, int64_t begin, int64_t end) {
    Run run = base;
    run.size = end - begin;
    run.moved = at[0] + begin * inner.strides[0];
    run.index = at[1] + begin * inner.strides[1] + i * dim_index;
    run.beside = at[2] + begin * inner.strides[2] + i * dim_beside;
    f(run);
  };
  if (loops.count() >= NumThreads()) {
    ParallelFor(loops.count(), std::max<int64_t>(1, kElementGrain / (dim_size * inner.size)),
                [&](int64_t b, int64_t e) {
                  loops.ForEach(b, e, [&](const int64_t(&at)[3]) {
                    for (int64_t i = 0; i < dim_size; ++i) row(at, i, 0, inner.size);
                  });
                });
    return;
  }
  const int64_t row_work = loops.count() * inner.size;
  if (!keep_order) {
    ParallelFor(dim_size, std::max<int64_t>(1, kElementGrain / row_work),
                [&](int64_t b, int64_t e) {
                  loops.ForEach(0, loops.count(), [&](const int64_t(&at)[3]) {
                    for (int64_t i = b; i < e; ++i) row(at, i, 0, inner.size);
                  });
                });
    return;
  }
  const int64_t item = static_cast<int64_t>(moved.itemsize());
  const bool rows_move = loops.rank() == 0 && inner.strides[1] == 0;
  const int64_t parts = dim_size * inner.size / kElementGrain;
  if (rows_move && parts > 1 && NumThreads() > 1 && index.dtype() == DType::kInt64) {
    // Threads share the places that rows go to, if these are spread: parts of a row, the shorter
    // the more, would be taken from one another's caches by what the processor fetches ahead.
    const int64_t* place = index.data<int64_t>();
    int64_t places = 1;
    for (int64_t i = 0; i < dim_size; ++i) places = std::max(places, place[i * dim_index] + 1);
    if (inner.size * item < NumThreads() * kMinPartBytes ||
        AreSpread(place, dim_size, dim_index, places, NumThreads())) {
      ParallelFor(places, (places + parts - 1) / parts, [&](int64_t b, int64_t e) {
        for (int64_t i = 0; i < dim_size; ++i) {
          const int64_t to = place[i * dim_index];
          if (to >= b && to < e) row({0, 0, 0}, i, 0, inner.size);
        }
      });
      return;
    }
  }
  // Whole cache lines of each row.
  const int64_t part = 64 / item;
  const int64_t grain =
      std::max(kMinPartBytes / 64, kElementGrain / (dim_size * loops.count() * part));
  ParallelFor((inner.size + part - 1) / part, grain, [&](int64_t b, int64_t e) {
    const int64_t begin = b * part, end = std::min(e * part, inner.size);
    loops.ForEach(0, loops.count(), [&](const int64_t(&at)[3]) {
      for (int64_t i = 0; i < dim_size; ++i) row(at, i, begin, end);
    });
  });
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_LOOPS_H_
