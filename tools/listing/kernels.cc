#include "tools/listing/kernels.h"

#include <absl/strings/str_join.h>

#include <algorithm>
#include <tuple>

namespace sy::listing {

std::vector<KernelLine> KernelsOf(Registry& registry, const OperatorEntry& op) {
  if (op.kind == Variant::kView || op.kind == Variant::kViewInPlace)
    return {{"any", kAnyDType, op.def()->source()}};  // what makes a view is the shape function
  std::vector<KernelLine> lines;
  for (const Candidate& c : registry.Candidates(op, MakeKey(kHostRow, DType::kFloat32))) {
    const KernelDef& k = *c.kernel;
    if (!k.tags.empty()) continue;  // in the place of one that is missing
    lines.push_back({k.device == nullptr ? "any" : k.device, k.dtypes, k.source()});
  }
  if (lines.empty() && op.kernels->derived_from != nullptr)
    lines = KernelsOf(registry, *op.kernels->derived_from);
  std::sort(lines.begin(), lines.end(), [](const KernelLine& a, const KernelLine& b) {
    return std::tie(a.device, a.source) < std::tie(b.device, b.source);
  });
  return lines;
}

std::vector<std::string> DTypeNames(DTypeMask mask) {
  if (mask == kAnyDType) return {"any"};
  std::vector<std::string> names;
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (Contains(mask, d)) names.emplace_back(Name(d));
  }
  return names;
}

std::string DTypeList(DTypeMask mask) { return absl::StrJoin(DTypeNames(mask), " "); }

}  // namespace sy::listing
