#include "switchyard/backends/cpu/blas/onednn_convolution.h"

#include <memory>
#include <vector>

#include "backends/cpu/blas/onednn_library.h"
#include "switchyard/backends/cpu/blas/onednn.h"

namespace sy::cpu {
namespace {

using Sizes = std::vector<int64_t>;

Sizes WithLast(Sizes first, const int64_t* three, int dims) {
  first.insert(first.end(), three + 3 - dims, three + 3);
  return first;
}

// outer_step: elements between entries of the first dimension; 0: none but theirs.
dnnl_memory_desc_t RowMajor(const Sizes& sizes, dnnl_data_type_t type, int64_t outer_step = 0) {
  Sizes strides(sizes.size(), 1);
  for (size_t d = sizes.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * sizes[d];
  if (outer_step != 0) strides[0] = outer_step;
  dnnl_memory_desc_t layout;
  CheckOneDnn(OneDnnLibrary().layout_init(&layout, static_cast<int>(sizes.size()), sizes.data(),
                                          type, strides.data()));
  return layout;
}
// Whatever the library likes best.
dnnl_memory_desc_t Any(const Sizes& sizes, dnnl_data_type_t type) {
  dnnl_memory_desc_t layout;
  CheckOneDnn(OneDnnLibrary().layout_of_tag(&layout, static_cast<int>(sizes.size()), sizes.data(),
                                            type, dnnl_format_tag_any));
  return layout;
}

// An operand in the layout that the library likes, beside the caller's where they differ.
class Operand {
 public:
  Operand(const dnnl_memory_desc_t& given, const void* data, const dnnl_memory_desc_t& wanted)
      : given_(given),
        wanted_(wanted),
        given_memory_(OneDnnMemory(given, data)),
        differs_(OneDnnLibrary().layout_equal(&given, &wanted) == 0),
        bytes_(differs_ ? new char[OneDnnLibrary().layout_size(&wanted)] : nullptr),
        own_memory_(OneDnnMemory(wanted, differs_ ? bytes_.get() : data)) {}
  dnnl_memory_t memory() const { return own_memory_.get(); }
  void Fetch() const {
    if (differs_) Reorder(given_, given_memory_.get(), wanted_, own_memory_.get());
  }
  void Store() const {
    if (differs_) Reorder(wanted_, own_memory_.get(), given_, given_memory_.get());
  }

 private:
  static void Reorder(const dnnl_memory_desc_t& from, dnnl_memory_t from_memory,
                      const dnnl_memory_desc_t& to, dnnl_memory_t to_memory) {
    const OneDnn& library = OneDnnLibrary();
    dnnl_primitive_desc_t desc;
    CheckOneDnn(library.reorder_create(&desc, &from, library.engine, &to, library.engine, nullptr));
    const OneDnnOwned<dnnl_primitive_desc_t> owned(desc, library.desc_destroy);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from_memory}, {DNNL_ARG_TO, to_memory}};
    OneDnnExecute(OneDnnPrimitive(desc).get(), arguments);
  }

  dnnl_memory_desc_t given_, wanted_;
  OneDnnOwned<dnnl_memory_t> given_memory_;
  bool differs_;
  std::unique_ptr<char[]> bytes_;
  OneDnnOwned<dnnl_memory_t> own_memory_;
};

}  // namespace

bool OneDnnConvolution(const ConvolutionShape& s, const void* input, const void* weight,
                       const float* bias, void* output) {
  const OneDnn& library = OneDnnLibrary();
  if (!library.complete || (s.bfloat16 && !OneDnnMultiplies(DType::kBFloat16))) return false;
  const dnnl_data_type_t type = s.bfloat16 ? dnnl_bf16 : dnnl_f32;
  const Sizes x = WithLast({s.samples, s.in_channels}, s.inputs, s.dims),
              y = WithLast({s.samples, s.out_channels}, s.outputs, s.dims);
  const Sizes channels = s.groups == 1
                             ? Sizes{s.out_channels, s.in_channels}
                             : Sizes{s.groups, s.out_channels / s.groups, s.in_channels / s.groups};
  const Sizes w = WithLast(channels, s.kernel, s.dims);
  const Sizes stride = WithLast({}, s.stride, s.dims), padding = WithLast({}, s.padding, s.dims);
  Sizes dilation = WithLast({}, s.dilation, s.dims), behind = padding;
  for (int d = 0; d < s.dims; ++d) {
    const int k = 3 - s.dims + d;
    dilation[static_cast<size_t>(d)] -= 1;  // oneDNN counts the gap
    behind[static_cast<size_t>(d)] = (s.outputs[k] - 1) * s.stride[k] +
                                     (s.kernel[k] - 1) * s.dilation[k] + 1 - s.inputs[k] -
                                     s.padding[k];
  }
  const dnnl_memory_desc_t any_x = Any(x, type), any_w = Any(w, type), any_y = Any(y, type),
                           b = RowMajor({s.out_channels}, dnnl_f32);
  dnnl_convolution_desc_t convolution;
  dnnl_primitive_desc_t desc;
  if (library.convolution_init(&convolution, dnnl_forward_inference, dnnl_convolution_auto, &any_x,
                               &any_w, bias == nullptr ? nullptr : &b, &any_y, stride.data(),
                               dilation.data(), padding.data(), behind.data()) != dnnl_success ||
      library.desc_create(&desc, &convolution, nullptr, library.engine, nullptr) != dnnl_success)
    return false;
  const OneDnnOwned<dnnl_primitive_desc_t> owned(desc, library.desc_destroy);
  if (!s.bfloat16 && !OneDnnKeepsToTheStack(desc)) return false;
  const auto wanted = [&](dnnl_query_t what) { return *library.desc_query_layout(desc, what, 0); };
  const Operand from(RowMajor(x, type), input, wanted(dnnl_query_src_md)),
      kernels(RowMajor(w, type), weight, wanted(dnnl_query_weights_md)),
      to(RowMajor(y, type, s.output_step), output, wanted(dnnl_query_dst_md));
  from.Fetch();
  kernels.Fetch();
  std::vector<dnnl_exec_arg_t> arguments = {{DNNL_ARG_SRC, from.memory()},
                                            {DNNL_ARG_WEIGHTS, kernels.memory()},
                                            {DNNL_ARG_DST, to.memory()}};
  const auto added = OneDnnMemory(b, bias);
  if (bias != nullptr) arguments.push_back({DNNL_ARG_BIAS, added.get()});
  OneDnnExecute(OneDnnPrimitive(desc).get(), arguments);
  to.Store();
  return true;
}

}  // namespace sy::cpu
