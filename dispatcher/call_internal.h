// Parts of boxed calls that layers, names and explanations share.
#ifndef SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_
#define SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "switchyard/core/value.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"

namespace sy::internal {

// Errors: kInvalidArgument for arguments that are not as many as the schema's, or not of its types.
void RequireFitting(const OperatorEntry& op, std::span<const Value> args);

// The call itself, past all layers. args are of the schema's types.
void CallBelowLayers(const OperatorEntry& op, std::span<const Value> args,
                     std::span<Result> results);

// The call, with arguments known to be of the schema's types and room for the results. bits: the
// tensors' key words, or-ed.
void CallFitting(const OperatorEntry& op, const Value* args, Result* results, KeyWord bits);

// How the value becomes one of the type, if a text that it may be is a name.
Conversion ConversionOf(const Type& type, const Value& v);
// How far-fetched that is: 0 for what is of the type.
int CostOf(Conversion how, const Type& type, const Value& v);

// What converted arguments point to: little lies in it, and it costs a call little to have one.
class ConvertedArguments {
 public:
  ConvertedArguments() {}  // NOLINT(modernize-use-equals-default): words_ stay as they are
  ConvertedArguments(const ConvertedArguments&) = delete;
  // Makes `v` what `how` says; list_size: of kRepeat. False, and v as it was, for a text that is no
  // name.
  bool Convert(Conversion how, size_t list_size, Value& v);
  // A list of n integers.
  Value Row(const Value* ints, size_t n);

 private:
  void* Words(size_t n);  // memory for n numbers

  struct More {
    std::vector<Tensor> tensors;
    std::vector<std::unique_ptr<int64_t[]>> words;
  };
  More& more() { return more_ != nullptr ? *more_ : *(more_ = std::make_unique<More>()); }

  static constexpr size_t kWords = 16;
  size_t used_ = 0;
  Tensor tensor_;  // the first one
  std::unique_ptr<More> more_;
  int64_t words_[kWords];
};

// The call by a plan, where it is one of the call's keywords and texts; else false, and nothing has
// happened.
bool CallByPlan(const CallPlan& plan, const Value* args, int n, const Keyword* keywords,
                Results& results);

// In a handler: kOutOfMemory of the operator that was called by this name. Who asks for such calls
// (op/variants.cc) is told first.
[[noreturn]] SY_COLD void FailMemory(std::string_view name);

// "did you mean 'add'?", or "".
std::string NearestName(Registry& registry, std::string_view name);

}  // namespace sy::internal

#endif  // SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_
