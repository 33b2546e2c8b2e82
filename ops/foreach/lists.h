// What a step of an optimiser asks of its lists, on every device.
//
//   RequireStepLists(call, self, {{"grads", grads}, {"exp_avgs", exp_avgs}});
//
// Owns: nothing; names and lists are borrowed. Threads: any.
// Errors: kInvalidArgument, naming the list.
#ifndef SWITCHYARD_OPS_FOREACH_LISTS_H_
#define SWITCHYARD_OPS_FOREACH_LISTS_H_

#include <initializer_list>
#include <string_view>

#include "switchyard/op/kernel.h"

namespace sy {

#pragma GCC visibility push(default)

// One of the lists beside self.
struct StepList {
  std::string_view name;  // as the schema has it
  TensorList tensors;
  bool used = true;  // else it must be empty
};

// Tensor i of the list `name`, which a step writes: each element has a place of its own, and the
// tensor is not frozen.
void RequireWritable(const Call& call, std::string_view name, size_t i, const Tensor& t);

// Every list has as many tensors as self, each of self's sizes and dtype, where self lies, and all
// are floating. What is not used must be empty. kNotImplemented for other dtypes.
void RequireStepLists(const Call& call, TensorList self, std::initializer_list<StepList> others);

// state_steps: for each tensor one element, the number of steps so far.
void RequireSteps(const Call& call, TensorList self, TensorList steps);
// grad_scale, found_inf: one element of float32, or absent.
void RequireOneFloat(const Call& call, std::string_view name, const Tensor& t);
// lr, which is a tensor of one element or a number.
void RequireOne(const Call& call, std::string_view name, const Tensor& t);
inline void RequireOne(const Call&, std::string_view, double) {}

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_FOREACH_LISTS_H_
