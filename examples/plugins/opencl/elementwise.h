// One program for every operator that computes each element of its output from the elements of its
// inputs in the same place.
//
//   Formula f{.name = "add.Tensor", .compute = &f32, .out = &f32, .expression = "a + c * b"};
//   RunElementwise(call, f, out, {a, b, NumberOf(f32, alpha)});
//
// The expression is OpenCL C over a, b, c, …, the inputs' values, with T the type to compute in
// and U the one whose sums and products wrap around. Inputs broadcast to out's sizes and have any
// strides; where all lie alike and dense, a kernel without any arithmetic on indices runs.
// Threads: any.
// Errors: those of OpenCL; Declined as Layout.
#ifndef OPENCL_ELEMENTWISE_H_
#define OPENCL_ELEMENTWISE_H_

#include <variant>

#include "array.h"

namespace opencl {

struct Formula {
  std::string name;  // with the types it is the program's key
  const Type* compute;
  const Type* out;  // of the expression, and in memory
  std::string expression;
  std::string helpers = "";    // functions that the expression uses
  bool rounds_numbers = true;  // to float16 and bfloat16, before they meet elements of these
};

using Operand = std::variant<Array, Number>;

void RunElementwise(sy::abi::Call call, const Formula& f, const Array& out,
                    const std::vector<Operand>& in);

}  // namespace opencl

#endif  // OPENCL_ELEMENTWISE_H_
