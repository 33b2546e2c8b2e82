// Parts of boxed calls that layers, names and explanations share.
#ifndef SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_
#define SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "switchyard/core/value.h"
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

// Converted arguments, and what they point to.
class ConvertedArguments {
 public:
  ConvertedArguments();
  ~ConvertedArguments();
  // Makes `v` a value of `type`. Returns how far-fetched that is, 0 when it is one already; -1 when
  // it cannot be.
  int Convert(const Type& type, Value& v);
  bool empty() const { return !any_; }  // nothing had to be converted

 private:
  struct Storage;
  std::vector<std::unique_ptr<Storage>> storage_;
  bool any_ = false;
};

// "did you mean 'add'?", or "".
std::string NearestName(Registry& registry, std::string_view name);

}  // namespace sy::internal

#endif  // SWITCHYARD_DISPATCHER_CALL_INTERNAL_H_
