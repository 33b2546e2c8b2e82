// Steps of optimisers over lists of parameters, each in one pass over its memory.
//
// S, beside its Engine, is what a backend gives:
//
//   kDevice            "cpu"
//   Engine             copies tensors (backends/common/formula_kernel.h)
//   Run<Op>(call, step)  Op of ops/formulas/optimizer.h for every element of step.items, which lie
//                      alike; nothing where found_inf is 1; grad_scale divides gradients, which
//                      then are written
//   Unscale(call, items, found_inf, inv_scale)    multiplies each tensor, the first of its item, by
//                      inv_scale, and sets found_inf to 1 where an element is not finite
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for lists that do not fit.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_FUSED_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_FUSED_H_

#include "switchyard/backends/common/kernels/foreach/step.h"
#include "switchyard/ops/foreach/lists.h"

namespace sy {

template <class S>
class FusedKernels {
 public:
  // Lr: double, or a tensor of one element.
  template <class Lr>
  static void Sgd(Call call, TensorList self, TensorList grads, TensorList buffers,
                  double weight_decay, double momentum, Lr lr, double dampening, bool nesterov,
                  bool maximize, bool first, const Tensor& grad_scale, const Tensor& found_inf) {
    const bool keeps = momentum != 0;
    RequireStepLists(call, self, {{"grads", grads}, {"momentum_buffer_list", buffers, keeps}});
    StepCall step;
    step.numbers.weight_decay = weight_decay;
    step.numbers.momentum = momentum;
    step.numbers.dampening = dampening;
    step.numbers.nesterov = nesterov;
    step.numbers.maximize = maximize;
    step.numbers.first = first;
    Go<f::SgdStep>(call, step, lr, grad_scale, found_inf, {}, {self, grads, buffers});
  }

  template <bool kDecoupled, class Lr>
  static void Adam(Call call, TensorList self, TensorList grads, TensorList exp_avgs,
                   TensorList exp_avg_sqs, TensorList max_exp_avg_sqs, TensorList state_steps,
                   Lr lr, double beta1, double beta2, double weight_decay, double eps, bool amsgrad,
                   bool maximize, const Tensor& grad_scale, const Tensor& found_inf) {
    RequireStepLists(call, self,
                     {{"grads", grads},
                      {"exp_avgs", exp_avgs},
                      {"exp_avg_sqs", exp_avg_sqs},
                      {"max_exp_avg_sqs", max_exp_avg_sqs, amsgrad}});
    RequireSteps(call, self, state_steps);
    StepCall step;
    step.numbers.beta1 = beta1;
    step.numbers.beta2 = beta2;
    step.numbers.weight_decay = weight_decay;
    step.numbers.eps = eps;
    step.numbers.amsgrad = amsgrad;
    step.numbers.maximize = maximize;
    step.numbers.decoupled = kDecoupled;
    Go<f::AdamStep>(call, step, lr, grad_scale, found_inf, state_steps,
                    {self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs});
  }

  template <class Lr>
  static void Adagrad(Call call, TensorList self, TensorList grads, TensorList state_sums,
                      TensorList state_steps, Lr lr, double lr_decay, double weight_decay,
                      double eps, bool maximize, const Tensor& grad_scale,
                      const Tensor& found_inf) {
    RequireStepLists(call, self, {{"grads", grads}, {"state_sums", state_sums}});
    RequireSteps(call, self, state_steps);
    StepCall step;
    step.numbers.lr_decay = lr_decay;
    step.numbers.weight_decay = weight_decay;
    step.numbers.eps = eps;
    step.numbers.maximize = maximize;
    Go<f::AdagradStep>(call, step, lr, grad_scale, found_inf, state_steps,
                       {self, grads, state_sums});
  }

  static void Unscale(Call call, TensorList self, const Tensor& found_inf,
                      const Tensor& inv_scale) {
    RequireOneFloat(call, "found_inf", found_inf);
    RequireOneFloat(call, "inv_scale", inv_scale);
    if (PlaceOfKey(found_inf.key()) != PlaceOfKey(call.key)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"found_inf must lie where the tensors do, got ", Describe(found_inf)});
    }
    if (self.empty()) return;
    RequireStepLists(call, self, {});
    RequireWritable(call, "found_inf", 0, found_inf);
    StepCall step;
    step.items.resize(self.size());
    for (size_t i = 0; i < self.size(); ++i) step.items[i].tensors[0] = self[i];
    WithDenseItems<typename S::Engine>(
        call, step, [&](StepCall& s) { S::Unscale(call, s.items, found_inf, inv_scale); });
  }

  Kernel sgd{"_fused_sgd_", S::kDevice, kFloatingTypes, Sgd<double>};
  Kernel sgd_tensor{"_fused_sgd_.tensor_lr", S::kDevice, kFloatingTypes, Sgd<const Tensor&>};
  Kernel adam{"_fused_adam_", S::kDevice, kFloatingTypes, Adam<false, double>};
  Kernel adam_tensor{"_fused_adam_.tensor_lr", S::kDevice, kFloatingTypes,
                     Adam<false, const Tensor&>};
  Kernel adamw{"_fused_adamw_", S::kDevice, kFloatingTypes, Adam<true, double>};
  Kernel adamw_tensor{"_fused_adamw_.tensor_lr", S::kDevice, kFloatingTypes,
                      Adam<true, const Tensor&>};
  Kernel adagrad{"_fused_adagrad_", S::kDevice, kFloatingTypes, Adagrad<double>};
  Kernel adagrad_tensor{"_fused_adagrad_.tensor_lr", S::kDevice, kFloatingTypes,
                        Adagrad<const Tensor&>};
  Kernel unscale{"_amp_foreach_non_finite_check_and_unscale_", S::kDevice, kFloatingTypes, Unscale};

 private:
  static void SetLr(StepCall& step, double lr) { step.numbers.lr = lr; }
  static void SetLr(StepCall& step, const Tensor& lr) { step.lr = lr; }

  // lists: the parameters, the gradients, what is kept; those that are empty are none.
  template <class Op, class Lr>
  static void Go(const Call& call, StepCall& step, const Lr& lr, const Tensor& grad_scale,
                 const Tensor& found_inf, TensorList steps,
                 std::initializer_list<TensorList> lists) {
    RequireOne(call, "lr", lr);
    RequireOneFloat(call, "grad_scale", grad_scale);
    RequireOneFloat(call, "found_inf", found_inf);
    SetLr(step, lr);
    step.grad_scale = grad_scale;
    step.found_inf = found_inf;
    step.items.resize(lists.begin()->size());
    for (size_t i = 0; i < step.items.size(); ++i) {
      size_t k = 0;
      for (const TensorList& list : lists) {
        if (!list.empty()) step.items[i].tensors[k] = list[i];
        ++k;
      }
      if (!steps.empty()) step.items[i].step = steps[i];
    }
    WithDenseItems<typename S::Engine>(call, step,
                                       [&](StepCall& s) { S::template Run<Op>(call, s); });
  }
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_FUSED_H_
