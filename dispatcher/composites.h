// What operators are made of, for layers that stand in for them: vmap, forward mode, gradients and
// sharded tensors run a composite's body in place of the operator, so that they see what it calls.
//
//   const Composite made = CompositeOf(op);                // null where there are kernels alone
//   const LayerInclusion again(bits);                      // what the body calls passes the layer
//   RunBody(*made.body, PlaceOfTensors(call.args), call);  // fills call.results
//   FunctionalOf(op)                                       // of add_ that is add
//
// A body may be for devices without a kernel alone, and call the operator again for one that has
// it: a layer remembers what it runs in this thread, and leaves that to the kernel.
//
//   thread_local const RunningBody* running = nullptr;
//   if (!(made.kernels && IsRunning(running, call.op))) {
//     const RunningScope scope(running, call.op);
//     …
//   }
//
// Owns: nothing; bodies and operators are the registry's, as long as their library is loaded.
// Threads: any; a LayerInclusion and a RunningScope are their thread's, and end in reverse order.
// Errors: RunBody throws what the body does; nothing else throws but std::bad_alloc.
#ifndef SWITCHYARD_DISPATCHER_COMPOSITES_H_
#define SWITCHYARD_DISPATCHER_COMPOSITES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/thread_state.h"
#include "switchyard/core/value.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/registry/entry.h"
#include "switchyard/registry/kernel_def.h"
#include "switchyard/registry/schema.h"

namespace sy {

// Takes back, for as long as it lives, that this thread excludes layers. bits: theirs, as a mask.
class LayerInclusion {
 public:
  explicit LayerInclusion(uint32_t bits) : saved_(thread_state.layers_excluded) {
    thread_state.layers_excluded &= ~bits;
  }
  ~LayerInclusion() { thread_state.layers_excluded = saved_; }
  LayerInclusion(const LayerInclusion&) = delete;

 private:
  uint32_t saved_;
};

namespace internal {

struct Composite {
  const KernelDef* body = nullptr;  // for every device; of several the first
  bool kernels = false;             // whether there are others besides
};
// Of an operator that is none of another's variants; nothing of these.
SY_API Composite CompositeOf(const OperatorEntry& op);

// Where the first tensor that is somewhere lies: the device's part of its key word, or 0.
SY_API KeyWord PlaceOfTensors(std::span<const Value> args);
// Calls the body in place of the operator. place: the device that it is told.
SY_API void RunBody(const KernelDef& body, KeyWord place, LayerCall& call);

// "add_.Tensor" → "add.Tensor".
SY_API std::string WithoutUnderscore(std::string_view name);
// The operator whose result goes into self, with the same number of arguments; or null.
SY_API const OperatorEntry* FunctionalOf(const OperatorEntry& op);
// Whether a result is a tensor, or a list of them.
SY_API bool ReturnsTensors(const Schema& schema);

// f(tensor), of all arguments; those that a list leaves undefined are passed over.
template <class F>
void ForEachTensor(std::span<const Value> args, F f) {
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) f(v.tensor());
    if (v.tag != Tag::kTensorList) continue;
    for (const Tensor& t : v.list<Tensor>()) {
      if (t.defined()) f(t);
    }
  }
}

// A body that a thread runs for a layer.
struct RunningBody {
  const OperatorEntry* op;
  const RunningBody* around;
};
inline bool IsRunning(const RunningBody* innermost, const OperatorEntry& op) {
  for (const RunningBody* r = innermost; r != nullptr; r = r->around) {
    if (r->op == &op) return true;
  }
  return false;
}
// While it lives, op is the innermost.
class RunningScope {
 public:
  RunningScope(const RunningBody*& innermost, const OperatorEntry& op)
      : innermost_(innermost), mine_{&op, innermost} {
    innermost = &mine_;
  }
  ~RunningScope() { innermost_ = mine_.around; }
  RunningScope(const RunningScope&) = delete;

 private:
  const RunningBody*& innermost_;
  RunningBody mine_;
};

}  // namespace internal
}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_COMPOSITES_H_
