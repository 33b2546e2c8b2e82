// What serves an operator, on every device: for lists and documents.
//
//   for (const KernelLine& k : KernelsOf(Registry::Global(), op)) k.device, k.dtypes, k.source;
//
// Kernels of the operator that another is derived from serve that one too. A composite and a view
// are one line for every device and dtype, named "any".
// Threads: any.
#ifndef TOOLS_LISTING_KERNELS_H_
#define TOOLS_LISTING_KERNELS_H_

#include <string>
#include <vector>

#include "switchyard/core/dtype.h"
#include "switchyard/registry/registry.h"

namespace sy::listing {

struct KernelLine {
  std::string device;  // its type's name, or "any"
  DTypeMask dtypes;
  std::string source;  // "file:line"
};
// Sorted by device, then source.
std::vector<KernelLine> KernelsOf(Registry& registry, const OperatorEntry& op);

// {"any"} for all of them.
std::vector<std::string> DTypeNames(DTypeMask mask);
// "float32 float64"
std::string DTypeList(DTypeMask mask);

}  // namespace sy::listing

#endif  // TOOLS_LISTING_KERNELS_H_
