/* A plugin as somebody outside this tree writes it, in C11. */
#include <switchyard/c/plugin.h>

/* x: any sizes   ->   like x */
static int32_t TwiceShape(const SyValue* in, uint32_t n_in, SyMeta* out, uint32_t n_out, void* user,
                          SyError* error) {
  (void)n_in, (void)n_out, (void)user, (void)error;
  const SyTensor* x = in[0].u.tensor;
  for (uint32_t i = 0; i < x->ndim; ++i) out[0].sizes[i] = x->sizes[i];
  out[0].ndim = x->ndim;
  out[0].dtype = x->dtype;
  return SY_OK;
}

static int32_t Twice(SyCall* call) {
  const SyTensor *out = call->out[0], *x = call->in[0].u.tensor;
  if ((x->flags & SY_TENSOR_CONTIGUOUS) == 0) return SY_DECLINED;
  for (int64_t i = 0; i < x->numel; ++i) ((float*)out->data)[i] = 2 * ((const float*)x->data)[i];
  return SY_OK;
}

static const SyOperatorDef operators[] = {{.size = sizeof(SyOperatorDef),
                                           .schema = "toy::twice(Tensor x) -> Tensor",
                                           .shape = TwiceShape,
                                           .file = __FILE__,
                                           .line = __LINE__}};
static const SyKernelDef kernels[] = {{.size = sizeof(SyKernelDef),
                                       .op = "toy::twice",
                                       .device = "cpu",
                                       .dtypes = SY_BIT(SY_FLOAT32),
                                       .fn = Twice,
                                       .file = __FILE__,
                                       .line = __LINE__}};
static const SyPlugin plugin = {.size = sizeof(SyPlugin),
                                .name = "toy",
                                .version = "1.0",
                                .operators = operators,
                                .n_operators = 1,
                                .operator_stride = sizeof(SyOperatorDef),
                                .kernels = kernels,
                                .n_kernels = 1,
                                .kernel_stride = sizeof(SyKernelDef)};

SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  return &plugin;
}
SY_PLUGIN_NOTE("toy", SY_NOTE_UNMAP_OK);
