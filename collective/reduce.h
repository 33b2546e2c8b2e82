// Reductions of elements on the host: what engines add up with, for every dtype.
//
//   const SyReduceOp op = *ParseReduceOp("sum");
//   Reduce(op, DType::kBFloat16, to, from, 4096);   // to[i] += from[i]
//
// Names are torch.distributed's. Of bool, sum is "or" and product is "and", as NCCL has it; min and
// max hand NaNs on. 16- and 8-bit floats are computed in float32 and rounded at each step.
// Owns: nothing.
// Threads: any.
// Errors: kNotImplemented for a dtype that the operator does not take.
#ifndef SWITCHYARD_COLLECTIVE_REDUCE_H_
#define SWITCHYARD_COLLECTIVE_REDUCE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/collective/engine_abi.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/macros.h"

namespace sy::collective {

// "sum", "product", "min", "max", "band", "bor", "bxor", "avg".
SY_API std::string_view Name(SyReduceOp op);
// nullopt for other names: "premul_sum" too, which only NCCL has.
SY_API std::optional<SyReduceOp> ParseReduceOp(std::string_view name);
// The dtypes that it takes: min and max none that is complex, the last three integers and bool, avg
// floats and complex ones.
SY_API DTypeMask ReducibleTypes(SyReduceOp op);
// to[i] = to[i] op from[i] for n elements; avg adds. The two do not overlap, or are the same.
SY_API void Reduce(SyReduceOp op, DType dtype, void* to, const void* from, int64_t n);
// data[i] /= by: what makes an average of a sum. by: > 0.
SY_API void Divide(DType dtype, void* data, int64_t n, int64_t by);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_REDUCE_H_
