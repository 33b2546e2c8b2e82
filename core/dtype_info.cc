#include "switchyard/core/dtype_info.h"

#include <limits>

#include "switchyard/core/error.h"

namespace sy {

FloatInfo finfo(DType d) {
  if (!IsFloating(d) && !IsComplex(d))
    Fail(ErrorCode::kInvalidArgument, {"finfo(): expected a floating dtype, got ", d});
  return VisitDType<kFloatingTypes | kFloat8Types>(RealType(d), [](auto tag) {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<T>;
    double resolution = 1;
    for (int i = 0; i < Limits::digits10; ++i) resolution /= 10;
    return FloatInfo{.bits = static_cast<int>(sizeof(T) * 8),
                     .eps = static_cast<double>(Limits::epsilon()),
                     .max = static_cast<double>(Limits::max()),
                     .min = static_cast<double>(Limits::lowest()),
                     .smallest_normal = static_cast<double>(Limits::min()),
                     .smallest_subnormal = static_cast<double>(Limits::denorm_min()),
                     .resolution = resolution};
  });
}

IntInfo iinfo(DType d) {
  if (!IsIntegral(d, false))
    Fail(ErrorCode::kInvalidArgument, {"iinfo(): expected an integer dtype, got ", d});
  return VisitDType<kIntegerTypes | kWideUnsignedTypes>(d, [](auto tag) {
    using T = typename decltype(tag)::type;
    return IntInfo{.bits = static_cast<int>(sizeof(T) * 8),
                   .min = static_cast<int64_t>(std::numeric_limits<T>::min()),
                   .max = static_cast<uint64_t>(std::numeric_limits<T>::max())};
  });
}

}  // namespace sy
