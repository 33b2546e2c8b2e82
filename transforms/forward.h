// Forward mode: derivatives carried along with values.
//
//   const DualLevel level;
//   const Tensor x = make_dual(primal, tangent);
//   const auto [y, dy] = unpack_dual(F(x));   // F(primal), and its derivative along tangent
//
// A dual tensor looks like its primal, and operators called with it compute both: nothing is
// recorded, and nothing is kept longer than f keeps it. func::jvp (transforms/func.h) is made of
// it.
// Where an operator has a rule for tangents, that is what computes them. An operator without one is
// recorded by itself and differentiated twice, which is right for everything that has a gradient
// with a gradient, and slower; DualFallbacks() counts them. Composites decompose by themselves.
//
// Levels nest, in each other, in vmap and in func::grad, and the other way round. Writes in place
// and views go to the primal and to the tangent. What holds no dual tensor and is written with one
// becomes one, unless others see its memory.
//
//   // toy::cube(Tensor x) -> Tensor
//   void CubeTangent(TangentCall& c) { c.Set(0, mul(c.tangent(0), mul(square(c.primal(0)), 3))); }
//   const Tangent cube{{"toy::cube"}, CubeTangent};
//   const Tangent product{{"toy::mm"}, {"tp", "pt"}};   // linear in each of two tensors
//
// The counterpart in ATen is torch.autograd.forward_ad: names are its.
// Owns: a dual tensor its primal and tangent. Registrations are static objects; texts are literals.
// Threads: a level is its thread's, and ends in the reverse order of others.
// Errors: kInvalidArgument without a level, for tangents of other sizes or dtypes, for out=, and
// for dual tensors whose level has ended; kNotImplemented for writes without a functional form.
#ifndef SWITCHYARD_TRANSFORMS_FORWARD_H_
#define SWITCHYARD_TRANSFORMS_FORWARD_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy {

// While it lives, make_dual makes dual tensors of it. Not to be left before one that was entered
// later.
class SY_API DualLevel {
 public:
  DualLevel();
  ~DualLevel();
  DualLevel(const DualLevel&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct DualTensor {
  Tensor primal, tangent;
};
// Of the innermost level, on the primal's memory.
SY_API Tensor make_dual(const Tensor& primal, const Tensor& tangent);
// t itself, and an undefined tangent, where t is no dual tensor of the innermost level.
SY_API DualTensor unpack_dual(const Tensor& t);

// Calls of operators that had no rule, by operator, since the program began or the last reset, in
// all threads.
SY_API std::map<std::string, int64_t> DualFallbacks();
SY_API void ResetDualFallbacks();

// One call with dual tensors, as a rule sees it: outside of their level, the results computed.
class SY_API TangentCall {
 public:
  const OperatorEntry& op;
  std::span<const Value> args;  // primals

  bool has(size_t i) const { return tangent(i).defined(); }
  const Tensor& primal(size_t i) const { return args[i].tensor(); }
  // Undefined where the argument has none. Of lists: see Products.
  const Tensor& tangent(size_t i) const;
  const Tensor& result(size_t k = 0) const { return results_[k][0]; }
  // Sets the tangent of result k, a tensor. What is not set, or set to an undefined one, has none.
  void Set(size_t k, Tensor tangent);

  // --- The layer's.
  using Tensors = std::vector<std::vector<Tensor>>;  // by argument or result, and element
  TangentCall(const OperatorEntry& o, std::span<const Value> a, const Tensors& tangents)
      : op(o), args(a), tangents_(tangents) {}
  const Tensors& tangents() const { return tangents_; }
  Tensors& results() { return results_; }
  Tensors& result_tangents() { return result_tangents_; }

 private:
  const Tensors& tangents_;
  Tensors results_, result_tangents_;
};

// A rule for operators by their full names: a function, or the operator itself, which is called
// once for each text and the results added up. A letter of a text is an argument: t, its tangent,
// zero where it has none; 0, zero; others, as it is. A call without any tangent at its t is left
// out. The last registration counts.
class SY_API Tangent {
 public:
  Tangent(std::initializer_list<const char*> ops, void (*rule)(TangentCall& c));
  Tangent(std::initializer_list<const char*> ops, std::initializer_list<const char*> products);
  Tangent(const Tangent&) = delete;
  ~Tangent();

  // --- The layer's.
  void Run(TangentCall& c) const;
  const std::vector<const char*>& products() const { return products_; }

 private:
  void Enter();
  std::vector<const char*> ops_, products_;
  void (*rule_)(TangentCall& c) = nullptr;
};

// What was registered wrongly: a name that no operator has, a text longer than its arguments.
// Sorted; tests of a program expect none.
SY_API std::vector<std::string> TangentProblems();

}  // namespace sy

#endif  // SWITCHYARD_TRANSFORMS_FORWARD_H_
