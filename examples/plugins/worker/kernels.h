// Operators and kernels of this plugin, for the table in plugin.cc.
#ifndef WORKER_KERNELS_H_
#define WORKER_KERNELS_H_

#include <span>

#include "switchyard/c/plugin.h"

namespace worker {

extern const std::span<const SyOperatorDef> kOperators;
extern const std::span<const SyKernelDef> kKernels;

}  // namespace worker

#endif  // WORKER_KERNELS_H_
