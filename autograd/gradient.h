// How operators are differentiated: formulas, registered by the operator's name.
//
//   // d self = g · conj(other), d other = g · conj(self)
//   Tensor MulSelf(const Grad& g, Unsaved, const Tensor& other) { return mul(g, conj(other)); }
//   Tensor MulOther(const Grad& g, const Tensor& self, Unsaved) { return mul(g, conj(self)); }
//   const Gradient mul_grad{"mul.Tensor", For("self", MulSelf), For("other", MulOther)};
//
//   Tensor SigmoidSelf(const Grad& g, Output<0> y, Unsaved) { return sigmoid_backward(g, y); }
//   const Gradient sigmoid_grad{"sigmoid", For("self", SigmoidSelf)};
//
//   void CatGrad(const Grad& g, LikeList tensors, int64_t dim, Gradients& out);
//   const Gradient cat_grad{"cat", ForAll({"tensors"}, CatGrad)};
//
// A formula is a plain function: the gradients that arrived, any results in rising order, then all
// arguments of the operator in schema order. The type of a parameter says what is kept of the
// argument until then:
//
//   const Tensor&, TensorList   the tensors, and that they are not written meanwhile
//   Like, LikeList              sizes, dtype and device
//   Unsaved                     nothing
//   Output<k>                   the k-th result
//   others (op/signature.h)     a copy
//
// What each costs: a tensor that is kept lives as long as the history of the result, so that a
// formula asks for as little as it can: sigmoid's for its result instead of its argument, which may
// then go; sum's for sizes alone. What no formula that will be called wants is not kept: of
// mul(x, w), where only x requires a gradient, w alone.
//
//   Tensor SumSelf(const Grad& g, Like self, Optional<DType>) { return expand(g, self.sizes()); }
//   const Gradient sum_grad{"sum", For("self", SumSelf)};
//
// One formula may serve several arguments, when they share work, or lists; it sets what is needed:
//
//   void NormGrad(const Grad& g, const Tensor& x, const Tensor& weight, Gradients& out) {
//     auto [of_x, of_weight] = norm_backward(g, x, weight);
//     if (out.needs(0)) out.Set(0, of_x);
//     if (out.needs(1)) out.Set(1, of_weight);
//   }
//   const Gradient norm_grad{"my::norm", ForAll({"x", "weight"}, NormGrad)};
//
// Of an operator with several results, any may have no gradient: g.defined(k) tells, g.or_zeros(k)
// gives zeros of its sizes; at least one is defined. Results of integers never have any.
//
// A result of numbers that is nonetheless no function to be differentiated, a permutation, or what
// the operator keeps for its own gradient, is named by its place; it requires no gradient:
//
//   const Gradient lu_grad{"linalg_lu", Constant({0}), For("A", LuA)};    // of P, L, U the first
//
// An operator may be said to be something else:
//
//   const Zero zeros{"ceil", "floor"};                    // its gradient is zero everywhere
//   const NotDifferentiable flags{"eq.Tensor"};           // its results never require one
//   const Decomposition parts{"softmax.int", Softmax};    // what is recorded is this function
//
// and one of which nothing is said refuses, by its name, when its gradient is asked for: no
// gradient is lost in silence. Composites need no registration: what they call is recorded.
//
// What a formula gives is reduced to the sizes of its input, converted to its dtype, and made real
// where the input is: formulas do nothing about broadcasting and promotion. Complex gradients are
// conjugate Wirtinger ones: formulas write conj. They are made of operators, out of place, so that
// they run on every device and can be differentiated again. In-place variants, and overloads with a
// number that share a tensor form's kernels, use that form's; composites decompose; views need no
// formula. The counterpart in ATen is derivatives.yaml.
// Owns: registrations are static objects, linked as long as they live; texts are literals.
// Threads: formulas run in whatever thread calls backward.
// Errors: what a formula throws leaves backward. A name that no operator has, or a formula of other
// types than the operator's, is told by GradientProblems() and at first use.
#ifndef SWITCHYARD_AUTOGRAD_GRADIENT_H_
#define SWITCHYARD_AUTOGRAD_GRADIENT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "switchyard/core/tensor.h"
#include "switchyard/core/tensor_options.h"
#include "switchyard/core/value.h"
#include "switchyard/op/signature.h"
#include "switchyard/registry/kernel_def.h"

