// Gradients, as users call them: which tensors want one, and backward.
//
//   Tensor w = requires_grad_(randn({3, 2}));
//   Tensor loss = sum(mul(matmul(x, w), 2));     // recorded
//   backward(loss);
//   { NoGrad off;  sub_(w, mul(grad_of(w), 0.1)); }
//   zero_grad(w);
//
// Derivatives by chosen tensors, which gather nothing, and derivatives of them:
//
//   Tensor x = requires_grad_(tensor({1., 2.}));
//   Tensor y = sum(mul(mul(x, x), x));
//   std::vector<Tensor> first = grad({{y}}, {{x}}, {}, {.create_graph = true});   // 3 x²
//   std::vector<Tensor> second = grad({{sum(first[0])}}, {{x}});                  // 6 x
//
// Writing in place. What was kept for backward and then written is noticed there: the error names
// the operator and the writes. A leaf that requires a gradient may be written under NoGrad alone,
// as optimisers do; so may views of it. A write through a view becomes part of the history of what
// it is a view of, and other views of that see it. A view that was made under NoGrad, or that a
// Function has returned, cannot be written while gradients are recorded, nor be used once what it
// is a view of was.
//
//   Tensor h = zeros({2, 2});
//   copy_(select(h, 0, 0), x);            // h requires a gradient from now on
//   mul_(h, 2);                           // and is recorded as written
//
// Hooks see gradients on their way: one on a tensor may put another gradient in its place, one on a
// leaf is called after the leaf has gathered.
//
//   register_hook(h, [](const Tensor& g) { return clamp(g, -1, 1); });
//
// Of what is no leaf, the gradient is dropped when it has been passed on, unless retain_grad was
// called for the tensor before.
//
// A graph is gone after backward, unless retain_graph keeps it: what it saved is freed as each node
// is done. A second backward over it says so. Backward uses no recursion: a graph may be as long as
// memory is.
//
// What a program sees of a result: `requires_grad=True` of leaves and `grad_fn=<MulBackward0>` of
// others when it is printed. By string, the operators are those of ATen: call("requires_grad_", t),
// call("detach", t), call("retain_grad", t).
//
// `out=` variants are refused for tensors that require gradients, and so are set_ and resize_.
// Operators that write lists (_foreach_add_, _fused_sgd_) are for NoGrad.
//
// A leaf is a tensor that the program made; backward adds to its gradient. What is computed from
// tensors that require a gradient requires one, and remembers by which operators it was made, until
// it goes. Names and semantics are torch.autograd's.
// Owns: a result owns the history that made it; a leaf owns its gradient.
// Threads: any; several may record and run backward at once, also over one graph and into the same
// leaves. Modes are a thread's own.
// Errors: kInvalidArgument for integer tensors, for writes to leaves, for what was written or freed
// since it was saved; kNotImplemented for an operator without a gradient, when its gradient is
// wanted.
#ifndef SWITCHYARD_AUTOGRAD_AUTOGRAD_H_
#define SWITCHYARD_AUTOGRAD_AUTOGRAD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/core/key_word.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/thread_state.h"

