#include "switchyard/ops/nn/convolution_sizes.h"

#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/core/error.h"
#include "switchyard/ops/nn/window.h"

namespace sy {
namespace {

// The i-th entry of a list of one number, or one a dimension, from `least` to `most`.
int64_t Entry(std::string_view op, std::string_view name, IntSpan list, int64_t dims, int64_t i,
              int64_t least, int64_t most = INT64_MAX) {
  if (list.size() != 1 && list.size() != static_cast<size_t>(dims))
    Fail(ErrorCode::kInvalidArgument, op, {name, " must have 1 or ", dims, " entries, got ", list});
  const int64_t entry = list[list.size() == 1 ? 0 : static_cast<size_t>(i)];
  if (entry < least)
    Fail(ErrorCode::kInvalidArgument, op, {name, " must be at least ", least, ", got ", list});
  if (entry > most)
    Fail(ErrorCode::kInvalidArgument, op, {name, " must be at most ", most, ", got ", list});
  return entry;
}

// (in - 1) stride + rest. Errors: past 2^63 - 1.
int64_t Spread(std::string_view op, int64_t in, IntSpan strides, int64_t stride, int64_t rest) {
  int64_t size = 0;
  if (__builtin_mul_overflow(in - 1, stride, &size) || __builtin_add_overflow(size, rest, &size))
    Fail(ErrorCode::kInvalidArgument, op, {"the output is too large for stride ", strides});
  return size;
}

}  // namespace

IntSpan ConvolutionSizes(std::string_view op, const TensorBase& input, const TensorBase& weight,
                         IntSpan stride, IntSpan padding, IntSpan dilation, bool transposed,
                         IntSpan output_padding, int64_t groups, int64_t* room) {
  const int64_t rank = weight.dim(), dims = rank - 2;
  if (dims < 1 || dims > 3 || input.dim() != rank) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"input and weight must both have 3, 4 or 5 dimensions, got sizes ", input.sizes(),
          " and ", weight.sizes()});
  }
  if (groups <= 0) Fail(ErrorCode::kInvalidArgument, op, {"groups must be positive, got ", groups});
  const IntSpan w = weight.sizes(), x = input.sizes();
  if (w[0] < groups || w[0] % groups != 0) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"weight's first size must be a multiple of groups ", groups, ", got sizes ", w});
  }
  const int64_t wanted = transposed ? w[0] : w[1] * groups;
  const int64_t outputs = transposed ? w[1] * groups : w[0];
  if (x[1] != wanted) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"input must have ", wanted, " channels for weight ", w, " and groups ", groups,
          ", got sizes ", x});
  }
  int64_t* sizes = room;
  sizes[0] = x[0];
  sizes[1] = outputs;
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t s = Entry(op, "stride", stride, dims, d, 1),
                  p = Entry(op, "padding", padding, dims, d, 0, kMostPadding),
                  spread = Entry(op, "dilation", dilation, dims, d, 1),
                  more = Entry(op, "output_padding", output_padding, dims, d, 0, kMostPadding);
    const int64_t extent = WindowExtent(w[d + 2], spread), in = x[d + 2];
    if (transposed) {
      if (more >= s && more >= spread) {
        Fail(ErrorCode::kInvalidArgument, op,
             {"output_padding must be below stride or dilation, got ", output_padding, ", ", stride,
              " and ", dilation});
      }
      sizes[d + 2] = Spread(op, in, stride, s, extent + more - 2 * p);
      if (sizes[d + 2] < 1)
        Fail(ErrorCode::kInvalidArgument, op,
             {"padding ", padding, " leaves nothing of the output"});
    } else {
      const int64_t padded = CheckedSum(op, "the padded size", in, 2 * p);
      if (w[d + 2] < 1 || padded < extent) {
        Fail(ErrorCode::kInvalidArgument, op,
             {"kernels of weight ", w, " do not fit into input ", x, " with padding ", padding});
      }
      sizes[d + 2] = (padded - extent) / s + 1;
    }
  }
  return {sizes, static_cast<size_t>(rank)};
}

}  // namespace sy
