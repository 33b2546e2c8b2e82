// Arguments of `switchyard run` as they are written on a command line.
//
//   ParseArgument("[1, 2]")                                  a list of numbers
//   ParseArgument("tensor([[1., 2.]], dtype=float64)")       a tensor
//   ParseArgument("alpha=2")                                 a keyword and a number
//   ParseArgument("zeros(3, 3, dtype=int8)")                 a call, which is not made yet
//
// Written as in Python: numbers (1, 2.5, 1+2j, inf, nan), True, False, None, lists or tuples of
// anything, tensor(…) with dtype and device, calls of operators, 'text'. A word that is none of
// these is text, which operators take for dtypes, devices and strings; a word that ends in .npy is
// the tensor in that file.
// Owns: everything it holds.
// Threads: any.
// Errors: kInvalidArgument pointing at the position; as ReadNpy's.
#ifndef TOOLS_COMMAND_LITERAL_H_
#define TOOLS_COMMAND_LITERAL_H_

#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy::command {

struct CallArgument;

struct Literal {
  enum Kind { kNone, kNumber, kText, kList, kTensor, kCall /* of the operator `text` */ };
  Kind kind = kNone;
  Scalar number;
  std::string text;
  std::vector<Literal> list;
  Tensor tensor;
  std::vector<CallArgument> arguments;
};

struct CallArgument {
  std::string keyword;  // empty: by position
  Literal value;
};
CallArgument ParseArgument(std::string_view text);

// A number or a nested list of numbers as a tensor. Errors also: lists of different lengths.
Tensor TensorOf(const Literal& literal, Optional<DType> dtype = std::nullopt);

}  // namespace sy::command

#endif  // TOOLS_COMMAND_LITERAL_H_
