// Operators that compute element by element, as a line of a table each: what they compute for
// floats and for integers, in OpenCL C.
//
//   {.name = "maximum", .takes = Takes::kTwo, .dtypes = kBool | kIntegers | kFloats,
//    .floats = "isnan(a) || a > b ? a : b", .integers = "a > b ? a : b"},
//
// Threads: any. Errors: those of OpenCL.
#ifndef OPENCL_POINTWISE_H_
#define OPENCL_POINTWISE_H_

#include <span>

#include "elementwise.h"

namespace opencl {

// Arguments of an operator; a, b, c in this order.
enum class Takes {
  kOne,          // (Tensor)
  kTwo,          // (Tensor, Tensor)
  kTwoAndScale,  // (Tensor, Tensor, Scalar)
  kThree,        // (Tensor, Tensor, Tensor)
  kChoice,       // (Tensor of truths, Tensor, Tensor)
};

struct PointwiseOp {
  const char* name;  // the operator's base variant
  Takes takes;
  uint64_t dtypes;  // to compute in
  const char* floats =
      nullptr;  // an expression over a, b, c; see elementwise.h. Null: not for floats
  const char* integers = nullptr;  // for integers and bool
  bool is_truth = false;           // the result is bool
  // A number that meets float16 or bfloat16 is not rounded to these (ATen's mul, div, lerp).
  bool keeps_numbers = false;
  const char* helpers = "";  // functions that the expression uses
  int line = __builtin_LINE();
};

// The table of pointwise_table.cc.
extern const std::span<const PointwiseOp> kPointwiseOps;
inline constexpr const char* kPointwiseFile = "pointwise_table.cc";

// An input of a call: a tensor, which may be a number of the host, or a number.
using Input = std::variant<sy::abi::Tensor, sy::abi::Scalar>;

void RunPointwise(sy::abi::Call call, const PointwiseOp& op, sy::abi::Tensor out,
                  const std::vector<Input>& in);
// The operand of a computation in `type` for an input.
Operand OperandOf(sy::abi::Call call, const Type& type, const Input& in);

}  // namespace opencl

#endif  // OPENCL_POINTWISE_H_
