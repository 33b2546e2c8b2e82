// What the rule of a plugin's operator states, as a ShapeContext has it.
//
//   ShapeContext r(entry, Variant::kFunctional);
//   const Rule rule(record, r, args, key);     // the plugin is asked; r has the outputs
//   … MakeAnyOutput(r, 0), r.ComputeKey() …
//
// Both kinds of rule: SyRuleFn, and SyShapeFn of version 1.0, which states sizes and dtypes alone.
// Owns: sizes and strides of the outputs, which r points to: it outlives what is done with r.
// Threads: one rule, one thread.
// Errors: the plugin's, in the operator's name; kInternal, naming operator, plugin and output, for
// what no tensor can be.
#ifndef PLUGIN_RULE_H_
#define PLUGIN_RULE_H_

#include <span>

#include "plugin/abi.h"
#include "plugin/frame.h"
#include "plugin/kernel.h"
#include "switchyard/op/shape_context.h"

namespace sy::plugin {

class Rule {
 public:
  // key: of the call, as its arguments have it: where operators without tensors compute, and in
  // what those do whose rule says no more than sizes.
  Rule(const OperatorRecord& op, ShapeContext& r, std::span<const Value> args, KeyWord key);
  Rule(const Rule&) = delete;

 private:
  struct Question;
  void Ask(const Views& views);
  void AskForSizes(const Views& views, KeyWord key);
  void Take(int i, const SyOutput& o);
  void RequireTensor(int i, const SyOutput& o) const;
  int TensorAt(int i, int32_t argument) const;
  [[noreturn]] SY_COLD void FailOutput(int i, std::initializer_list<Piece> why) const;

  const OperatorRecord& op_;
  ShapeContext& r_;
  const std::span<const Value> args_;
  SyOutput outputs_[ShapeContext::kMaxOutputs];
  int64_t sizes_[ShapeContext::kMaxOutputs][kMaxRank];
  int64_t strides_[ShapeContext::kMaxOutputs][kMaxRank];
};

// The arguments among them that are tensors, for a ShapeContext.
void SetArguments(ShapeContext& r, std::span<const Value> args);

}  // namespace sy::plugin

#endif  // PLUGIN_RULE_H_
