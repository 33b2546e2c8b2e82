// The arguments of a recorded call, as values of an operator's schema, with their tensors rebuilt
// on a device.
//
//   Arguments arguments(op, json["args"], json["kwargs"], blob, ParseDevice("meta"));
//   CallBoxed(op, arguments.values(), results);
//   arguments.tensors()[0].Changed();      // "" while it is as it was
//
// A call without tensors is given the device as its `device` argument, so that what it creates is
// there.
// Owns: every tensor, list and number that the values point to.
// Threads: one at a time.
// Errors: kInvalidArgument for arguments that the schema does not take, and malformed JSON.
#ifndef TESTING_REPLAY_ARGUMENTS_H_
#define TESTING_REPLAY_ARGUMENTS_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/registry/entry.h"
#include "testing/replay/recorded.h"

namespace sy::replay {

// One tensor of a call, alone or in a list.
struct TensorArgument {
  int position;  // of the argument in the schema
  RecordedTensor recorded;
  Tensor tensor;            // what the call gets
  std::vector<char> image;  // its bytes before the call, gaps included

  // How it differs from what it was before the call: sizes, strides, contents; "" if it does not.
  std::string Changed() const;
  // Whether something was written into the gaps between its elements, which belong to others.
  bool GapsTouched() const;
};

class Arguments {
 public:
  Arguments(const OperatorEntry& op, const Json& args, const Json& kwargs, Blob blob,
            Device device);
  Arguments(const Arguments&) = delete;

  std::span<const Value> values() const { return values_; }
  const std::deque<TensorArgument>& tensors() const { return tensors_; }

 private:
  Value Convert(const Argument& argument, int position, const Json& j);
  Value One(const Argument& argument, int position, const Json& j);
  Value List(const Argument& argument, int position, const Json& j);
  // As PyTorch's calls from Python: a tensor of one element stands for a number, True for 1.
  Scalar Number(const Argument& argument, const Json& j);
  int64_t Whole(const Argument& argument, const Json& j);
  // And an int64 vector for a list of numbers.
  std::vector<int64_t> WholeElements(const Argument& argument, const Json& j);
  double Real(const Argument& argument, const Json& j);
  Tensor MakeTensor(int position, const Json& j);
  void FillDevice(const Schema& schema);
  [[noreturn]] void FailType(const Argument& argument, const Json& j) const;

  const OperatorEntry& op_;
  Blob blob_;
  Device device_;
  std::vector<Value> values_;
  std::deque<TensorArgument> tensors_;
  std::deque<Tensor> numbers_;  // numbers given as tensors, and tensors of other layouts
  std::deque<Scalar> scalars_;  // complex ones are pointed at
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::unique_ptr<bool[]>> bools_;
  std::deque<std::vector<Scalar>> scalar_lists_;
  std::deque<std::vector<Tensor>> tensor_lists_;
};

}  // namespace sy::replay

#endif  // TESTING_REPLAY_ARGUMENTS_H_