namespace sy {

namespace autograd {
struct Node;
struct Task;
// Few numbers, without memory of their own up to the usual ranks.
class ShortSizes {
 public:
  ShortSizes() = default;
  explicit ShortSizes(IntSpan s) { Assign(s); }
  // Errors: std::bad_alloc, and then nothing is changed.
  void Assign(IntSpan s) {
    if (s.size() > kShort) [[unlikely]] {
      long_ = std::make_unique<int64_t[]>(s.size());
      std::copy_n(s.data(), s.size(), long_.get());
    } else {
      for (size_t i = 0; i < s.size(); ++i) short_[i] = s[i];
    }
    n_ = s.size();
  }
  size_t size() const { return n_; }
  int64_t operator[](size_t i) const { return data()[i]; }
  operator IntSpan() const { return {data(), n_}; }  // NOLINT: they are read as one

 private:
  static constexpr size_t kShort = 4;
  const int64_t* data() const { return n_ > kShort ? long_.get() : short_; }
  size_t n_ = 0;
  int64_t short_[kShort] = {};
  std::unique_ptr<int64_t[]> long_;
};
// Sizes, dtype and device of a tensor; an undefined one has an undefined key.
struct Shape {
  KeyWord key = KeyWord{kUndefinedBit} << kLayerShift;
  ShortSizes sizes;
};
}  // namespace autograd

// An argument that the formula does not look at, of any type.
struct Unsaved {};

// What is known of a tensor that was not kept. Valid while the formula runs.
class SY_API Like {
 public:
  explicit Like(const autograd::Shape& shape) : shape_(&shape) {}
  // False of an optional tensor that was not given; then nothing else may be asked.
  bool defined() const { return (LayersOfKey(shape_->key) & kUndefinedBit) == 0; }
  IntSpan sizes() const { return shape_->sizes; }
  int64_t dim() const { return static_cast<int64_t>(shape_->sizes.size()); }
  int64_t size(int64_t d) const {
    return shape_->sizes[static_cast<size_t>(d < 0 ? d + dim() : d)];
  }
  int64_t numel() const;
  DType dtype() const { return DTypeOfKey(shape_->key); }
  Device device() const;
  // For zeros(x.sizes(), x.options()).
  Options options() const;

 private:
  const autograd::Shape* shape_;
};

// Those of a list of tensors.
class LikeList {
 public:
  explicit LikeList(const std::vector<autograd::Shape>& shapes) : shapes_(&shapes) {}
  size_t size() const { return shapes_->size(); }
  bool empty() const { return shapes_->empty(); }
  Like operator[](size_t i) const { return Like((*shapes_)[i]); }

  class Iterator {
   public:
    explicit Iterator(const autograd::Shape* at) : at_(at) {}
    Like operator*() const { return Like(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& o) const { return at_ != o.at_; }

   private:
    const autograd::Shape* at_;
  };
  Iterator begin() const { return Iterator(shapes_->data()); }
  Iterator end() const { return Iterator(shapes_->data() + shapes_->size()); }

 private:
  const std::vector<autograd::Shape>* shapes_;
};

// The gradients of an operator's results, as they arrived; at least one of them is defined.
class SY_API Grad {
 public:
  // Of result 0.
  operator const Tensor&() const { return grads_[0]; }  // NOLINT: g stands for it in formulas
  const Tensor& tensor() const { return grads_[0]; }
  const Tensor& operator[](size_t k) const { return grads_[k]; }
  bool defined(size_t k = 0) const { return grads_[k].defined(); }
  // Zeros like the result where nothing arrived.
  Tensor or_zeros(size_t k) const;
  Like result(size_t k) const;
  // Of result 0, which must be defined.
  IntSpan sizes() const { return grads_[0].sizes(); }
  int64_t dim() const { return grads_[0].dim(); }
  int64_t size(int64_t d) const { return grads_[0].size(d); }
  int64_t numel() const { return grads_[0].numel(); }
  DType dtype() const { return grads_[0].dtype(); }
  Device device() const { return grads_[0].device(); }