namespace sy {

// --- Which tensors.

// Makes a leaf want a gradient, or no longer. Errors: kInvalidArgument for a dtype that is neither
// floating nor complex, and to switch off what an operator made.
SY_API const Tensor& requires_grad_(const Tensor& t, bool on = true);
SY_API bool requires_grad(const Tensor& t);
// Not made by an operator that was recorded.
SY_API bool is_leaf(const Tensor& t);
// The gradient gathered so far, or undefined; of what an operator made, after retain_grad.
SY_API Tensor grad_of(const Tensor& t);
// Errors: kInvalidArgument where sizes, dtype or device are not the tensor's.
SY_API void set_grad(const Tensor& t, const Tensor& grad);
SY_API void zero_grad(const Tensor& t);  // the gradient is undefined afterwards
// Keeps the gradient of a tensor that is no leaf, at the next backward.
SY_API void retain_grad(const Tensor& t);
// Writes to the tensor's storage so far.
SY_API uint32_t version_of(const Tensor& t);
// What made the tensor: "MulBackward0", "AccumulateGrad" of leaves that want one; "" of others.
SY_API std::string grad_fn_name(const Tensor& t);

// --- Backward.

struct BackwardOptions {
  bool retain_graph = false;  // another backward over the same graph may follow
  bool create_graph = false;  // gradients are recorded, to be differentiated again
  bool allow_unused = false;  // grad(): an input that has no part gets an undefined gradient
  TensorList inputs = {};     // backward(): only these gather; leaves or not
};
// Adds the derivatives of `loss` to the leaves that it was computed from. gradient: of something by
// loss; needed unless that has one element. Errors: kInvalidArgument.
SY_API void backward(const Tensor& loss, const Tensor& gradient = {},
                     const BackwardOptions& options = {});
SY_API void backward(TensorList outputs, TensorList gradients, const BackwardOptions& options = {});
// The derivatives by `inputs`, in their order; leaves gather nothing. grad_outputs: empty, or one
// for each output, undefined where that has one element.
SY_API std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                                const BackwardOptions& options = {});

// --- Modes, of this thread. They nest.

namespace internal {
// Whether the program has switched recording off, and not a layer that is at work.
extern SY_API constinit thread_local bool unrecorded SY_INITIAL_EXEC;
}  // namespace internal

// From here on every view is known as one, so that what is written into it, or into its base, while
// gradients are recorded reaches the other. The first requires_grad_() does it: a program that
// makes views before, keeps them, and writes them later, calls it first. It stays on, and costs
// 40 ns a view. Python's nn and autograd do it when they are imported.
SY_API void follow_views();

inline bool is_grad_enabled() { return (thread_state.layers_excluded >> kGradLayer & 1) == 0; }
inline void set_grad_enabled(bool on) {
  const uint32_t bit = uint32_t{1} << kGradLayer;
  uint32_t& excluded = thread_state.layers_excluded;
  excluded = on ? excluded & ~bit : excluded | bit;
  internal::unrecorded = !on;
}

// Recording as `on` says, while it lives.
class SetGrad {
 public:
  explicit SetGrad(bool on)
      : excluded_(thread_state.layers_excluded), unrecorded_(internal::unrecorded) {
    set_grad_enabled(on);
  }
  ~SetGrad() {
    thread_state.layers_excluded = excluded_;
    internal::unrecorded = unrecorded_;
  }
  SetGrad(const SetGrad&) = delete;

 private:
  uint32_t excluded_;
  bool unrecorded_;
};
// Nothing is recorded.
class NoGrad : public SetGrad {
 public:
  NoGrad() : SetGrad(false) {}
};
// Recording, inside NoGrad.
class EnableGrad : public SetGrad {
 public:
  EnableGrad() : SetGrad(true) {}
};
// Tensors made in it are like others: counting writes costs nothing here.
using InferenceMode = NoGrad;

// While it lives, this thread's backward looks at what formulas give, and stops at the first nan,
// naming what gave it: slow, for finding mistakes. torch.autograd.detect_anomaly's check_nan.
class SY_API Anomaly {
 public:
  Anomaly();
  ~Anomaly();
  Anomaly(const Anomaly&) = delete;

 private:
  bool saved_;
};

// --- Hooks.

// Calls of it end with Remove, or when the tensor's history goes; a handle may be dropped.
class SY_API HookHandle {
 public:
  explicit HookHandle(std::function<void()> remove) : remove_(std::move(remove)) {}
  void Remove() {
    if (remove_) std::exchange(remove_, nullptr)();
  }

 private:
  std::function<void()> remove_;
};
// Called with the tensor's whole gradient in each backward; what it returns, if defined, stands in
// its place. Errors: kInvalidArgument for a tensor that requires no gradient.
SY_API HookHandle register_hook(const Tensor& t, std::function<Tensor(const Tensor&)> hook);
// Called with a leaf after its gradient was added to.
SY_API HookHandle register_post_accumulate_hook(const Tensor& leaf,
                                                std::function<void(const Tensor&)> hook);

}  // namespace sy

#endif  // SWITCHYARD_AUTOGRAD_AUTOGRAD_H_
