// The kernels and operators of this plugin, for the table in plugin.cc. Each function adds what its
// file holds.
//
// Every kernel is optional: a host that lacks an operator takes the others.
#ifndef XNNPACK_KERNELS_H_
#define XNNPACK_KERNELS_H_

#include <vector>

#include "xnn.h"

namespace xnnpack {

using KernelList = std::vector<SyKernelDef>;
using OperatorList = std::vector<SyOperatorDef>;

inline constexpr uint64_t kFloat = SY_BIT(SY_FLOAT32), kByte = SY_BIT(SY_INT8);

// A kernel on this device.
template <auto kFn, int kOuts = 1>
void Add(KernelList& all, const char* op, uint64_t dtypes = kFloat) {
  all.push_back(Kernel<kFn, kOuts>(op, kDeviceName, dtypes, SY_KERNEL_OPTIONAL));
}

// The two kernels of one of this plugin's operators, here and on the host. dtypes: what the rule
// computes in.
template <auto kFn, auto kReference, int kOuts = 1>
void AddOwn(KernelList& all, const char* op, uint64_t dtypes) {
  all.push_back(Kernel<kFn, kOuts>(op, kDeviceName, dtypes));
  all.push_back(Kernel<kReference, kOuts>(op, "cpu", dtypes));
}

void AddCopies(KernelList& all);
void AddUnary(KernelList& all);
void AddBinary(KernelList& all);
void AddSoftmax(KernelList& all);
void AddConvolution(KernelList& all);
void AddPooling(KernelList& all);
void AddLinear(KernelList& all);
void AddImages(KernelList& all);
void AddQuantization(KernelList& all, OperatorList& operators);
void AddQuantizedProducts(KernelList& all, OperatorList& operators);

}  // namespace xnnpack

#endif  // XNNPACK_KERNELS_H_
