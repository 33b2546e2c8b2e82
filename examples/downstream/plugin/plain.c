// The smallest plugin in C: an operator of one tensor, which it copies, and a kernel on the host.

#include <string.h>

#include "switchyard/c/plugin.h"

#ifdef PLAIN_UNDEFINED
int of_nobody(void);
#endif

static int32_t Shape(const SyValue* in, uint32_t n_in, SyMeta* out, uint32_t n_out, void* user,
                     SyError* error) {
  (void)n_in, (void)n_out, (void)user, (void)error;
  const SyTensor* x = in[0].u.tensor;
  out[0].ndim = x->ndim;
  out[0].dtype = x->dtype;
  memcpy(out[0].sizes, x->sizes, x->ndim * sizeof(int64_t));
  return SY_OK;
}

static int32_t Nothing(SyCall* call) {
  const SyTensor* x = call->in[0].u.tensor;
  if ((x->flags & SY_TENSOR_CONTIGUOUS) == 0) return SY_DECLINED;
#ifdef PLAIN_UNDEFINED
  if (of_nobody() != 0) return SY_DECLINED;
#endif
  memcpy(call->out[0]->data, x->data, (size_t)x->numel * sizeof(float));
  return SY_OK;
}

static const SyOperatorDef operators[] = {{.size = sizeof(SyOperatorDef),
                                           .schema = "plain::nothing(Tensor x) -> Tensor",
                                           .shape = Shape,
                                           .file = __FILE__,
                                           .line = __LINE__}};
static const SyKernelDef kernels[] = {{.size = sizeof(SyKernelDef),
                                       .op = "plain::nothing",
                                       .device = "cpu",
                                       .dtypes = SY_BIT(SY_FLOAT32),
                                       .fn = Nothing,
                                       .file = __FILE__,
                                       .line = __LINE__}};
static const SyPlugin plugin = {.size = sizeof(SyPlugin),
                                .name = "plain",
                                .version = "1.0",
                                .operators = operators,
                                .kernels = kernels,
                                .n_operators = 1,
                                .operator_stride = sizeof(SyOperatorDef),
                                .n_kernels = 1,
                                .kernel_stride = sizeof(SyKernelDef)};

SY_PLUGIN_NOTE("plain", SY_NOTE_UNMAP_OK);
SY_EXPORT const SyPlugin* SY_PLUGIN_ENTRY(uint32_t host_minor, SyError* error) {
  (void)host_minor, (void)error;
  return &plugin;
}
