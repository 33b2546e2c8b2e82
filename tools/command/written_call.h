// Literals as the values of a call. What a list stands for depends on the operator: `add [1, 2] 3`
// adds to a tensor, `sum x [0, 1]` names dimensions.
//
//   WrittenCall call(arguments, device);
//   Results r = call.Run("add");
//
// Owns: tensors, lists and numbers that the values point to.
// Threads: one at a time.
// Errors: as CallByName's.
#ifndef TOOLS_COMMAND_WRITTEN_CALL_H_
#define TOOLS_COMMAND_WRITTEN_CALL_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "tools/command/literal.h"

namespace sy::command {

// Makes the calls in a literal, innermost first, and puts what they give in their place. Errors:
// as CallByName's.
void Evaluate(Literal& literal, Device device);

class WrittenCall {
 public:
  // Calls among the arguments have been made. device: where tensors that are written out go.
  WrittenCall(std::vector<CallArgument> arguments, Device device);
  // op: a full name, or one whose overload is found from the arguments.
  Results Run(const std::string& op);

 private:
  // The arguments as one overload would have them; null: as they are.
  void Box(const Schema* schema);
  Value ToValue(const Literal& l, const Type* type);
  Value ListToValue(const std::vector<Literal>& list);
  Value Keep(Tensor t);
  Tensor ToDevice(const Tensor& t) const;

  std::vector<CallArgument> arguments_;
  Device device_;
  std::vector<Value> values_;
  std::vector<Keyword> keywords_;
  std::deque<Tensor> tensors_;
  std::deque<std::vector<Tensor>> tensor_lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<Scalar>> scalars_;
  std::deque<std::unique_ptr<bool[]>> bools_;
};

}  // namespace sy::command

#endif  // TOOLS_COMMAND_WRITTEN_CALL_H_
