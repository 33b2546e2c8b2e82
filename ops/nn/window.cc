#include "switchyard/ops/nn/window.h"

#include <algorithm>

#include "switchyard/core/error.h"

namespace sy {
namespace {

// One number for all dimensions, or one each.
void Expand(std::string_view op, std::string_view name, IntSpan list, int dims, int64_t least,
            int64_t missing, int64_t* to) {
  if (list.size() != 1 && list.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument,
         {op, "(): ", name, " must have 1 or ", dims, " entries, got ", list});
  }
  std::fill_n(to, 3, missing);
  for (int d = 0; d < dims; ++d) {
    to[3 - dims + d] = list[list.size() == 1 ? 0 : static_cast<size_t>(d)];
    if (to[3 - dims + d] < least) {
      Fail(ErrorCode::kInvalidArgument,
           {op, "(): ", name, " must be at least ", least, ", got ", list});
    }
  }
}

Window Start(std::string_view op, const Meta& self, int dims) {
  const int64_t rank = self.dim();
  bool fits = rank == dims + 1 || rank == dims + 2;
  for (int64_t d = rank - dims - 1; fits && d < rank; ++d) fits = self.sizes()[d] > 0;
  if (!fits) {
    Fail(ErrorCode::kInvalidArgument,
         {op, "(): self must have ", dims + 1, " or ", dims + 2,
          " dimensions, only the first of the latter of size 0, got sizes ", self.sizes()});
  }
  Window w{};
  w.dims = dims;
  w.planes = 1;
  for (int64_t d = 0; d < rank - dims; ++d) w.planes *= self.sizes()[d];
  std::fill_n(w.inputs, 3, 1);
  std::fill_n(w.outputs, 3, 1);
  for (int d = 0; d < dims; ++d) w.inputs[3 - dims + d] = self.sizes()[rank - dims + d];
  return w;
}

void FailSmall(std::string_view op, const Meta& self, IntSpan kernel) {
  Fail(ErrorCode::kInvalidArgument,
       {op, "(): windows of ", kernel, " do not fit into self, with padding, of sizes ",
        self.sizes()});
}

}  // namespace

Window Window::OfPool(std::string_view op, const Meta& self, int dims, IntSpan kernel_size,
                      IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode) {
  int64_t kernel[3], step[3], pad[3], spread[3];
  Expand(op, "kernel_size", kernel_size, dims, 1, 1, kernel);
  Expand(op, "stride", stride.empty() ? kernel_size : stride, dims, 1, 1, step);
  Expand(op, "padding", padding, dims, 0, 0, pad);
  Expand(op, "dilation", dilation, dims, 1, 1, spread);
  for (int d = 0; d < 3; ++d) {
    if (pad[d] * 2 > (kernel[d] - 1) * spread[d] + 1) {
      Fail(ErrorCode::kInvalidArgument,
           {op, "(): padding must be at most half of the kernel's extent, got padding ", pad[d],
            ", kernel_size ", kernel[d], " and dilation ", spread[d]});
    }
  }
  Window w = Start(op, self, dims);
  for (int d = 0; d < 3; ++d) {
    w.kernel[d] = kernel[d];
    w.stride[d] = step[d];
    w.padding[d] = pad[d];
    w.dilation[d] = spread[d];
    const int64_t room = w.inputs[d] + 2 * pad[d] - spread[d] * (kernel[d] - 1) - 1;
    const int64_t up = ceil_mode ? step[d] - 1 : 0;
    if (room + up < 0) FailSmall(op, self, kernel_size);
    w.outputs[d] = (room + up) / step[d] + 1;
    // No window starts in the padding behind.
    if (ceil_mode && (w.outputs[d] - 1) * step[d] >= w.inputs[d] + pad[d]) --w.outputs[d];
    if (w.outputs[d] < 1) FailSmall(op, self, kernel_size);
  }
  return w;
}

Window Window::OfAdaptive(std::string_view op, const Meta& self, int dims, IntSpan output_size) {
  int64_t outputs[3];
  if (output_size.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument,
         {op, "(): output_size must have ", dims, " entries, got ", output_size});
  }
  Expand(op, "output_size", output_size, dims, 0, 1, outputs);
  Window w = Start(op, self, dims);
  std::copy_n(outputs, 3, w.outputs);
  return w;
}

Window Window::OfColumns(std::string_view op, const Meta& self, IntSpan kernel_size,
                         IntSpan dilation, IntSpan padding, IntSpan stride) {
  Window w = Start(op, self, 2);
  Expand(op, "kernel_size", kernel_size, 2, 1, 1, w.kernel);
  Expand(op, "dilation", dilation, 2, 1, 1, w.dilation);
  Expand(op, "padding", padding, 2, 0, 0, w.padding);
  Expand(op, "stride", stride, 2, 1, 1, w.stride);
  for (int d = 0; d < 3; ++d) {
    const int64_t room = w.inputs[d] + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1;
    if (room < 0) FailSmall(op, self, kernel_size);
    w.outputs[d] = room / w.stride[d] + 1;
  }
  return w;
}

Window Window::OfConvolution(const Meta& image, const Meta& columns, const Meta& weight,
                             IntSpan stride, IntSpan padding, IntSpan dilation) {
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
