// Recording beside layers that stand for several tensors by one: what vmap asks of gradients.
//
// A batched tensor stands for another one, its value, of one level further out (transforms/vmap.h).
// A call with batched tensors may be recorded twice over: here, of the batched tensors, and further
// out, of their values. Which of the two a history belongs to is told by where its leaf was made:
//
//   vmap(f)(x), x requires a gradient       depth 0: recorded of values, once f is through
//   vmap([](x) { … grad of x … })(x)        depth 1: recorded of the batched tensors
//
// so that a call records, of its inputs, those whose leaf is as deep as the batched tensors of the
// call, and leaves the others to the values.
//
// Whether values are recorded is the mode that the program has set (NoGrad), not what this layer
// excludes while it runs a kernel below itself or a backward: OuterMode keeps the one while the
// other changes.
//
// Owns: nothing.
// Threads: depth and mode are a thread's own; hooks are set once, before the first batched tensor.
// Errors: none, but as said.
#ifndef SWITCHYARD_AUTOGRAD_LEVELS_H_
#define SWITCHYARD_AUTOGRAD_LEVELS_H_

#include <atomic>
#include <cstdint>

#include "switchyard/autograd/function.h"
#include "switchyard/core/tensor.h"
#include "switchyard/registry/entry.h"

namespace sy::autograd {

// What knows batched tensors: null where nobody does.
struct BatchHooks {
  // How many levels deep the tensor is batched; 0: not at all.
  int (*depth_of)(const Tensor& t);
  // `alias`, on the memory of `of`, is to stand for the same value.
  void (*aliased)(const Tensor& alias, const Tensor& of);
  // ApplyFunction's, of inputs whose histories are all of further out: called there, where its own
  // derivative is wanted; false where nothing wants it.
  bool (*function)(const char* name, const ForwardFunction& forward,
                   const BackwardFunction& backward, const std::vector<Tensor>& inputs,
                   std::vector<Tensor>& results);
};
extern SY_API std::atomic<const BatchHooks*> batch_hooks;
// Told of an alias, on the memory of `of`, that is to stand for the same: what a layer has attached
// to the one it attaches to the other. Null where nobody asks.
extern SY_API std::atomic<void (*)(const Tensor& alias, const Tensor& of)> alias_made;

// How many levels this thread is inside of: what leaves made now are told by.
SY_API int& CurrentDepth();

// Whether what a formula gives may be differentiated again: it is recorded, or of tensors that
// stand for others, which may be followed further out.
SY_API bool MayBeFollowed();

// Whether values, of the level further out, are recorded at this point.
SY_API bool OuterRecords();
// The same, were this level's recording on: of a call that this layer is in the middle of.
SY_API bool OuterRecordsHere();
// While it lives, values are recorded if `on` says so. kInside: whatever is excluded here, since
// the layer is at work; kProgram: unless the program switches recording off, as NoGrad does.
class SY_API OuterMode {
 public:
  enum Until { kInside, kProgram };
  explicit OuterMode(bool on, Until until = kInside);
  ~OuterMode();
  OuterMode(const OuterMode&) = delete;

 private:
  bool on_, inside_;  // before
};

// What becomes of an operator's derivatives. kFormulas: formulas are registered for it, or
// operators in its place; kNever: its results have none; kOthers: they are those of the operators
// that it is made of, or there are none.
enum class Differentiation : uint8_t { kFormulas, kNever, kOthers };
SY_API Differentiation DifferentiationOf(const OperatorEntry& op);

// x as an input of its own at this depth, which requires a gradient: another tensor on its memory,
// with x's history behind it if it has one. Errors: kInvalidArgument for a dtype that is neither
// floating nor complex.
SY_API Tensor FreshInput(const Tensor& x);
// Whether the history of any output leads to more than these inputs, which FreshInput gave: to
// leaves, or to what was behind an input.
SY_API bool LeadsFurther(TensorList outputs, TensorList inputs);
// Whether an output's history leads to any of the inputs.
SY_API bool DependsOn(const Tensor& output, TensorList inputs);
// The same memory, and the same value of a batched tensor, without history.
SY_API Tensor WithoutHistory(const Tensor& t);

}  // namespace sy::autograd

#endif  // SWITCHYARD_AUTOGRAD_LEVELS_H_
