// Functional and out= variants of optimisers' steps: the step itself, on copies.

#include <tuple>

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

using lists::List;

List Clones(TensorList list) {
  List copies;
  copies.reserve(list.size());
  for (const Tensor& t : list) copies.push_back(clone(t));
  return copies;
}

// Lr: double, or a tensor of one element.
template <class Lr>
struct Sgd {
  static std::tuple<List, List, List> Make(Call, TensorList self, TensorList grads,
                                           TensorList buffers, double weight_decay, double momentum,
                                           Lr lr, double dampening, bool nesterov, bool maximize,
                                           bool first, const Tensor& grad_scale,
                                           const Tensor& found_inf) {
    std::tuple<List, List, List> to{Clones(self), Clones(grads), Clones(buffers)};
    auto& [p, g, b] = to;
    _fused_sgd_(p, g, b, weight_decay, momentum, lr, dampening, nesterov, maximize, first,
                grad_scale, found_inf);
    return to;
  }
  static void Out(Call call, TensorList self, TensorList grads, TensorList buffers,
                  double weight_decay, double momentum, Lr lr, double dampening, bool nesterov,
                  bool maximize, bool first, const Tensor& grad_scale, const Tensor& found_inf,
                  TensorList out) {
    const auto to = Make(call, self, grads, buffers, weight_decay, momentum, lr, dampening,
                         nesterov, maximize, first, grad_scale, found_inf);
    lists::StoreAll(call, std::get<0>(to), out);
  }
};
const Composite sgd_body{"_fused_sgd", Sgd<double>::Make};
const Composite sgd_out_body{"_fused_sgd.out", Sgd<double>::Out};
const Composite sgd_tensor_body{"_fused_sgd.tensor_lr", Sgd<const Tensor&>::Make};
const Composite sgd_tensor_out_body{"_fused_sgd.tensor_lr_out", Sgd<const Tensor&>::Out};

// step: _fused_adam_ or _fused_adamw_.
template <auto kStep, class Lr>
struct Adam {
  static std::tuple<List, List, List, List, List> Make(
      Call, TensorList self, TensorList grads, TensorList averages, TensorList squares,
      TensorList largest, TensorList steps, Lr lr, double beta1, double beta2, double weight_decay,
      double eps, bool amsgrad, bool maximize, const Tensor& grad_scale, const Tensor& found_inf) {
    std::tuple<List, List, List, List, List> to{Clones(self), Clones(grads), Clones(averages),
                                                Clones(squares), Clones(largest)};
    auto& [p, g, m, v, x] = to;
    kStep(p, g, m, v, x, steps, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale,
          found_inf);
    return to;
  }
  static void Out(Call call, TensorList self, TensorList grads, TensorList averages,
                  TensorList squares, TensorList largest, TensorList steps, Lr lr, double beta1,
                  double beta2, double weight_decay, double eps, bool amsgrad, bool maximize,
                  const Tensor& grad_scale, const Tensor& found_inf, TensorList out) {
    const auto to = Make(call, self, grads, averages, squares, largest, steps, lr, beta1, beta2,
                         weight_decay, eps, amsgrad, maximize, grad_scale, found_inf);
    lists::StoreAll(call, std::get<0>(to), out);
  }
};
#define SY_ADAM(name)                                                                     \
  using name##_numbers = Adam<SY_FUNCTION(_fused_##name##_), double>;                     \
  using name##_tensors = Adam<SY_FUNCTION(_fused_##name##_), const Tensor&>;              \
  const Composite name##_body{"_fused_" #name, name##_numbers::Make};                     \
  const Composite name##_out_body{"_fused_" #name ".out", name##_numbers::Out};           \
  const Composite name##_tensor_body{"_fused_" #name ".tensor_lr", name##_tensors::Make}; \
  const Composite name##_tensor_out_body{"_fused_" #name ".tensor_lr_out", name##_tensors::Out};
SY_ADAM(adam)
SY_ADAM(adamw)
#undef SY_ADAM

template <class Lr>
struct Adagrad {
  static std::tuple<List, List, List> Step(TensorList self, TensorList grads, TensorList sums,
                                           TensorList steps, Lr lr, double lr_decay,
                                           double weight_decay, double eps, bool maximize,
                                           const Tensor& grad_scale, const Tensor& found_inf) {
    std::tuple<List, List, List> to{Clones(self), Clones(grads), Clones(sums)};
    auto& [p, g, s] = to;
    _fused_adagrad_(p, g, s, steps, lr, lr_decay, weight_decay, eps, maximize, grad_scale,
                    found_inf);
    return to;
  }
  // Of the overload with a number: steps are among what ATen says is written.
  using Made = std::conditional_t<std::is_same_v<Lr, double>, std::tuple<List, List, List, List>,
                                  std::tuple<List, List, List>>;
  static Made Make(Call, TensorList self, TensorList grads, TensorList sums, TensorList steps,
                   Lr lr, double lr_decay, double weight_decay, double eps, bool maximize,
                   const Tensor& grad_scale, const Tensor& found_inf) {
    auto to = Step(self, grads, sums, steps, lr, lr_decay, weight_decay, eps, maximize, grad_scale,
                   found_inf);
    if constexpr (std::is_same_v<Lr, double>) {
      return std::tuple_cat(std::move(to), std::tuple<List>(Clones(steps)));
    } else {
      return to;
    }
  }
  static void Out(Call call, TensorList self, TensorList grads, TensorList sums, TensorList steps,
                  Lr lr, double lr_decay, double weight_decay, double eps, bool maximize,
                  const Tensor& grad_scale, const Tensor& found_inf, TensorList out) {
    const auto to = Step(self, grads, sums, steps, lr, lr_decay, weight_decay, eps, maximize,
                         grad_scale, found_inf);
    lists::StoreAll(call, std::get<0>(to), out);
  }
};
const Composite adagrad_body{"_fused_adagrad", Adagrad<double>::Make};
const Composite adagrad_out_body{"_fused_adagrad.out", Adagrad<double>::Out};
const Composite adagrad_tensor_body{"_fused_adagrad.tensor_lr", Adagrad<const Tensor&>::Make};
const Composite adagrad_tensor_out_body{"_fused_adagrad.tensor_lr_out",
                                        Adagrad<const Tensor&>::Out};

}  // namespace
}  // namespace sy
