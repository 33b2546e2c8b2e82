// Functions made of functions: gradients, products with Jacobians, Jacobians, Hessians.
//
//   Tensor Loss(const Tensor& w, const Tensor& x, const Tensor& y);
//   Tensor g = func::grad(Loss)(w, x, y);                       // by w
//   Tensor each = vmap(func::grad(Loss), {std::nullopt, 0, 0})(w, xs, ys);   // of each example
//
//   auto [y, pull] = func::vjp(F, {x});   pull(v);              // vᵀ J, as often as wanted
//   auto [y, t] = func::jvp(F, {x}, {v});                       // J v
//   Tensor j = func::jacrev(F)(x);                              // [sizes of F(x), sizes of x]
//   Tensor h = func::hessian(Loss)(w, x, y);
//
// They nest, in each other and in vmap. What they are called with needs no requires_grad_, and
// gathers nothing; if it has a history, results have one too, and so have they by whatever else
// requires a gradient that f uses. In f recording is on; NoGrad of the caller holds for results.
//
// A function (transforms/function.h) gives a number to be differentiated, a tensor of no
// dimensions, for grad; anything for the others. Arguments are counted from 0, from the back where
// the number is negative. Those not differentiated may be of any dtype.
//
// torch.func: names and semantics are its. jvp is forward mode (transforms/forward.h). linearize
// and jacfwd go twice through vjp, the first half of which is shared among directions.
// Owns: what they return owns the function; `pull` the history of the call.
// Threads: as sy::grad.
// Errors: kInvalidArgument for a result that is no number, dtypes that are not floating or complex,
// arguments that there are not, sizes that differ; what f throws.
#ifndef SWITCHYARD_TRANSFORMS_FUNC_H_
#define SWITCHYARD_TRANSFORMS_FUNC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"
#include "switchyard/transforms/function.h"

