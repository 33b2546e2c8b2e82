// Gradients of normalisations, of which output_mask says which there are.

#include "switchyard/ops/nn/norm_backward.h"

#include "switchyard/op/kernel.h"

namespace sy {
namespace {

const Kernel layer_norm{"native_layer_norm_backward", "meta", kAnyDType, LayerNormGradients};
const Kernel group_norm{"native_group_norm_backward", "meta", kAnyDType, GroupNormGradients};
const Kernel batch_norm{"native_batch_norm_backward", "meta", kAnyDType, BatchNormGradients};

}  // namespace
}  // namespace sy
