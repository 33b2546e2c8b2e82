// Every operator is decided: it has formulas, is made of other operators, or is said to have no
// gradient. Those that refuse are listed here with the reason, and no others do.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/autograd/gradient.h"

namespace sy {
namespace {

constexpr std::string_view kThird = "a backward operator that ATen, too, does not differentiate";
constexpr std::string_view kSteps = "constant by pieces, with jumps; refused as ATen's";
constexpr std::string_view kUnique = "which elements are equal is no smooth function; as ATen's";
constexpr std::string_view kNone = "no formula, as in ATen";

const std::map<std::string_view, std::string_view> kRefused = {
    {"_cdist_backward", kThird},
    {"_ctc_loss_backward", kThird},
    {"_embedding_bag_dense_backward", kThird},
    {"_embedding_bag_per_sample_weights_backward", kThird},
    {"_pdist_backward", kThird},
    {"_segment_reduce_backward", kThird},
    {"grid_sampler_2d_backward", kThird},
    {"grid_sampler_3d_backward", kThird},
    {"multi_margin_loss_backward", kThird},
    {"multilabel_margin_loss_backward", kThird},
    {"floor_divide", kSteps},
    {"floor_divide.Scalar", kSteps},
    {"floor_divide_.Scalar", kSteps},
    {"floor_divide_.Tensor", kSteps},
    {"heaviside", kSteps},
    {"heaviside_", kSteps},
    {"nextafter", kSteps},
    {"nextafter_", kSteps},
    {"_unique", kUnique},
    {"_unique2", kUnique},
    {"unique_consecutive", kUnique},
    {"unique_dim", kUnique},
    {"_scaled_mm", kNone},
    {"embedding_renorm", kNone},
    {"embedding_renorm_", kNone},
    {"geqrf", kNone},
    {"linalg_ldl_factor_ex", kNone},
    {"linalg_ldl_solve", kNone},
    {"scatter.reduce", "deprecated; scatter_reduce.two has formulas"},
    {"scatter.value_reduce", "deprecated; scatter_reduce.two has formulas"},
    {"scatter_.reduce", "deprecated; scatter_reduce.two has formulas"},
    {"scatter_.value_reduce", "deprecated; scatter_reduce.two has formulas"},
};

TEST(Gradients, AreRegisteredRightly) { EXPECT_EQ(GradientProblems(), std::vector<std::string>{}); }

TEST(Gradients, AreDecidedForEveryOperator) {
  const std::vector<std::string> refused = RefusedGradients();
  const std::set<std::string_view> names(refused.begin(), refused.end());
  for (const std::string_view op : names) {
    EXPECT_TRUE(kRefused.contains(op))
        << op << " has neither a formula nor a body of other operators: write one, or register it "
        << "as Zero or NotDifferentiable, or list it here with the reason";
  }
  for (const auto& [op, reason] : kRefused) {
    EXPECT_FALSE(reason.empty());
    EXPECT_TRUE(names.contains(op)) << op << " does not refuse: take it off the list";
  }
}

}  // namespace
}  // namespace sy