namespace sy::func {

namespace internal {
using Argnums = std::vector<int64_t>;
// The gradients, then what f gave.
SY_API std::vector<Tensor> RunGrad(const TensorFunction& f, TensorList x, const Argnums& argnums);
// One after the other: of each result, by each of the arguments.
SY_API std::vector<Tensor> RunJacrev(const TensorFunction& f, TensorList x, const Argnums& argnums,
                                     std::optional<int64_t> chunk_size);
SY_API std::vector<Tensor> RunJacfwd(const TensorFunction& f, TensorList x, const Argnums& argnums,
                                     std::optional<int64_t> chunk_size);
inline std::vector<Tensor> First(std::vector<Tensor> all, size_t n) {
  all.resize(n);
  return all;
}
}  // namespace internal

// The gradient of f's only or first result by one argument, or by several, as a list. What does not
// depend on an argument has zeros as its gradient. The other results of f are dropped: they are
// what grad_and_value is for.
template <class F>
Transformed<Tensor> grad(F f, int64_t argnum = 0) {
  return Transformed<Tensor>([f = AsTransformed(std::move(f)).list(), argnum](TensorList x) {
    return internal::First(internal::RunGrad(f, x, {argnum}), 1);
  });
}
template <class F>
Transformed<std::vector<Tensor>> grad(F f, std::vector<int64_t> argnums) {
  return Transformed<std::vector<Tensor>>(
      [f = AsTransformed(std::move(f)).list(), n = std::move(argnums)](TensorList x) {
        return internal::First(internal::RunGrad(f, x, n), n.size());
      });
}
// The gradients, and behind them all that f gave.
template <class F>
Transformed<std::vector<Tensor>> grad_and_value(F f, std::vector<int64_t> argnums = {0}) {
  return Transformed<std::vector<Tensor>>(
      [f = AsTransformed(std::move(f)).list(), n = std::move(argnums)](TensorList x) {
        return internal::RunGrad(f, x, n);
      });
}

// One call of f, recorded once. pull may be called any number of times, in vmap too: with the
// batch that is the rows of a unit matrix it gives a Jacobian.
// What f gave, and a function of as many cotangents, undefined where there is none, which gives the
// gradients by all arguments that are floating or complex, and undefined ones for others.
struct Vjp {
  std::vector<Tensor> outputs;
  Transformed<std::vector<Tensor>> pull;
};
SY_API Vjp vjp(const TensorFunction& f, TensorList primals);
template <class F>
requires(!std::is_same_v<F, TensorFunction>) Vjp vjp(F f, const std::vector<Tensor>& primals) {
  return vjp(AsTransformed(std::move(f)).list(), TensorList(primals));
}

// What f gave, and the derivatives of that in the direction of the tangents, which have the
// primals' sizes; undefined ones are zero.
struct Jvp {
  std::vector<Tensor> outputs, tangents;
};
SY_API Jvp jvp(const TensorFunction& f, TensorList primals, TensorList tangents);
template <class F>
requires(!std::is_same_v<F, TensorFunction>) Jvp
    jvp(F f, const std::vector<Tensor>& primals, const std::vector<Tensor>& tangents) {
  return jvp(AsTransformed(std::move(f)).list(), TensorList(primals), TensorList(tangents));
}

// jvp at one place, in as many directions as wanted: f is called once, and what is shared between
// directions computed once. push takes a tangent for each primal, and gives one for each output.
struct Linearized {
  std::vector<Tensor> outputs;
  Transformed<std::vector<Tensor>> push;
};
SY_API Linearized linearize(const TensorFunction& f, TensorList primals);
template <class F>
requires(!std::is_same_v<F, TensorFunction>) Linearized
    linearize(F f, const std::vector<Tensor>& primals) {
  return linearize(AsTransformed(std::move(f)).list(), TensorList(primals));
}

// Memory: jacrev holds a gradient for each element of the result at once, jacfwd a tangent for each
// of the argument, unless chunk_size says less.
// Derivatives of all elements of the results by all elements of an argument: [sizes of the result,
// sizes of the argument]. By several arguments, or of several results, a list: of each result, by
// each argument. jacrev computes rows, for few results; jacfwd columns, for few arguments.
// chunk_size: so many at a time.
template <class F>
auto jacrev(F f, int64_t argnum = 0, std::optional<int64_t> chunk_size = std::nullopt) {
  auto t = AsTransformed(std::move(f));
  return decltype(t)([f = t.list(), argnum, chunk_size](TensorList x) {
    return internal::RunJacrev(f, x, {argnum}, chunk_size);
  });
}
template <class F>
Transformed<std::vector<Tensor>> jacrev(F f, std::vector<int64_t> argnums,
                                        std::optional<int64_t> chunk_size = std::nullopt) {
  return Transformed<std::vector<Tensor>>(
      [f = AsTransformed(std::move(f)).list(), n = std::move(argnums), chunk_size](TensorList x) {
        return internal::RunJacrev(f, x, n, chunk_size);
      });
}
template <class F>
auto jacfwd(F f, int64_t argnum = 0, std::optional<int64_t> chunk_size = std::nullopt) {
  auto t = AsTransformed(std::move(f));
  return decltype(t)([f = t.list(), argnum, chunk_size](TensorList x) {
    return internal::RunJacfwd(f, x, {argnum}, chunk_size);
  });
}
template <class F>
Transformed<std::vector<Tensor>> jacfwd(F f, std::vector<int64_t> argnums,
                                        std::optional<int64_t> chunk_size = std::nullopt) {
  return Transformed<std::vector<Tensor>>(
      [f = AsTransformed(std::move(f)).list(), n = std::move(argnums), chunk_size](TensorList x) {
        return internal::RunJacfwd(f, x, n, chunk_size);
      });
}

// Second derivatives by one argument: [sizes of the result, of the argument, of the argument].
// Rows of rows; jacfwd(jacrev(f)) gives the same.
template <class F>
auto hessian(F f, int64_t argnum = 0) {
  return jacrev(jacrev(std::move(f), argnum), argnum);
}

// Calls f while the parameters, variables of a model, hold other tensors; they hold their own
// afterwards, also when f throws. What makes a function of a model's parameters:
//
//   auto loss = [&](TensorList p) {
//     return func::functional_call({{&net.weight, &net.bias}}, p, [&] { return net.Loss(x, y); });
//   };
//   std::vector<Tensor> g = func::grad_and_value(loss)({{net.weight, net.bias}});
//
// Errors: kInvalidArgument where there are not as many values. Not while others use the model.
class SY_API Substituted {
 public:
  Substituted(std::span<Tensor* const> parameters, TensorList values);
  ~Substituted();
  Substituted(const Substituted&) = delete;

 private:
  std::vector<Tensor*> parameters_;
  std::vector<Tensor> own_;
};
template <class F>
auto functional_call(std::span<Tensor* const> parameters, TensorList values, F f) {
  const Substituted others(parameters, values);
  return f();
}

}  // namespace sy::func

#endif  // SWITCHYARD_TRANSFORMS_FUNC_H_
