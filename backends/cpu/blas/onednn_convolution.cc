#include "switchyard/backends/cpu/blas/onednn_convolution.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/cpu/blas/onednn_library.h"
#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/simd/array.h"

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

// An operand in the layout that the library likes, beside the caller's where that is another one,
// or not at a multiple of kAlignment: the library stores past the caches, which takes registers'
// own.
class Operand {
 public:
  Operand(const dnnl_memory_desc_t& given, const void* data, const dnnl_memory_desc_t& wanted)
      : given_(given),
        wanted_(wanted),
        given_memory_(OneDnnMemory(given, data)),
        differs_(OneDnnLibrary().layout_equal(&given, &wanted) == 0 ||
                 reinterpret_cast<uintptr_t>(data) % kAlignment != 0),
        bytes_(differs_ ? static_cast<int64_t>(OneDnnLibrary().layout_size(&wanted)) : 0),
        own_memory_(OneDnnMemory(wanted, differs_ ? bytes_.begin() : data)) {}
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
  Array<char> bytes_;
  OneDnnOwned<dnnl_memory_t> own_memory_;
};

using OwnedDesc = OneDnnOwned<dnnl_primitive_desc_t>;

// A convolution as the library is told of it.
struct Description {
  dnnl_data_type_t type;
  Sizes x, y, w, stride, padding, dilation, behind;
  dnnl_memory_desc_t any_x, any_w, any_y;  // in layouts of its choice
  dnnl_memory_desc_t given_x, given_w, given_y;

  explicit Description(const ConvolutionShape& s)
      : type(s.bfloat16 ? dnnl_bf16 : dnnl_f32),
        x(WithLast({s.samples, s.in_channels}, s.inputs, s.dims)),
        y(WithLast({s.samples, s.out_channels}, s.outputs, s.dims)),
        w(WithLast(s.groups == 1
                       ? Sizes{s.out_channels, s.in_channels}
                       : Sizes{s.groups, s.out_channels / s.groups, s.in_channels / s.groups},
                   s.kernel, s.dims)),
        stride(WithLast({}, s.stride, s.dims)),
        padding(WithLast({}, s.padding, s.dims)),
        dilation(WithLast({}, s.dilation, s.dims)),
        behind(padding),
        any_x(Any(x, type)),
        any_w(Any(w, type)),
        any_y(Any(y, type)),
        given_x(RowMajor(x, type, s.input_step)),
        given_w(RowMajor(w, type, s.weight_step)),
        given_y(RowMajor(y, type, s.output_step)) {
    for (int d = 0; d < s.dims; ++d) {
      const int k = 3 - s.dims + d;
      dilation[static_cast<size_t>(d)] -= 1;  // oneDNN counts the gap
      behind[static_cast<size_t>(d)] = (s.outputs[k] - 1) * s.stride[k] +
                                       (s.kernel[k] - 1) * s.dilation[k] + 1 - s.inputs[k] -
                                       s.padding[k];
    }
  }
  // Null where the library has none. bias: may be null. kind: of forward propagation.
  OwnedDesc Forward(dnnl_prop_kind_t kind, const dnnl_memory_desc_t* bias) const {
    dnnl_convolution_desc_t c;
    const dnnl_status_t status = OneDnnLibrary().convolution_init(
        &c, kind, dnnl_convolution_auto, &any_x, &any_w, bias, &any_y, stride.data(),
        dilation.data(), padding.data(), behind.data());
    return Created(status, c, nullptr);
  }
  // Of a gradient, which init describes. Null, too, where what computes it leaves the stack.
  template <class Init>
  OwnedDesc Backward(Init init) const {
    const OwnedDesc forward = Forward(dnnl_forward_training, nullptr);
    if (forward == nullptr) return Created(dnnl_unimplemented, {}, nullptr);
    dnnl_convolution_desc_t c;
    const dnnl_status_t status = init(&c);
    OwnedDesc desc = Created(status, c, forward.get());
    if (desc != nullptr && !OneDnnKeepsToTheStack(desc.get())) desc.reset();
    return desc;
  }

 private:
  static OwnedDesc Created(dnnl_status_t status, const dnnl_convolution_desc_t& c,
                           const_dnnl_primitive_desc_t forward) {
    const OneDnn& library = OneDnnLibrary();
    dnnl_primitive_desc_t desc = nullptr;
    if (status == dnnl_success &&
        library.desc_create(&desc, &c, nullptr, library.engine, forward) != dnnl_success)
      desc = nullptr;
    return {desc, library.desc_destroy};
  }
};

