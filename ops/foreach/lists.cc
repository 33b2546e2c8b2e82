#include "switchyard/ops/foreach/lists.h"

#include "switchyard/core/constant.h"
#include "switchyard/core/error.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"

namespace sy {

void RequireWritable(const Call& call, std::string_view name, size_t i, const Tensor& t) {
  if (is_frozen(t)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"tensor ", i, " of ", name, " is written, expected one that is not constant"});
  }
  RequireNoSelfOverlap(call.op(), t);
}

void RequireStepLists(const Call& call, TensorList self, std::initializer_list<StepList> others) {
  if (self.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least one tensor, got none"});
  for (size_t i = 0; i < self.size(); ++i) {
    if (!Contains(kFloatingTypes, self[i].dtype())) {
      Fail(ErrorCode::kNotImplemented, call.op(),
           {"expected floating tensors, got ", self[i].dtype(), " as tensor ", i, " of self"});
    }
    RequireWritable(call, "self", i, self[i]);
  }
  for (const StepList& list : others) {
    const size_t expected = list.used ? self.size() : 0;
    if (list.tensors.size() != expected) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected ", expected, " tensors in ", list.name, ", got ", list.tensors.size()});
    }
    for (size_t i = 0; i < expected; ++i) {
      const Tensor &t = list.tensors[i], &p = self[i];
      if (!SameSizes(t.sizes(), p.sizes()) || t.dtype() != p.dtype() ||
          PlaceOfKey(t.key()) != PlaceOfKey(p.key())) {
        Fail(ErrorCode::kInvalidArgument, call.op(),
             {"expected tensor ", i, " of ", list.name, " like self's, ", Describe(p), ", got ",
              Describe(t)});
      }
      RequireWritable(call, list.name, i, t);
    }
  }
}

void RequireSteps(const Call& call, TensorList self, TensorList steps) {
  if (steps.size() != self.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected ", self.size(), " tensors in state_steps, got ", steps.size()});
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].numel() == 1) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected one element in tensor ", i, " of state_steps, got sizes ", steps[i].sizes()});
  }
}

void RequireOneFloat(const Call& call, std::string_view name, const Tensor& t) {
  if (!t.defined() || (t.numel() == 1 && t.dtype() == DType::kFloat32)) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must have one element of float32, got ", Describe(t)});
}

void RequireOne(const Call& call, std::string_view name, const Tensor& t) {
  if (t.numel() == 1) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must have one element, got sizes ", t.sizes()});
}

}  // namespace sy
