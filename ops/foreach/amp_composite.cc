// _amp_foreach_non_finite_check_and_unscale, _amp_update_scale: nothing waits for a device, what
// was found is chosen by.

#include <tuple>

#include "ops/foreach/foreach_composite.h"
#include "switchyard/ops/foreach/lists.h"

namespace sy {
namespace {

using lists::List;

// A 0-dim view of one element: it takes no part in promotion and broadcasts to 0-dim tensors.
Tensor NumberIn(const Tensor& t) { return reshape(t, Ints({})); }

void Unscale(Call call, TensorList self, const Tensor& found_inf, const Tensor& inv_scale) {
  RequireOneFloat(call, "found_inf", found_inf);
  RequireOneFloat(call, "inv_scale", inv_scale);
  for (size_t i = 0; i < self.size(); ++i) {
    const Tensor& t = self[i];
    RequireWritable(call, "self", i, t);
    if (!Contains(kFloatingTypes, t.dtype()))
      Fail(ErrorCode::kNotImplemented, call.op(), {"expected floating tensors, got ", t.dtype()});
    for (const Tensor* one : {&found_inf, &inv_scale}) {
      if (PlaceOfKey(one->key()) == PlaceOfKey(t.key())) continue;
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected found_inf and inv_scale where tensor ", i, " of self is, on ",
            t.device().str(), ", got ", one->device().str()});
    }
  }
  const Tensor scale = NumberIn(inv_scale), found = view(found_inf, Ints({}));
  for (const Tensor& t : self) {
    masked_fill_(found, logical_not(all(isfinite(t))), 1);
    mul_(t, scale);
  }
}
std::tuple<List, Tensor> Unscaled(Call, TensorList self, const Tensor& found_inf,
                                  const Tensor& inv_scale) {
  List copies;
  for (const Tensor& t : self) copies.push_back(clone(t));
  const Tensor found = clone(found_inf);
  _amp_foreach_non_finite_check_and_unscale_(copies, found, inv_scale);
  return {std::move(copies), found};
}
void UnscaledOut(Call call, TensorList self, const Tensor& found_inf, const Tensor& inv_scale,
                 TensorList out) {
  lists::StoreAll(call, std::get<0>(Unscaled(call, self, found_inf, inv_scale)), out);
}
const Composite unscale_body{"_amp_foreach_non_finite_check_and_unscale", Unscaled};
const Composite unscale_in_place_body{"_amp_foreach_non_finite_check_and_unscale_", Unscale};
const Composite unscale_out_body{"_amp_foreach_non_finite_check_and_unscale.out", UnscaledOut};

// The scale, and how many steps have gone well.
std::tuple<Tensor, Tensor> Updated(Call call, const Tensor& self, const Tensor& growth_tracker,
                                   const Tensor& found_inf, double growth, double backoff,
                                   int64_t interval) {
  RequireOneFloat(call, "self", self);
  RequireOneFloat(call, "found_inf", found_inf);
  if (growth_tracker.numel() != 1 || growth_tracker.dtype() != DType::kInt32) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"growth_tracker must have one element of int32, got ", Describe(growth_tracker)});
  }
  const Tensor scale = to(self, DType::kFloat64);
  const auto rounded = [](const Tensor& t) { return to(t, DType::kFloat32); };
  const Tensor found = ne(view_as(found_inf, self), 0);
  const Tensor steps = add(growth_tracker, 1), grows = eq(steps, interval);
  const Tensor larger = rounded(mul(scale, growth)), smaller = rounded(mul(scale, backoff));
  const Tensor may_grow = logical_and(view_as(grows, self), isfinite(larger));
  const Tensor starts_anew = logical_or(view_as(found, growth_tracker), grows);
  return {where(found, smaller, where(may_grow, larger, self)), masked_fill(steps, starts_anew, 0)};
}
void Update(Call call, const Tensor& self, const Tensor& growth_tracker, const Tensor& found_inf,
            double growth, double backoff, int64_t interval) {
  const auto [scale, steps] =
      Updated(call, self, growth_tracker, found_inf, growth, backoff, interval);
  copy_(growth_tracker, steps);
  copy_(self, scale);
}
void UpdatedOut(Call call, const Tensor& self, const Tensor& growth_tracker,
                const Tensor& found_inf, double growth, double backoff, int64_t interval,
                const Tensor& out) {
  const Tensor made[] = {
      std::get<0>(Updated(call, self, growth_tracker, found_inf, growth, backoff, interval))};
  lists::StoreAll(call, List(made, made + 1), TensorList(&out, 1));
}
const Composite update_body{"_amp_update_scale", Updated};
const Composite update_in_place_body{"_amp_update_scale_", Update};
const Composite update_out_body{"_amp_update_scale.out", UpdatedOut};

}  // namespace
}  // namespace sy
