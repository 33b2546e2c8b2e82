#include "backends/cuda/engine/select.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Kthvalue(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
              int64_t dim, bool) {
  SelectOne(call, values, indices, self, dim, k, Median::kNone);
}

void Mode(Call call, const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
          int64_t dim, bool) {
  const Tensor values = WithDim(values_out, dim, self.dim()),
               indices = WithDim(indices_out, dim, self.dim());
  if (values.numel() == 0) return;
  const Rows rows = RowsAlong(call, self, dim);
  const Tensor sorted = Tensor::Empty(rows.values.sizes(), self.dtype(), self.device()),
               places = Tensor::Empty(rows.values.sizes(), DType::kInt64, self.device());
  SortRows(call, rows, false, sorted, places);
  IntoRows(call, values, dim, [&](const Tensor& to_values) {
    IntoRows(call, indices, dim, [&](const Tensor& to_places) {
      SelectArgs args = SelectArgsOf({sorted, rows.count, rows.n}, to_values, to_places, places);
      Launch(call, Specialised("select", "SelectArgs", "ModeOfSorted").Element(self.dtype()),
             {rows.count, kOrderThreads}, args);
    });
  });
}

const Kernel kthvalue{"kthvalue", "cuda", kRealTypes, Kthvalue};
const Kernel mode{"mode", "cuda", kRealTypes | kBool, Mode};

}  // namespace
}  // namespace sy::cuda