  // --- Made by the engine; the rest is for the calls of formulas below.
  Grad(const autograd::Node& node, TensorList grads, bool create)
      : node_(node), grads_(grads), create_(create) {}
  // Of the argument at a position. Errors: kInvalidArgument where it was written, or freed.
  Tensor SavedTensor(size_t position) const;
  std::vector<Tensor> SavedTensors(size_t position) const;
  Tensor SavedResult(size_t k) const;
  const autograd::Shape& ShapeOf(size_t position) const;
  const std::vector<autograd::Shape>& ShapesOf(size_t position) const;
  const Value& ValueOf(size_t position) const;

 private:
  friend class Gradients;
  const autograd::Node& node_;
  TensorList grads_;
  bool create_;
};

// Where a formula of several arguments puts what it finds. Positions count all arguments of the
// schema, from 0; i is an element of a list. What is not set, or set to an undefined tensor, has no
// gradient.
class SY_API Gradients {
 public:
  bool needs(size_t position) const;  // of a list: whether any element does
  bool needs(size_t position, size_t i) const;
  void Set(size_t position, Tensor g);
  void Set(size_t position, size_t i, Tensor g);

  // Made by the engine, which takes what is set.
  class Taker {
   public:
    virtual void Take(size_t position, size_t i, Tensor g) = 0;

   protected:
    ~Taker() = default;
  };
  Gradients(const autograd::Node& node, Taker& to) : node_(node), to_(to) {}

 private:
  const autograd::Node& node_;
  Taker& to_;
};

// The k-th result as it was. Its history is there where gradients of gradients are recorded.
template <int k>
class Output {
 public:
  explicit Output(const Tensor& t) : t_(t) {}
  operator const Tensor&() const { return t_; }  // NOLINT: it stands for the tensor in formulas
  const Tensor& tensor() const { return t_; }
  IntSpan sizes() const { return t_.sizes(); }
  DType dtype() const { return t_.dtype(); }

