#include "tools/replay/special.h"

#include <algorithm>
#include <array>

namespace sy::replay {
namespace {

struct Kind {
  std::string_view name;  // without overload, and without the '_' of in-place forms
  Comparison comparison;
};

constexpr std::array kKinds = {
    Kind{"empty", Comparison::kMetadata},
    Kind{"empty_like", Comparison::kMetadata},
    Kind{"empty_permuted", Comparison::kMetadata},
    Kind{"empty_strided", Comparison::kMetadata},
    Kind{"new_empty", Comparison::kMetadata},
    Kind{"new_empty_strided", Comparison::kMetadata},
    Kind{"topk", Comparison::kTies},
    Kind{"kthvalue", Comparison::kTies},
    Kind{"median", Comparison::kTies},
    Kind{"nanmedian", Comparison::kTies},
    Kind{"mode", Comparison::kTies},
    Kind{"linalg_svd", Comparison::kFactorization},
    Kind{"bernoulli", Comparison::kRandom},
    Kind{"cauchy", Comparison::kRandom},
    Kind{"dropout", Comparison::kRandom},
    Kind{"exponential", Comparison::kRandom},
    Kind{"geometric", Comparison::kRandom},
    Kind{"log_normal", Comparison::kRandom},
    Kind{"multinomial", Comparison::kRandom},
    Kind{"normal", Comparison::kRandom},
    Kind{"rand", Comparison::kRandom},
    Kind{"rand_like", Comparison::kRandom},
    Kind{"randint", Comparison::kRandom},
    Kind{"randint_like", Comparison::kRandom},
    Kind{"randn", Comparison::kRandom},
    Kind{"randn_like", Comparison::kRandom},
    Kind{"random", Comparison::kRandom},
    Kind{"randperm", Comparison::kRandom},
    Kind{"uniform", Comparison::kRandom},
};

}  // namespace

Comparison ComparisonOf(std::string_view op) {
  std::string_view name = op.substr(0, op.find('.'));
  if (name.ends_with('_')) name.remove_suffix(1);
  const auto* found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.name == name; });
  return found == kKinds.end() ? Comparison::kValues : found->comparison;
}

}  // namespace sy::replay
