// Our tags beside ATen's, as tools/conformance/record_tags.py recorded them.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "switchyard/registry/registry.h"

namespace sy {
namespace {

using Names = std::set<std::string>;

// "equal pointwise": what ATen's overload carries and ours does not.
const Names kATensAlone = {
    "_scaled_dot_product_flash_attention_for_cpu nondeterministic_seeded",  // dropout is refused
    "conj_physical maybe_aliasing_or_mutating",                             // copies a real tensor
    "equal pointwise",                                                      // one answer for all
    "slice_scatter view_copy",  // select_scatter and diagonal_scatter are none there either
    "slice_scatter.out view_copy",
};

// What ours carries and ATen's does not, beside variants (an in-place or out= variant carries the
// tags of its operator here; ATen's often lack them).
const Names kOursAlone = {
    "_prelu_kernel pointwise", "_prelu_kernel_backward pointwise", "_unique dynamic_output_shape",
    "binary_cross_entropy_backward pointwise", "complex pointwise", "elu_backward pointwise",
    "floor_divide pointwise", "floor_divide.Scalar pointwise", "hardshrink_backward pointwise",
    "hardsigmoid_backward pointwise", "hardswish pointwise", "hardswish_backward pointwise",
    "hardtanh_backward pointwise", "huber_loss_backward pointwise", "isreal pointwise",
    "leaky_relu pointwise", "leaky_relu_backward pointwise", "log_sigmoid pointwise",
    "log_sigmoid_backward pointwise", "log_sigmoid_forward pointwise",
    "masked_fill.Tensor pointwise", "mish_backward pointwise", "mse_loss_backward pointwise",
    // Running statistics are written in training.
    "native_batch_norm maybe_aliasing_or_mutating",
    "native_batch_norm.out maybe_aliasing_or_mutating", "polar pointwise", "rsub.Tensor pointwise",
    "smooth_l1_loss_backward pointwise", "soft_margin_loss_backward pointwise",
    "softplus_backward pointwise", "softshrink_backward pointwise", "special_ndtr pointwise",
    // They share self's memory here.
    "_unsafe_view maybe_aliasing_or_mutating", "to_dense maybe_aliasing_or_mutating",
    "unsafe_split.Tensor maybe_aliasing_or_mutating",
    "unsafe_split_with_sizes maybe_aliasing_or_mutating", "where.Scalar pointwise",
    "where.ScalarOther pointwise", "where.ScalarSelf pointwise"};

// Whether an operator runs the kernels of another of another name.
bool IsSecondName(const OperatorEntry& op) {
  if (op.def()->kernels_of == nullptr) return false;
  const std::string_view first(op.def()->kernels_of);
  return first.substr(0, first.find('.')) != op.schema().name;
}

class TagsOfATen : public testing::Test {
 protected:
  TagsOfATen() {
    const auto recorded = nlohmann::json::parse(std::ifstream("tests/conformance/aten_tags.json"));
    for (const OperatorEntry* op : Registry::Global().Entries()) {
      const std::string name(op->name());
      Names theirs;
      if (recorded.contains(name)) theirs = recorded[name].get<Names>();
      Names ours;
      for (const std::string_view tag : NamesOf(op->tags)) ours.emplace(tag);
      for (const std::string& tag : theirs) {
        if (!ours.contains(tag)) atens_alone_.insert(name + " " + tag);
      }
      if (op->Has(OperatorTag::kGenerated)) continue;
      for (const char* tag :
           {"uninitialized_output", "open_ties", "row_major_out", "same_dtype_out"})
        ours.erase(tag);  // not ATen's
      // A second name carries the tags of its first, which ATen gives to few.
      if (IsSecondName(*op)) ours.erase("pointwise");
      for (const std::string& tag : ours) {
        if (!theirs.contains(tag)) ours_alone_.insert(name + " " + tag);
      }
    }
  }

  Names atens_alone_, ours_alone_;
};

TEST_F(TagsOfATen, AreOursExceptWhereListed) { EXPECT_EQ(atens_alone_, kATensAlone); }
TEST_F(TagsOfATen, AreAllThatOursAreExceptWhereListed) {
  for (const std::string& tag : ours_alone_) EXPECT_TRUE(kOursAlone.contains(tag)) << tag;
  for (const std::string& tag : kOursAlone) EXPECT_TRUE(ours_alone_.contains(tag)) << tag;
}

}  // namespace
}  // namespace sy
