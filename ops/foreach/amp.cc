// What scaled gradients need: multiplies each tensor of a list by inv_scale and sets found_inf to 1
// where one holds what is not finite; and adapts the scale to what was found.
//   self: floating tensors, none too; found_inf, inv_scale: one float32; growth_tracker: one int32,
//   steps since the scale last grew or shrank   →   nothing, self; of functional variants the
//   values as they would be
// The scale is multiplied by scale_backoff_factor where found_inf is not 0, and after
// growth_interval steps without by scale_growth_factor, unless it would become infinite.
// Errors: kInvalidArgument for numbers of other sizes or dtypes, kNotImplemented for tensors that
// are not floating.
// Example: sy::_amp_foreach_non_finite_check_and_unscale_({x, y}, a, b)
// Source: ATen _amp_foreach_non_finite_check_and_unscale, _amp_update_scale.
#include "switchyard/op/operator.h"

namespace sy {

const Operator foreach_non_finite_check_and_unscale_op{
    "_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor "
    "inv_scale) -> (Tensor[] self_out, Tensor found_inf_out)",
    KeyRule::kFirst};
const Operator foreach_non_finite_check_and_unscale_out_op{
    "_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, "
    "Tensor inv_scale, *, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator foreach_non_finite_check_and_unscale_in_place_op{
    "_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, "
    "Tensor inv_scale) -> ()",
    KeyRule::kFirst};
const Operator update_scale_op{
    "_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, float "
    "scale_growth_factor, float scale_backoff_factor, int growth_interval) -> (Tensor, Tensor "
    "growth_tracker_out)",
    KeyRule::kFirst};
const Operator update_scale_out_op{
    "_amp_update_scale.out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, float "
    "scale_growth_factor, float scale_backoff_factor, int growth_interval, *, Tensor(a!) out) "
    "-> Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator update_scale_in_place_op{
    "_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float "
    "scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
