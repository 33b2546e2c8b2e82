#include "backends/cuda/engine/sort.h"

namespace sy::cuda {
namespace {

// values, indices: of self's sizes; either may be undefined. Sorting is stable whether asked to or
// not.
void SortDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
             int64_t dim, bool descending) {
  if (self.numel() == 0) return;
  const Rows rows = RowsAlong(call, self, dim);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      SortRows(call, rows, descending, to_values, to_places);
    });
  });
}

void Sort(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
          bool descending) {
  SortDim(call, values, indices, self, dim, descending);
}
void SortStable(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                Optional<bool>, int64_t dim, bool descending) {
  SortDim(call, values, indices, self, dim, descending);
}
void Argsort(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool descending) {
  SortDim(call, Tensor(), out, self, dim, descending);
}
void ArgsortStable(Call call, const Tensor& out, const Tensor& self, bool, int64_t dim,
                   bool descending) {
  SortDim(call, Tensor(), out, self, dim, descending);
}
void Msort(Call call, const Tensor& out, const Tensor& self) {
  SortDim(call, out, Tensor(), self, 0, false);
}

const Kernel sort{"sort", "cuda", kSortTypes, Sort};
const Kernel sort_stable{"sort.stable", "cuda", kSortTypes, SortStable};
const Kernel argsort{"argsort", "cuda", kSortTypes, Argsort};
const Kernel argsort_stable{"argsort.stable", "cuda", kSortTypes, ArgsortStable};
const Kernel msort{"msort", "cuda", kSortTypes, Msort};

}  // namespace
}  // namespace sy::cuda
