#include "switchyard/ops/linalg/matrices.h"

#include <algorithm>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/transfer.h"

namespace sy {

void RequireMatrices(std::string_view op, const TensorBase& a, std::string_view name) {
  if (a.dim() < 2) {
    Fail(ErrorCode::kInvalidArgument, op,
         {name, " must have at least 2 dimensions, got sizes ", a.sizes()});
  }
  if (!Contains(kMatrixTypes, a.dtype())) {
    Fail(ErrorCode::kInvalidArgument, op,
         {name, " must be float32, float64, complex64 or complex128, got ", a.dtype()});
  }
}

void RequireSquare(std::string_view op, const TensorBase& a, std::string_view name) {
  RequireMatrices(op, a, name);
  if (a.size(-1) == a.size(-2)) return;
  Fail(ErrorCode::kInvalidArgument, op, {name, " must be square matrices, got sizes ", a.sizes()});
}

void RequireVectorsOf(std::string_view op, const TensorBase& a, const TensorBase& t,
                      std::string_view name_a, std::string_view name_t, DType dtype) {
  if (t.dtype() != dtype) {
    Fail(ErrorCode::kInvalidArgument, op, {name_t, " must be ", dtype, ", got ", t.dtype()});
  }
  if (t.dim() == a.dim() - 1 && SameSizes(t.sizes().first(BatchOf(a).size()), BatchOf(a))) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {name_t, " must have the batch of ", name_a, " and one dimension more, got sizes ",
        t.sizes(), " and ", a.sizes()});
}

void RequireEquation(std::string_view op, const TensorBase& a, const TensorBase& b,
                     std::string_view name_a, std::string_view name_b, bool left) {
  RequireSquare(op, a, name_a);
  RequireMatrices(op, b, name_b);
  if (a.dtype() != b.dtype()) {
    Fail(ErrorCode::kInvalidArgument, op,
         {name_a, " and ", name_b, " must have the same dtype, got ", a.dtype(), " and ",
          b.dtype()});
  }
  if (b.size(left ? -2 : -1) == a.size(-1)) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {name_b, " must have as many ", left ? "rows" : "columns", " as ", name_a, ", got sizes ",
        b.sizes(), " and ", a.sizes()});
}

std::vector<int64_t> CommonBatch(std::string_view op, const TensorBase& a, const TensorBase& b) {
  const IntSpan batch_a = BatchOf(a), batch_b = BatchOf(b);
  std::vector<int64_t> batch(std::max(batch_a.size(), batch_b.size()));
  Broadcast(batch_a, batch_b, batch.data(), op);
  return batch;
}

std::vector<int64_t> ExpandedMatrices(const TensorBase& from, IntSpan batch) {
  std::vector<int64_t> strides(batch.size());  // of from's numbers; 0 where it expands
  const IntSpan own = BatchOf(from);
  int64_t stride = 1;
  for (size_t d = 0; d < own.size(); ++d) {
    const int64_t size = own[own.size() - 1 - d];
    if (size != 1) strides[batch.size() - 1 - d] = stride;
    stride *= size;
  }
  std::vector<int64_t> which(static_cast<size_t>(NumElements(batch)));
  for (size_t i = 0; i < which.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    for (size_t d = batch.size(); d > 0; --d) {
      which[i] += rest % batch[d - 1] * strides[d - 1];
      rest /= batch[d - 1];
    }
  }
  return which;
}

OutputSpec& OutputByColumns(ShapeContext& r, IntSpan batch, int64_t rows, int64_t columns,
                            DType d) {
  OutputSpec& o = OutputPerMatrix(r, batch, {rows, columns}, d);
  int64_t* strides = r.Ints(o.ndim);
  ContiguousStrides(o.size_span(), strides);
  strides[o.ndim - 2] = 1;
  strides[o.ndim - 1] = std::max<int64_t>(rows, 1);
  o.strides = strides;
  return o;
}

OutputSpec& OutputPerMatrix(ShapeContext& r, IntSpan batch, std::initializer_list<int64_t> own,
                            DType d) {
  int64_t* sizes = r.Ints(static_cast<int64_t>(batch.size() + own.size()));
  std::copy(own.begin(), own.end(), std::copy(batch.begin(), batch.end(), sizes));
  return r.Output(IntSpan(sizes, batch.size() + own.size()), d);
}

void RequireNoDefect(std::string_view op, std::string_view name, Defect defect,
                     const Tensor& info) {
  if (BackendOf(info.device().type).allocator() == nullptr) return;
  const Tensor host = ToHost(info);
  const int* first = host.data<int>();
  const int* bad = std::find_if(first, first + host.numel(), [](int i) { return i != 0; });
  if (bad == first + host.numel()) return;
  const int64_t i = bad - first;
  if (defect == Defect::kSingular) {
    Fail(ErrorCode::kInvalidValue, op,
         {"matrix ", i, " of ", name, " is singular: diagonal element ", *bad,
          " of its factor is 0"});
  }
  Fail(ErrorCode::kInvalidValue, op,
       {"matrix ", i, " of ", name, " is not positive-definite: its leading minor of order ", *bad,
        " is not positive"});
}

void RequirePivots(std::string_view op, std::string_view name, std::span<const int> pivots,
                   int64_t rows) {
  for (const int pivot : pivots) {
    if (pivot >= 1 && pivot <= rows) continue;
    Fail(ErrorCode::kInvalidValue, op, {name, " must be 1 to ", rows, ", got ", pivot});
  }
}

}  // namespace sy
