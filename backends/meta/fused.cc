// Steps of optimisers on meta: lists are checked, and there is nothing to compute.

#include "switchyard/op/kernel.h"
#include "switchyard/ops/foreach/lists.h"

namespace sy {
namespace {

void RequireNumbers(const Call& call, const Tensor& grad_scale, const Tensor& found_inf) {
  RequireOneFloat(call, "grad_scale", grad_scale);
  RequireOneFloat(call, "found_inf", found_inf);
}

template <class Lr>
void Sgd(Call call, TensorList self, TensorList grads, TensorList buffers, double, double momentum,
         Lr lr, double, bool, bool, bool, const Tensor& grad_scale, const Tensor& found_inf) {
  RequireStepLists(call, self,
                   {{"grads", grads}, {"momentum_buffer_list", buffers, momentum != 0}});
  RequireOne(call, "lr", lr);
  RequireNumbers(call, grad_scale, found_inf);
}

template <class Lr>
void Adam(Call call, TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
          TensorList max_exp_avg_sqs, TensorList state_steps, Lr lr, double, double, double, double,
          bool amsgrad, bool, const Tensor& grad_scale, const Tensor& found_inf) {
  RequireStepLists(call, self,
                   {{"grads", grads},
                    {"exp_avgs", exp_avgs},
                    {"exp_avg_sqs", exp_avg_sqs},
                    {"max_exp_avg_sqs", max_exp_avg_sqs, amsgrad}});
  RequireSteps(call, self, state_steps);
  RequireOne(call, "lr", lr);
  RequireNumbers(call, grad_scale, found_inf);
}

template <class Lr>
void Adagrad(Call call, TensorList self, TensorList grads, TensorList state_sums,
             TensorList state_steps, Lr lr, double, double, double, bool, const Tensor& grad_scale,
             const Tensor& found_inf) {
  RequireStepLists(call, self, {{"grads", grads}, {"state_sums", state_sums}});
  RequireSteps(call, self, state_steps);
  RequireOne(call, "lr", lr);
  RequireNumbers(call, grad_scale, found_inf);
}

const Kernel sgd{"_fused_sgd_", "meta", kAnyDType, Sgd<double>};
const Kernel sgd_tensor{"_fused_sgd_.tensor_lr", "meta", kAnyDType, Sgd<const Tensor&>};
const Kernel adam{"_fused_adam_", "meta", kAnyDType, Adam<double>};
const Kernel adam_tensor{"_fused_adam_.tensor_lr", "meta", kAnyDType, Adam<const Tensor&>};
const Kernel adamw{"_fused_adamw_", "meta", kAnyDType, Adam<double>};
const Kernel adamw_tensor{"_fused_adamw_.tensor_lr", "meta", kAnyDType, Adam<const Tensor&>};
const Kernel adagrad{"_fused_adagrad_", "meta", kAnyDType, Adagrad<double>};
const Kernel adagrad_tensor{"_fused_adagrad_.tensor_lr", "meta", kAnyDType, Adagrad<const Tensor&>};

}  // namespace
}  // namespace sy
