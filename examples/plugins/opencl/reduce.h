// One program for every operator that combines elements along dimensions.
//
//   Reduction f{.name = "sum", .accumulate = &f32, .in = {&f32},
//               .expression = "a", .combine = "x + y", .identity = "0"};
//   RunReduction(call, f, out, {a}, 2);   sums over a's last two dimensions
//
// Each result is computed by a group of work items, which combine in a tree; rows too short for
// that by one item each. Long rows are cut into chunks, whose results are reduced again, so that
// one row keeps the whole device busy. The order does not depend on the device's speed: results are
// the same every time.
// Threads: any.
// Errors: those of OpenCL; Declined as Layout.
#ifndef OPENCL_REDUCE_H_
#define OPENCL_REDUCE_H_

#include "array.h"

namespace opencl {

struct Reduction {
  std::string name;  // with the types it is the program's key
  const Type* accumulate;
  std::vector<const Type*> in;
  std::string expression;  // of a, b, …: what an element contributes, of accumulate's value type
  std::string combine;     // of x and y
  std::string identity;
};

// in: all of the same sizes, of which the last `reduced_dims` are reduced; there may be nothing to
// reduce. out: the sizes before these, of a type that accumulate converts to.
void RunReduction(sy::abi::Call call, const Reduction& f, const Array& out,
                  const std::vector<Array>& in, size_t reduced_dims);

}  // namespace opencl

#endif  // OPENCL_REDUCE_H_
