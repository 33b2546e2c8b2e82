// Operators and kernels of this plugin, for the table in plugin.cc.
#ifndef SKELETON_KERNELS_H_
#define SKELETON_KERNELS_H_

#include <span>

#include "switchyard/c/plugin.h"

namespace skeleton {

extern const std::span<const SyOperatorDef> kOperators;
extern const std::span<const SyKernelDef> kKernels;

}  // namespace skeleton

#endif  // SKELETON_KERNELS_H_
