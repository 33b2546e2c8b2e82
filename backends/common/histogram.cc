#include "switchyard/backends/common/histogram.h"

#include <cmath>

#include "switchyard/core/error.h"

namespace sy {

Ends EndsOfBins(Call call, std::optional<Ends> given, double beside) {
  const auto [low, high] = given.value_or(Ends{0, beside == 1 ? 0.0 : 1.0});
  if (!std::isfinite(low) || !std::isfinite(high)) {
    Fail(ErrorCode::kInvalidValue, call.op(),
         {"the range from ", low, " to ", high, " is not finite"});
  }
  if (low > high) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the range goes from ", low, " to ", high, ", expected it ascending"});
  }
  return low == high ? Ends{low - beside, high + beside} : Ends{low, high};
}

namespace {

double Rounded(DType dtype, double x) {
  switch (dtype) {
    case DType::kFloat16:
      return static_cast<float>(Half(static_cast<float>(x)));
    case DType::kBFloat16:
      return static_cast<float>(BFloat16(static_cast<float>(x)));
    case DType::kFloat32:
      return static_cast<float>(x);
    default:
      return x;
  }
}

}  // namespace

// Source: linspace, from both ends.
std::vector<double> EdgesOfBins(DType dtype, Ends ends, int64_t bins) {
  const auto round = [dtype](double x) { return Rounded(dtype, x); };
  const double low = round(ends.low), high = round(ends.high);
  const double step = round(round(high - low) / static_cast<double>(bins));
  std::vector<double> edges(static_cast<size_t>(bins) + 1);
  for (int64_t i = 0; i <= bins; ++i) {
    edges[i] = i < (bins + 1) / 2 ? round(low + round(step * static_cast<double>(i)))
                                  : round(high - round(step * static_cast<double>(bins - i)));
  }
  return edges;
}

}  // namespace sy