 private:
  const Tensor& t_;
};

namespace autograd {

// What a parameter of a formula wants kept.
enum class Keep : uint8_t { kValue, kNothing, kShape, kShapes, kTensor, kTensors, kResult };

// One parameter: what it keeps, its letter (op/signature.h; '*': of any type), and its value
// while the formula runs.
template <class P>
struct Parameter {
  static constexpr Keep kKeep = Keep::kValue;
  static constexpr char kCode = Param<P>::kCode;
  std::remove_cvref_t<decltype(Param<P>::From(std::declval<const Value&>()))> value;
  Parameter(const Grad& g, size_t i) : value(Param<P>::From(g.ValueOf(i))) {}
  const auto& Get() const { return value; }
};
template <>
struct Parameter<Unsaved> {
  static constexpr Keep kKeep = Keep::kNothing;
  static constexpr char kCode = '*';
  Parameter(const Grad&, size_t) {}
  Unsaved Get() const { return {}; }
};
template <>
struct Parameter<const Tensor&> {
  static constexpr Keep kKeep = Keep::kTensor;
  static constexpr char kCode = 'T';
  Tensor value;
  Parameter(const Grad& g, size_t i) : value(g.SavedTensor(i)) {}
  const Tensor& Get() const { return value; }
};
template <>
struct Parameter<TensorList> {
  static constexpr Keep kKeep = Keep::kTensors;
  static constexpr char kCode = 'L';
  std::vector<Tensor> value;
  Parameter(const Grad& g, size_t i) : value(g.SavedTensors(i)) {}
  TensorList Get() const { return value; }
};
template <>
struct Parameter<Like> {
  static constexpr Keep kKeep = Keep::kShape;
  static constexpr char kCode = 'T';
  Like value;
  Parameter(const Grad& g, size_t i) : value(g.ShapeOf(i)) {}
  Like Get() const { return value; }
};
template <>
struct Parameter<LikeList> {
  static constexpr Keep kKeep = Keep::kShapes;
  static constexpr char kCode = 'L';
  LikeList value;
  Parameter(const Grad& g, size_t i) : value(g.ShapesOf(i)) {}
  LikeList Get() const { return value; }
};
template <int k>
struct Parameter<Output<k>> {
  static constexpr Keep kKeep = Keep::kResult;
  static constexpr char kCode = 0;
  static constexpr int kResult = k;
  Tensor value;
  Parameter(const Grad& g, size_t) : value(g.SavedResult(k)) {}
  Output<k> Get() const { return Output<k>(value); }
};

// Formulas with their types erased. input: of those that return one gradient, its position.
using FormulaThunk = void (*)(Fn fn, const Grad& g, size_t input, Gradients& out);

// One formula: for which arguments, what it keeps of each, and how it is called.
struct Term {
  static constexpr int kMaxInputs = 16;
  std::array<const char*, kMaxInputs> inputs = {};  // names
  int num_inputs = 0;
  Fn fn = nullptr;
  FormulaThunk thunk = nullptr;
  const Keep* keeps = nullptr;  // one per argument
  const char* code = nullptr;   // letters of the arguments
  int num_arguments = 0;
  uint32_t results = 0;   // bits of those that it wants kept
  uint32_t constant = 0;  // of a term without inputs: bits of results that require no gradient
};

template <class... P>
struct TermOf {
  static constexpr size_t kResults = (size_t{0} + ... + (Parameter<P>::kKeep == Keep::kResult));
  static constexpr size_t kArguments = sizeof...(P) - kResults;
  static constexpr std::array<Keep, sizeof...(P)> kAllKeeps = {Parameter<P>::kKeep...};
  static constexpr std::array<char, sizeof...(P) + 1> kAllCodes = {Parameter<P>::kCode..., 0};
  static constexpr uint32_t Results() {
    uint32_t bits = 0;
    const auto add = [&]<class Q>(Q*) {
      if constexpr (Q::kKeep == Keep::kResult) bits |= uint32_t{1} << Q::kResult;
    };
    (add(static_cast<Parameter<P>*>(nullptr)), ...);
    return bits;
  }
  template <size_t... I>
  static Tensor Call(Fn fn, const Grad& g, std::index_sequence<I...>) {
    // Braces: left to right; each is made in its place.
    const std::tuple<Parameter<P>...> held{Parameter<P>(g, I - (I < kResults ? I : kResults))...};
    return reinterpret_cast<Tensor (*)(const Grad&, P...)>(fn)(g, std::get<I>(held).Get()...);
  }
  static void One(Fn fn, const Grad& g, size_t input, Gradients& out) {
    out.Set(input, Call(fn, g, std::index_sequence_for<P...>()));
  }
  template <size_t... I>
  static void CallAll(Fn fn, const Grad& g, Gradients& out, std::index_sequence<I...>) {
    const std::tuple<Parameter<P>...> held{Parameter<P>(g, I - (I < kResults ? I : kResults))...};
    reinterpret_cast<void (*)(const Grad&, P..., Gradients&)>(fn)(g, std::get<I>(held).Get()...,
                                                                  out);
  }
  static void All(Fn fn, const Grad& g, size_t, Gradients& out) {
    CallAll(fn, g, out, std::index_sequence_for<P...>());
  }
  static Term Make(std::initializer_list<const char*> inputs, Fn fn, FormulaThunk thunk) {
    Term t;
    for (const char* name : inputs) {
      if (t.num_inputs < Term::kMaxInputs) t.inputs[static_cast<size_t>(t.num_inputs++)] = name;
    }
    t.fn = fn;
    t.thunk = thunk;
    t.keeps = kAllKeeps.data() + kResults;
    t.code = kAllCodes.data() + kResults;
    t.num_arguments = static_cast<int>(kArguments);
    t.results = Results();
    return t;
  }
};

// The parameters of a formula without its last one, Gradients&.
template <class Done, class... P>
struct WithoutLast;
template <class... D, class P>
struct WithoutLast<std::tuple<D...>, P> {
  static_assert(std::is_same_v<P, Gradients&>, "the last parameter of the formula is Gradients&");
  using type = TermOf<D...>;
};
template <class... D, class P, class Q, class... R>
struct WithoutLast<std::tuple<D...>, P, Q, R...> : WithoutLast<std::tuple<D..., P>, Q, R...> {};

// What a registration says of an operator.
enum class Kind : uint8_t { kFormulas, kZero, kNotDifferentiable, kDecomposition };

// Runs a decomposition's function on boxed arguments.
using DecompositionThunk = void (*)(Fn fn, const Value* args, Result* results);

struct SY_API Registration {
  Kind kind;
  std::vector<const char*> ops;  // full names
  std::vector<Term> terms;
  Fn fn = nullptr;  // decompositions
  DecompositionThunk thunk = nullptr;
  const char* code = nullptr;
  explicit Registration(Kind k) : kind(k) { Link(); }
  Registration(const Registration&) = delete;
  ~Registration();