dnnl_memory_desc_t Wanted(const OwnedDesc& desc, dnnl_query_t what) {
  return *OneDnnLibrary().desc_query_layout(desc.get(), what, 0);
}

}  // namespace

bool OneDnnConvolution(const ConvolutionShape& s, const void* input, const void* weight,
                       const float* bias, void* output) {
  if (!OneDnnLibrary().complete || (s.bfloat16 && !OneDnnMultiplies(DType::kBFloat16)))
    return false;
  const Description d(s);
  const dnnl_memory_desc_t b = RowMajor({s.out_channels}, dnnl_f32);
  const OwnedDesc desc = d.Forward(dnnl_forward_inference, bias == nullptr ? nullptr : &b);
  if (desc == nullptr || (!s.bfloat16 && !OneDnnKeepsToTheStack(desc.get()))) return false;
  const Operand from(d.given_x, input, Wanted(desc, dnnl_query_src_md)),
      kernels(d.given_w, weight, Wanted(desc, dnnl_query_weights_md)),
      to(d.given_y, output, Wanted(desc, dnnl_query_dst_md));
  from.Fetch();
  kernels.Fetch();
  std::vector<dnnl_exec_arg_t> arguments = {{DNNL_ARG_SRC, from.memory()},
                                            {DNNL_ARG_WEIGHTS, kernels.memory()},
                                            {DNNL_ARG_DST, to.memory()}};
  const auto added = OneDnnMemory(b, bias);
  if (bias != nullptr) arguments.push_back({DNNL_ARG_BIAS, added.get()});
  OneDnnExecute(OneDnnPrimitive(desc.get()).get(), arguments);
  to.Store();
  return true;
}

bool OneDnnConvolutionToInput(const ConvolutionShape& s, void* grad_input, const void* weight,
                              const void* grad_output) {
  const OneDnn& library = OneDnnLibrary();
  if (!library.complete || s.bfloat16) return false;
  const Description d(s);
  const OwnedDesc desc = d.Backward([&](dnnl_convolution_desc_t* c) {
    return library.convolution_to_input_init(c, dnnl_convolution_auto, &d.any_x, &d.any_w, &d.any_y,
                                             d.stride.data(), d.dilation.data(), d.padding.data(),
                                             d.behind.data());
  });
  if (desc == nullptr) return false;
  const Operand to(d.given_x, grad_input, Wanted(desc, dnnl_query_diff_src_md)),
      kernels(d.given_w, weight, Wanted(desc, dnnl_query_weights_md)),
      from(d.given_y, grad_output, Wanted(desc, dnnl_query_diff_dst_md));
  from.Fetch();
  kernels.Fetch();
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_DIFF_DST, from.memory()},
                                       {DNNL_ARG_WEIGHTS, kernels.memory()},
                                       {DNNL_ARG_DIFF_SRC, to.memory()}};
  OneDnnExecute(OneDnnPrimitive(desc.get()).get(), arguments);
  to.Store();
  return true;
}

bool OneDnnConvolutionToWeight(const ConvolutionShape& s, const void* input, void* grad_weight,
                               const void* grad_output) {
  const OneDnn& library = OneDnnLibrary();
  if (!library.complete || s.bfloat16) return false;
  const Description d(s);
  const OwnedDesc desc = d.Backward([&](dnnl_convolution_desc_t* c) {
    return library.convolution_to_weight_init(c, dnnl_convolution_auto, &d.any_x, &d.any_w, nullptr,
                                              &d.any_y, d.stride.data(), d.dilation.data(),
                                              d.padding.data(), d.behind.data());
  });
  if (desc == nullptr) return false;
  const Operand from(d.given_x, input, Wanted(desc, dnnl_query_src_md)),
      to(d.given_w, grad_weight, Wanted(desc, dnnl_query_diff_weights_md)),
      grad(d.given_y, grad_output, Wanted(desc, dnnl_query_diff_dst_md));
  from.Fetch();
  grad.Fetch();
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, from.memory()},
                                       {DNNL_ARG_DIFF_DST, grad.memory()},
                                       {DNNL_ARG_DIFF_WEIGHTS, to.memory()}};
  OneDnnExecute(OneDnnPrimitive(desc.get()).get(), arguments);
  to.Store();
  return true;
}

}  // namespace sy::cpu
