// Checks of values, and what they say, the same on every device. Numbers are checked by shape
// functions (ops/number.h); what only elements tell is found by kernels, at once or, on devices
// that are not waited for, at the next synchronising call.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidValue where elements are wrong (kIndexOutOfRange: positions), else as said; all
// name the operator.
#ifndef SWITCHYARD_BACKENDS_COMMON_CHECKS_H_
#define SWITCHYARD_BACKENDS_COMMON_CHECKS_H_

#include <optional>
#include <string_view>

#include "switchyard/core/device.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy {

// --- What a kernel has found.

// An index out of range for a dimension; place: where in the index it is, if that is known.
[[noreturn]] SY_COLD void FailPosition(std::string_view op, int64_t value, int64_t dim,
                                       int64_t size, std::optional<IntSpan> place = std::nullopt);
[[noreturn]] SY_COLD void FailDivisionByZero(std::string_view op);  // of integers
// A list of `have` elements, for a mask that picks more; wanted: how many, if that is known.
[[noreturn]] SY_COLD void FailShortSource(std::string_view op, int64_t have,
                                          std::optional<int64_t> wanted = std::nullopt);
// One that is not 0 to 1.
[[noreturn]] SY_COLD void FailProbability(std::string_view op, double value);
// One among probabilities of any sum, which is negative, infinite or NaN; a row of zeros.
[[noreturn]] SY_COLD void FailWeight(std::string_view op, double value, int64_t position,
                                     int64_t row);
[[noreturn]] SY_COLD void FailNoWeight(std::string_view op, int64_t row);
[[noreturn]] SY_COLD void FailRate(std::string_view op, double value);
[[noreturn]] SY_COLD void FailClass(std::string_view op, int64_t target, int64_t classes);
inline void RequireClass(std::string_view op, int64_t target, int64_t classes) {
  if (target < 0 || target >= classes) [[unlikely]]
    FailClass(op, target, classes);
}
[[noreturn]] SY_COLD void FailSorter(std::string_view op, int64_t value, int64_t n);
// Counts of elements that are repeated: one of them, or their sum where that wraps around.
[[noreturn]] SY_COLD void FailRepeats(std::string_view op, int64_t value,
                                      std::optional<int64_t> position = std::nullopt);
// A matrix of a batch for which an iteration did not end. argument: its name.
[[noreturn]] SY_COLD void FailConvergence(std::string_view op, std::string_view argument,
                                          int64_t matrix, std::string_view why);
[[noreturn]] SY_COLD void FailNotFinite(std::string_view op, int64_t matrix);

// --- Values on the host.

// A value that is given as a tensor and stored among elements of another dtype. Waits for its
// device.
SY_API void RequireFits(Call call, const Tensor& value, DType elements);
// Rows that a factorisation exchanged, from 1, of matrices with n each: one in 1 … n, or a pair of
// negative ones.
void RequireBlockPivots(Call call, std::span<const int> pivots, int64_t n);
// From the least number to be counted and the greatest, to the length of bincount's result.
int64_t BincountLength(Call call, int64_t least, int64_t greatest, int64_t minlength);
// --- Arguments of operators without a shape function, and those that dtypes decide in kernels.
// Errors: kInvalidArgument, and kNotImplemented for dtypes.

void RequireBincount(Call call, const Tensor& self, const Tensor& weights, int64_t minlength);
void RequireRepeats(Call call, const Tensor& repeats);
// total: what repeats add up to. Errors: kInvalidValue.
void RequireOutputSize(Call call, std::optional<int64_t> output_size, int64_t total);
void RequireMask(Call call, const Tensor& mask);
void RequireExpandable(Call call, const Tensor& values, IntSpan indexed);
[[noreturn]] SY_COLD void FailSums(Call call, DType elements);
[[noreturn]] SY_COLD void FailNansum(Call call);  // of floating elements in integers
[[noreturn]] SY_COLD void FailBoolProduct(std::string_view op);
[[noreturn]] SY_COLD void FailRounding(Call call, std::string_view mode, const Tensor& self,
                                       const Tensor& other);
// library: what counts sizes in 32 bits.
[[noreturn]] SY_COLD void FailMatrixSize(Call call, std::string_view library, int64_t n);
[[noreturn]] SY_COLD void FailGenerator(Call call, Device device, Device given);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_CHECKS_H_