 private:
  void Link();
};

template <class R, class... A>
struct DecompositionOf {
  template <size_t... I>
  static void Go(Fn fn, const Value* args, Result* results, std::index_sequence<I...>) {
    Return<R>::Box(reinterpret_cast<R (*)(A...)>(fn)(Param<A>::From(args[I])...), results);
  }
  static void Run(Fn fn, const Value* args, Result* results) {
    Go(fn, args, results, std::index_sequence_for<A...>());
  }
};

}  // namespace autograd

// The gradient of one argument, by a formula that returns it; the argument by its name.
template <class... P>
autograd::Term For(const char* input, Tensor (*f)(const Grad&, P...)) {
  using T = autograd::TermOf<P...>;
  return T::Make({input}, reinterpret_cast<Fn>(f), &T::One);
}
// Those of several arguments, or of lists, by one formula that sets them; see Gradients.
template <class... P>
autograd::Term ForAll(std::initializer_list<const char*> inputs, void (*f)(const Grad&, P...)) {
  using T = typename autograd::WithoutLast<std::tuple<>, P...>::type;
  return T::Make(inputs, reinterpret_cast<Fn>(f), &T::All);
}

// Results, by their places, that never require a gradient though their dtype is floating.
inline autograd::Term Constant(std::initializer_list<int> results) {
  autograd::Term t;
  for (const int k : results) t.constant |= uint32_t{1} << k;
  return t;
}

// An operator's formulas. op: full name of the functional form, "mul.Tensor". An argument without
// one has no gradient; formulas of arguments that need none are not called.
class Gradient : public autograd::Registration {
 public:
  template <class... T>
  explicit Gradient(const char* op, const T&... term) : Registration(autograd::Kind::kFormulas) {
    ops = {op};
    terms = {term...};
  }
};

// Operators whose gradient is zero everywhere: ceil, floor, sign.
class Zero : public autograd::Registration {
 public:
  Zero(std::initializer_list<const char*> names) : Registration(autograd::Kind::kZero) {
    ops = names;
  }
};

// Operators whose results never require a gradient.
class NotDifferentiable : public autograd::Registration {
 public:
  NotDifferentiable(std::initializer_list<const char*> names)
      : Registration(autograd::Kind::kNotDifferentiable) {
    ops = names;
  }
};

// What is called in an operator's place where a gradient is recorded: a function of its own C++
// types (op/signature.h), made of other operators.
class Decomposition : public autograd::Registration {
 public:
  template <class R, class... A>
  Decomposition(const char* op, R (*f)(A...)) : Registration(autograd::Kind::kDecomposition) {
    ops = {op};
    fn = reinterpret_cast<Fn>(f);
    thunk = &autograd::DecompositionOf<R, A...>::Run;
    code = SignatureCode<R(A...)>::kText;
  }
};

// What was registered wrongly: one message each, sorted. Tests of a program expect none.
SY_API std::vector<std::string> GradientProblems();

// The operators whose gradients are refused, by full name, sorted: they take tensors and give
// tensors, and have neither a registration nor a body of other operators. Those that write out= or
// lists are left out: these refuse any argument that requires a gradient. Looks at every operator
// of the program, which takes milliseconds: for tests.
SY_API std::vector<std::string> RefusedGradients();

}  // namespace sy

#endif  // SWITCHYARD_AUTOGRAD_GRADIENT_H_
