#include "switchyard/ops/nn/window.h"

#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/core/error.h"

namespace sy {
namespace {

// One number for all dimensions, or one each.
void Expand(std::string_view op, std::string_view name, IntSpan list, int dims, int64_t least,
            int64_t missing, int64_t* to, int64_t most = INT64_MAX) {
  if (list.size() != 1 && list.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument, op, {name, " must have 1 or ", dims, " entries, got ", list});
  }
  std::fill_n(to, 3, missing);
  for (int d = 0; d < dims; ++d) {
    to[3 - dims + d] = list[list.size() == 1 ? 0 : static_cast<size_t>(d)];
    const int64_t entry = to[3 - dims + d];
    if (entry < least || entry > most) {
      Fail(ErrorCode::kInvalidArgument, op,
           {name, " must be at ", entry < least ? "least " : "most ", entry < least ? least : most,
            ", got ", list});
    }
  }
}

Window Start(std::string_view op, IntSpan sizes, int dims) {
  const int64_t rank = static_cast<int64_t>(sizes.size());
  bool fits = rank == dims + 1 || rank == dims + 2;
  for (int64_t d = rank - dims - 1; fits && d < rank; ++d) fits = sizes[d] > 0;
  if (!fits) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"self must have ", dims + 1, " or ", dims + 2,
          " dimensions, only the first of the latter of size 0, got sizes ", sizes});
  }
  Window w{};
  w.dims = dims;
  w.planes = 1;
  for (int64_t d = 0; d < rank - dims; ++d) w.planes *= sizes[d];
  std::fill_n(w.inputs, 3, 1);
  std::fill_n(w.outputs, 3, 1);
  for (int d = 0; d < dims; ++d) w.inputs[3 - dims + d] = sizes[rank - dims + d];
  return w;
}

void FailSmall(std::string_view op, IntSpan sizes, IntSpan kernel) {
  Fail(ErrorCode::kInvalidArgument, op,
       {"windows of ", kernel, " do not fit into self, with padding, of sizes ", sizes});
}

}  // namespace

int64_t WindowExtent(int64_t kernel, int64_t dilation) {
  int64_t reach = 0;
  return __builtin_mul_overflow(kernel - 1, dilation, &reach) || reach >= kMostExtent ? kMostExtent
                                                                                      : reach + 1;
}

Window Window::OfPool(std::string_view op, const TensorBase& self, int dims, IntSpan kernel_size,
                      IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode) {
  int64_t kernel[3], step[3], pad[3], spread[3];
  Expand(op, "kernel_size", kernel_size, dims, 1, 1, kernel);
  Expand(op, "stride", stride.empty() ? kernel_size : stride, dims, 1, 1, step);
  Expand(op, "padding", padding, dims, 0, 0, pad, kMostPadding);
  Expand(op, "dilation", dilation, dims, 1, 1, spread);
  for (int d = 0; d < 3; ++d) {
    if (pad[d] * 2 > WindowExtent(kernel[d], spread[d])) {
      Fail(ErrorCode::kInvalidArgument, op,
           {"padding must be at most half of the kernel's extent, got padding ", pad[d],
            ", kernel_size ", kernel[d], " and dilation ", spread[d]});
    }
  }
  Window w = Start(op, self.sizes(), dims);
  CheckedProduct(op, "a window with its gaps", WindowExtent(kernel[0], spread[0]),
                 WindowExtent(kernel[1], spread[1]), WindowExtent(kernel[2], spread[2]));
  for (int d = 0; d < 3; ++d) {
    w.kernel[d] = kernel[d];
    w.stride[d] = step[d];
    w.padding[d] = pad[d];
    w.dilation[d] = kernel[d] == 1 ? 1 : spread[d];
    const int64_t extent = WindowExtent(kernel[d], spread[d]);
    const int64_t room = CheckedSum(op, "the padded size", w.inputs[d], 2 * pad[d]) - extent;
    if (extent == kMostExtent || room <= (ceil_mode ? -step[d] : -1))
      FailSmall(op, self.sizes(), kernel_size);
    // Outputs but for the first, of which none starts in the padding behind.
    int64_t more = room / step[d];
    if (ceil_mode) {
      more += room % step[d] > 0;
      more = std::min(more, (w.inputs[d] + pad[d] - 1) / step[d]);
    }
    w.outputs[d] = more + 1;
  }
  return w;
}

Window Window::OfAdaptive(std::string_view op, const TensorBase& self, int dims,
                          IntSpan output_size) {
  int64_t outputs[3];
  if (output_size.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"output_size must have ", dims, " entries, got ", output_size});
  }
  Expand(op, "output_size", output_size, dims, 0, 1, outputs);
  Window w = Start(op, self.sizes(), dims);
  std::copy_n(outputs, 3, w.outputs);
  return w;
}

Window Window::OfColumns(std::string_view op, IntSpan image, IntSpan kernel_size, IntSpan dilation,
                         IntSpan padding, IntSpan stride) {
  Window w = Start(op, image, 2);
  Expand(op, "kernel_size", kernel_size, 2, 1, 1, w.kernel);
  Expand(op, "dilation", dilation, 2, 1, 1, w.dilation);
  Expand(op, "padding", padding, 2, 0, 0, w.padding, kMostPadding);
  Expand(op, "stride", stride, 2, 1, 1, w.stride);
  for (int d = 0; d < 3; ++d) {
    const int64_t room = CheckedSum(op, "the padded size", w.inputs[d], 2 * w.padding[d]) -
                         WindowExtent(w.kernel[d], w.dilation[d]);
    if (room < 0) FailSmall(op, image, kernel_size);
    w.outputs[d] = room / w.stride[d] + 1;
  }
  return w;
}

Window Window::OfConvolution(const TensorBase& image, const TensorBase& columns,
                             const TensorBase& weight, IntSpan stride, IntSpan padding,
                             IntSpan dilation) {
  Window w{};
  w.dims = static_cast<int>(weight.dim()) - 2;
  w.planes = image.sizes()[0] * image.sizes()[1];
  for (int d = 0; d < 3; ++d) {
    const int own = d - (3 - w.dims);
    const auto entry = [&](IntSpan list) {
      return list[list.size() == 1 ? 0 : static_cast<size_t>(own)];
    };
    w.inputs[d] = own < 0 ? 1 : image.sizes()[own + 2];
    w.outputs[d] = own < 0 ? 1 : columns.sizes()[own + 2];
    w.kernel[d] = own < 0 ? 1 : weight.sizes()[own + 2];
    w.stride[d] = own < 0 ? 1 : entry(stride);
    w.padding[d] = own < 0 ? 0 : entry(padding);
    w.dilation[d] = own < 0 ? 1 : entry(dilation);
  }
  return w;
}

}  // namespace sy
