// Functions of tensors, which transforms take and give.
//
//   Tensor Loss(const Tensor& w, const Tensor& x);           // any callable of tensors,
//   std::vector<Tensor> Net(TensorList parameters);          // or of a list of them
//   Transformed<Tensor> f = func::grad(Loss);
//   f(w, x);  f({{w, x}});                                   // each may be called either way
//
// What a transform gives is a function too, and may go into the next one:
//
//   vmap(func::grad(Loss), {std::nullopt, 0});               // of each example
//   func::grad(func::grad(F));                               // second derivatives
//
// A callable has one call operator, which is no template: its parameters are tensors, as many as it
// says, or one TensorList. It returns a Tensor, a std::vector of them, or a tuple.
// Owns: a Transformed owns what it was made of, and copies share it.
// Threads: as the function's.
// Errors: kInvalidArgument for another number of tensors than the callable takes.
#ifndef SWITCHYARD_TRANSFORMS_FUNCTION_H_
#define SWITCHYARD_TRANSFORMS_FUNCTION_H_

#include <concepts>
#include <functional>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"

namespace sy {

// What all of them are underneath.
using TensorFunction = std::function<std::vector<Tensor>(TensorList)>;

// A function that a transform gave. R: Tensor, or std::vector<Tensor>. It may be called often, and
// from several threads if what it was made of may. Undefined tensors stand for arguments that are
// not given, where the function takes such.
template <class R>
class Transformed {
 public:
  explicit Transformed(TensorFunction f) : f_(std::move(f)) {}
  // With tensors one by one.
  template <std::same_as<Tensor>... T>
  R operator()(const T&... x) const {
    const Tensor all[] = {x..., Tensor()};
    return Call({all, sizeof...(T)});
  }
  // With all of them.
  R operator()(TensorList x) const { return Call(x); }
  R operator()(const std::vector<Tensor>& x) const { return Call(x); }
  const TensorFunction& list() const { return f_; }

 private:
  R Call(TensorList x) const {
    if constexpr (std::is_same_v<R, Tensor>) {
      return std::move(f_(x).at(0));
    } else {
      return f_(x);
    }
  }
  TensorFunction f_;
};

namespace transforms {

// Errors: kInvalidArgument where a function of `takes` tensors is called with `given`.
SY_API void RequireCount(size_t takes, size_t given);

// Whatever a callable returns, as a list.
inline std::vector<Tensor> ListOf(std::vector<Tensor> list) { return list; }
inline std::vector<Tensor> ListOf(Tensor t) {
  std::vector<Tensor> list;
  list.push_back(std::move(t));
  return list;
}
template <class... T>
std::vector<Tensor> ListOf(std::tuple<T...> t) {
  return std::apply([](auto&... x) { return std::vector<Tensor>{std::move(x)...}; }, t);
}

// f with the elements of x, which are as many as it takes.
template <class F, size_t... I>
auto CallEach(const F& f, TensorList x, std::index_sequence<I...>) {
  return f(x[I]...);
}

// A tensor, or a list: what a transform of such a function gives.
template <class R>
using ResultOf =
    std::conditional_t<std::is_same_v<std::remove_cvref_t<R>, Tensor>, Tensor, std::vector<Tensor>>;

// The types come from std::function's own deduction.
template <class R, class... A>
Transformed<ResultOf<R>> Wrapped(std::function<R(A...)> f) {
  if constexpr ((true && ... && std::is_same_v<std::remove_cvref_t<A>, TensorList>)&&sizeof...(A) ==
                1) {
    return Transformed<ResultOf<R>>([f = std::move(f)](TensorList x) { return ListOf(f(x)); });
  } else {
    static_assert((true && ... && std::is_same_v<std::remove_cvref_t<A>, Tensor>),
                  "the function takes tensors, or one TensorList");
    return Transformed<ResultOf<R>>([f = std::move(f)](TensorList x) {
      RequireCount(sizeof...(A), x.size());
      return ListOf(CallEach(f, x, std::index_sequence_for<A...>()));
    });
  }
}

}  // namespace transforms

// Any callable as a Transformed, which is what transforms of a program's own begin with:
//   auto t = AsTransformed(f);
//   return decltype(t)([f = t.list()](TensorList x) { return …f(x)…; });
template <class F>
auto AsTransformed(F f) {
  return transforms::Wrapped(std::function{std::move(f)});
}
template <class R>
Transformed<R> AsTransformed(Transformed<R> f) {
  return f;
}
inline Transformed<std::vector<Tensor>> AsTransformed(TensorFunction f) {
  return Transformed<std::vector<Tensor>>(std::move(f));
}

}  // namespace sy

#endif  // SWITCHYARD_TRANSFORMS_FUNCTION_H_
