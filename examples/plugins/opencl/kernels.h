// The kernels of this plugin, for the table in plugin.cc. Each function adds what its file holds.
//
// Every kernel is optional: a host that lacks an operator takes the others.
#ifndef OPENCL_KERNELS_H_
#define OPENCL_KERNELS_H_

#include <vector>

#include "switchyard/c/plugin.h"

namespace opencl {

inline constexpr const char* kDeviceName = "opencl";

using KernelList = std::vector<SyKernelDef>;

void AddCopies(KernelList& all);
void AddPointwise(KernelList& all);
void AddDivision(KernelList& all);
void AddLimits(KernelList& all);
void AddReductions(KernelList& all);
void AddMatrixProducts(KernelList& all);
void AddIndexing(KernelList& all);

}  // namespace opencl

#endif  // OPENCL_KERNELS_H_
