#include "switchyard/registry/tags.h"

#include <array>

namespace sy {

std::string_view Name(OperatorTag tag) {
  static constexpr std::array<std::string_view, kNumOperatorTags> kNames = {
      "pointwise",
      "reduction",
      "dynamic_output_shape",
      "data_dependent_output",
      "nondeterministic_seeded",
      "view_copy",
      "inplace_view",
      "maybe_aliasing_or_mutating",
      "generated",
      "uninitialized_output",
      "open_ties",
      "row_major_out",
      "same_dtype_out"};
  return kNames[static_cast<size_t>(tag)];
}

std::vector<std::string_view> NamesOf(OperatorTags tags) {
  std::vector<std::string_view> names;
  for (int i = 0; i < kNumOperatorTags; ++i) {
    if (const auto tag = static_cast<OperatorTag>(i); tags.Has(tag)) names.push_back(Name(tag));
  }
  return names;
}

}  // namespace sy
