// The layer of sparse and of quantised tensors: it is always there, under numbers of its own.
#ifndef SWITCHYARD_DISPATCHER_LAYOUTS_INTERNAL_H_
#define SWITCHYARD_DISPATCHER_LAYOUTS_INTERNAL_H_

#include "switchyard/dispatcher/layers.h"

namespace sy::internal {

// Serves calls by op/layout_kernel.h, whatever else is known of the operator. Lives for ever.
Layer* LayoutLayer();
// Behind what watches calls and views of conjugates, before packings.
inline constexpr int kLayoutOrder = 950;

}  // namespace sy::internal

#endif  // SWITCHYARD_DISPATCHER_LAYOUTS_INTERNAL_H_
