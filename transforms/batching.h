// Batching rules: how an operator is called for all examples of a batch at once (vmap.h).
//
//   // my::scale(Tensor x, Tensor by) -> Tensor, of one row
//   void ScaleRule(BatchCall& c) {
//     c.Set(0, my::scale_rows(c.expanded(0), c.expanded(1)));   // [B, n] each
//   }
//   const Batching scale_rule{"my::scale", ScaleRule};
//
// A rule gets tensors with the batch as their first dimension, and gives results that have it there
// too. It runs outside of the vmap that it is for, and what it calls is recorded or batched by what
// is around that.
//
// An operator that is the same on more dimensions needs no function of its own:
//
//   const Batching rule{"my::gelu", BatchPointwise};       // element by element, broadcasting
//
// nor one that is made of others, for examples:
//
//   Tensor Square(const Tensor& x) { return mul(x, x); }   // of the operator's C++ types
//   const Batching rule{"my::square", Decomposed(Square)};
//
// Registered under the functional operator's name. In-place variants have their functional form's
// result copied into self, pointwise ones are called as they are. Composites without a rule
// decompose by themselves, views have one rule in common, and what has the tag `pointwise` needs
// none. Everything else is called for each example, and counted.
//
// The counterpart in ATen is functorch's VMAP_SUPPORT.
// Owns: registrations are static objects; texts are literals.
// Threads: rules run in any thread.
// Errors: what a rule throws goes to the caller of the operator.
#ifndef SWITCHYARD_TRANSFORMS_BATCHING_H_
#define SWITCHYARD_TRANSFORMS_BATCHING_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/op/signature.h"
#include "switchyard/registry/entry.h"

namespace sy {

namespace transforms {
struct Level;
}

// One call with batched tensors, as a rule sees it.
class SY_API BatchCall {
 public:
  const OperatorEntry& op;
  // As the caller gave them; tensors in it look like examples, and are not to be computed with.
  std::span<const Value> args;

  int64_t batch_size() const;
  // Whether argument i has a batch, or any tensor of a list.
  bool batched(size_t i) const;
  bool batched(const Tensor& t) const;
  // With the batch as dimension 0 if it has one, else as it is; undefined stays undefined.
  Tensor value(size_t i) const { return value(args[i].tensor()); }
  Tensor value(const Tensor& t) const;
  // With the batch as dimension 0 in any case; undefined stays undefined.
  Tensor expanded(size_t i) const { return expanded(args[i].tensor()); }
  Tensor expanded(const Tensor& t) const;
  // Dimensions of an example; of a list, the most.
  int64_t rank(size_t i) const { return args[i].tensor().dim(); }

  // Sets result k, which has the batch as dimension 0.
  void Set(size_t k, const Tensor& value);
  void Set(size_t k, const std::vector<Tensor>& values);
  // One that has none.
  void SetSame(size_t k, const Tensor& t);
  // Calls the operator with other arguments; its results have the batch as dimension 0.
  void Call(std::span<const Value> new_args);
  void Call(const OperatorEntry& other, std::span<const Value> new_args);

  // The layer's.
  BatchCall(const OperatorEntry& o, std::span<const Value> a, std::span<Result> r,
            transforms::Level& level)
      : op(o), args(a), results_(r), level_(level) {}
  std::span<Result> results() const { return results_; }
  transforms::Level& level() const { return level_; }

 private:
  std::span<Result> results_;
  transforms::Level& level_;
};

// How a rule is kept.
struct BatchRule {
  void (*run)(BatchCall& c) = nullptr;
  // Of functions of examples: they run inside of the vmap.
  void (*inside)(Fn f, const Value* args, Result* results) = nullptr;
  Fn function = nullptr;
  const char* code = nullptr;  // its types (op/signature.h)

  BatchRule() = default;
  BatchRule(void (*rule)(BatchCall& c)) : run(rule) {}  // NOLINT: a function is one
};

namespace transforms {
template <class R, class... A>
struct Inside {
  template <size_t... I>
  static void Go(Fn f, const Value* args, Result* results, std::index_sequence<I...>) {
    Return<R>::Box(reinterpret_cast<R (*)(A...)>(f)(Param<A>::From(args[I])...), results);
  }
  static void Run(Fn f, const Value* args, Result* results) {
    Go(f, args, results, std::index_sequence_for<A...>());
  }
};
}  // namespace transforms

// A rule that is a function of examples, made of other operators. Its types are the operator's.
template <class R, class... A>
BatchRule Decomposed(R (*f)(A...)) {
  BatchRule r;
  r.inside = &transforms::Inside<R, A...>::Run;
  r.function = reinterpret_cast<Fn>(f);
  r.code = SignatureCode<R(A...)>::kText;
  return r;
}

// The operator itself, of tensors with a batch, whose dimensions behind it line up by broadcasting.
SY_API void BatchPointwise(BatchCall& c);
// The operator itself, of tensors with a batch; arguments that are named as dimensions are
// ("dim", "dims", "dim0", …) count from the back. Dimensions left out are all of them.
SY_API void BatchDims(BatchCall& c);
// For each example, as what has no rule.
SY_API void BatchLoop(BatchCall& c);

// Registers a rule for operators by their full names, "add.Tensor". The last registration counts.
class SY_API Batching {
 public:
  Batching(std::initializer_list<const char*> ops, BatchRule rule);
  Batching(const char* op, BatchRule rule) : Batching({op}, rule) {}
  Batching(const Batching&) = delete;
  ~Batching();

 private:
  std::vector<const char*> ops_;
  BatchRule rule_;
};

// What was registered wrongly: a name that no operator has, a function of other types. Sorted;
// tests of a program expect none.
SY_API std::vector<std::string> BatchingProblems();

}  // namespace sy

#endif  // SWITCHYARD_TRANSFORMS_BATCHING_H_
