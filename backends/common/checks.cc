#include "switchyard/backends/common/checks.h"

#include <algorithm>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy {

void FailPosition(std::string_view op, int64_t value, int64_t dim, int64_t size,
                  std::optional<IntSpan> place) {
  const std::string at = place ? Join({" at ", *place}) : "";
  Fail(ErrorCode::kIndexOutOfRange, op,
       {"index is ", value, at, ", out of range for dim ", dim, ", which has size ", size});
}

void FailDivisionByZero(std::string_view op) {
  Fail(ErrorCode::kInvalidValue, op, {"other holds a 0, by which integers cannot be divided"});
}

void FailShortSource(std::string_view op, int64_t have, std::optional<int64_t> wanted) {
  const std::string picked = wanted ? Join({*wanted, " true ones"}) : "more true ones";
  Fail(ErrorCode::kInvalidValue, op, {"source has ", have, " elements, but mask has ", picked});
}

void FailProbability(std::string_view op, double value) {
  Fail(ErrorCode::kInvalidValue, op, {"probabilities must be 0 to 1, got ", value});
}

void FailRate(std::string_view op, double value) {
  Fail(ErrorCode::kInvalidValue, op, {"rates must not be negative, got ", value});
}

void FailWeight(std::string_view op, double value, int64_t position, int64_t row) {
  Fail(ErrorCode::kInvalidValue, op,
       {"probabilities must be finite and not negative, got ", value, " at position ", position,
        " of row ", row});
}

void FailNoWeight(std::string_view op, int64_t row) {
  Fail(ErrorCode::kInvalidValue, op, {"probabilities of row ", row, " are all 0"});
}

void FailClass(std::string_view op, int64_t target, int64_t classes) {
  Fail(ErrorCode::kIndexOutOfRange, op, {"target must be 0 to ", classes - 1, ", got ", target});
}

void FailSorter(std::string_view op, int64_t value, int64_t n) {
  Fail(ErrorCode::kIndexOutOfRange, op, {"sorter has ", value, ", expected 0 to ", n - 1});
}

void FailRepeats(std::string_view op, int64_t value, std::optional<int64_t> position) {
  const std::string at = position ? Join({" at position ", *position}) : "";
  Fail(ErrorCode::kInvalidValue, op,
       {"repeats must not be negative, nor their sum too large; got ", value, at});
}

void FailConvergence(std::string_view op, std::string_view argument, int64_t matrix,
                     std::string_view why) {
  Fail(ErrorCode::kInvalidValue, op,
       {"matrix ", matrix, " of ", argument, " did not converge: ", why});
}

void FailNotFinite(std::string_view op, int64_t matrix) {
  Fail(ErrorCode::kInvalidValue, op, {"matrix ", matrix, " of self holds an infinity or NaN"});
}

void RequireFits(Call call, const Tensor& value, DType elements) {
  if (value.dtype() == elements) return;
  const Scalar number = ReadNumber(value);
  if (number.Fits(elements)) return;
  Fail(ErrorCode::kInvalidValue, call.op(),
       {"value ", number.str(), " does not fit self's ", elements});
}

void RequireBlockPivots(Call call, std::span<const int> pivots, int64_t n) {
  const auto names_row = [n](int64_t p) { return p >= 1 && p <= n; };
  const auto count = static_cast<int64_t>(pivots.size());
  for (int64_t at = 0; at < count; ++at) {
    if (names_row(pivots[at])) continue;
    const bool has_next = at % n + 1 < n;
    if (!has_next || !names_row(-int64_t{pivots[at]}) || !names_row(-int64_t{pivots[at + 1]})) {
      Fail(ErrorCode::kInvalidValue, call.op(),
           {"pivots must be 1 to ", n, ", or a pair of negative ones, got ", pivots[at],
            " for matrix ", at / n});
    }
    ++at;
  }
}

int64_t BincountLength(Call call, int64_t least, int64_t greatest, int64_t minlength) {
  if (least < 0) {
    Fail(ErrorCode::kInvalidValue, call.op(), {"numbers must not be negative, got ", least});
  }
  if (greatest == INT64_MAX) {
    Fail(ErrorCode::kInvalidValue, call.op(), {"numbers must be below 2^63 - 1, got ", greatest});
  }
  return std::max(minlength, greatest + 1);
}

void RequireBincount(Call call, const Tensor& self, const Tensor& weights, int64_t minlength) {
  if (minlength < 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"minlength must not be negative, got ", minlength});
  }
  if (self.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be 1-d, got ", self.sizes()});
  if (weights.defined() && (weights.dim() != 1 || weights.numel() != self.numel())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weights must have self's sizes ", self.sizes(), ", got ", weights.sizes()});
  }
}

void RequireRepeats(Call call, const Tensor& repeats) {
  const bool counts = repeats.dtype() == DType::kInt64 || repeats.dtype() == DType::kInt32;
  if (repeats.dim() == 1 && counts) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"repeats must be 1-d and int64 or int32, got ", Describe(repeats)});
}

void RequireOutputSize(Call call, std::optional<int64_t> output_size, int64_t total) {
  if (!output_size || *output_size == total) return;
  Fail(ErrorCode::kInvalidValue, call.op(),
       {"output_size is ", *output_size, ", but repeats add up to ", total});
}

void RequireMask(Call call, const Tensor& mask) {
  if (mask.dtype() == DType::kBool) return;
  Fail(ErrorCode::kInvalidArgument, call.op(), {"mask must be bool, got ", mask.dtype()});
}

void RequireExpandable(Call call, const Tensor& values, IntSpan indexed) {
  if (IsExpandable(values.sizes(), indexed)) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"values of sizes ", values.sizes(), " do not expand to the indexed sizes ", indexed});
}

void FailSums(Call call, DType elements) {
  Fail(ErrorCode::kNotImplemented, call.op(), {"no sums of ", elements});
}

void FailNansum(Call call) {
  Fail(ErrorCode::kNotImplemented, call.op(),
       {"a floating tensor cannot be summed in ", call.dtype()});
}

void FailBoolProduct(std::string_view op) {
  Fail(ErrorCode::kNotImplemented, op,
       {"no products of bool, expected integers, floating or complex numbers"});
}

void FailRounding(Call call, std::string_view mode, const Tensor& self, const Tensor& other) {
  Fail(ErrorCode::kNotImplemented, call.op(),
       {"expected real tensors with rounding_mode '", mode, "', got ", self.dtype(), " and ",
        other.dtype()});
}

void FailMatrixSize(Call call, std::string_view library, int64_t n) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"sizes of matrices must be below 2^31 for ", library, ", got ", n});
}

void FailGenerator(Call call, Device device, Device given) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"generator must be of ", device.str(), ", got one of ", given.str()});
}

}  // namespace sy
