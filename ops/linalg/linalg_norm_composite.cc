// Norms of matrices by those of vectors and by singular values; condition numbers.
// Source: ATen/native/LinearAlgebra.cpp, for which arguments are refused.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "ops/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Which norm of matrices.
struct Order {
  enum Kind { kFrobenius, kNuclear, kNumber } kind;
  double number;  // ±1, ±2, ±infinity
};
[[noreturn]] void FailOrder(Call call, const std::string& given) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got ", given});
}
Order OrderOf(Call call, const Scalar& ord) {
  const double number = ord.To<double>();
  const double size = std::abs(number);
  if (ord.is_complex() || (size != 1 && size != 2 && size != kInfinity)) FailOrder(call, ord.str());
  return {Order::kNumber, number};
}
Order OrderOf(Call call, std::string_view ord) {
  if (ord == "fro") return {Order::kFrobenius, 0};
  if (ord == "nuc") return {Order::kNuclear, 0};
  FailOrder(call, "'" + std::string(ord) + "'");
}

// The singular values of the matrices that two dimensions make, put together along the last one.
Tensor SingularValueNorm(Call call, const Tensor& a, int64_t rows, int64_t columns, bool keepdim,
                         Order order) {
  const Tensor s = linalg_svdvals(movedim(a, {rows, columns}, {-2, -1}));
  Tensor norm;
  if (order.kind == Order::kNuclear) {
    norm = sum(s, -1);
  } else if (s.size(-1) == 0 && order.number > 0) {
    norm = sum(s, -1);  // 0
  } else if (s.size(-1) == 0) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"no smallest singular value of matrices of sizes ", a.sizes()});
  } else {
    norm = order.number > 0 ? amax(s, -1) : amin(s, -1);
  }
  if (!keepdim) return norm;
  return unsqueeze(unsqueeze(norm, std::min(rows, columns)), std::max(rows, columns));
}

Tensor MatrixNorm(Call call, const Tensor& self, Order order, IntSpan dim, bool keepdim,
                  Optional<DType> dtype) {
  if (self.dim() < 2 || dim.size() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected two dimensions of matrices, got dim ", dim, " of sizes ", self.sizes()});
  }
  RequireFloatingOrComplex(call, self);
  DimMask(dim, self.dim(), call.op());  // the two differ
  const int64_t rows = WrapDim(dim[0], self.dim()), columns = WrapDim(dim[1], self.dim());
  const double size = std::abs(order.number);
  if (order.kind == Order::kFrobenius) return linalg_vector_norm(self, 2, dim, keepdim, dtype);
  if (order.kind == Order::kNuclear || size == 2) {
    const Tensor a = dtype ? to(self, *dtype) : self;
    return SingularValueNorm(call, a, rows, columns, keepdim, order);
  }
  const int64_t summed = size == 1 ? rows : columns, other = size == 1 ? columns : rows;
  const Tensor sums = linalg_vector_norm(self, 1, summed, keepdim, dtype);
  const int64_t left = keepdim || other < summed ? other : other - 1;
  if (sums.size(left) == 0 && order.number > 0) return sum(sums, left, keepdim, sums.dtype());
  return order.number > 0 ? amax(sums, left, keepdim) : amin(sums, left, keepdim);
}

Tensor MatrixNormOfNumber(Call call, const Tensor& self, const Scalar& ord, IntSpan dim,
                          bool keepdim, Optional<DType> dtype) {
  return MatrixNorm(call, self, OrderOf(call, ord), dim, keepdim, dtype);
}
Tensor MatrixNormOfName(Call call, const Tensor& self, std::string_view ord, IntSpan dim,
                        bool keepdim, Optional<DType> dtype) {
  return MatrixNorm(call, self, OrderOf(call, ord), dim, keepdim, dtype);
}
const Composite matrix_norm_body{"linalg_matrix_norm", MatrixNormOfNumber};
const Composite matrix_norm_str_body{"linalg_matrix_norm.str_ord", MatrixNormOfName};

constexpr int64_t kLastTwo[] = {-2, -1};

Tensor Norm(Call call, const Tensor& self, const std::optional<Scalar>& ord,
            std::optional<IntSpan> dim, bool keepdim, Optional<DType> dtype) {
  if (dim && dim->size() != 1 && dim->size() != 2 && ord) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dim must have 1 or 2 elements with ord, got ", *dim});
  }
  if (!dim && ord && self.dim() != 1 && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"without dim, but with ord, self must be 1-d or 2-d, got sizes ", self.sizes()});
  }
  const bool matrices = ord && (dim ? dim->size() == 2 : self.dim() == 2);
  if (matrices)
    return MatrixNorm(call, self, OrderOf(call, *ord), dim.value_or(kLastTwo), keepdim, dtype);
  return linalg_vector_norm(self, ord.value_or(Scalar(2)), dim, keepdim, dtype);
}
Tensor NormOfName(Call call, const Tensor& self, std::string_view ord, std::optional<IntSpan> dim,
                  bool keepdim, Optional<DType> dtype) {
  if (!dim && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"without dim self must be 2-d, got sizes ", self.sizes()});
  }
  return MatrixNorm(call, self, OrderOf(call, ord), dim.value_or(kLastTwo), keepdim, dtype);
}
const Composite norm_body{"linalg_norm", Norm};
const Composite norm_str_body{"linalg_norm.ord_str", NormOfName};

Tensor NuclearNorm(Call call, const Tensor& self, bool keepdim) {
  return MatrixNorm(call, self, {Order::kNuclear, 0}, kLastTwo, keepdim, {});
}
Tensor NuclearNormDim(Call call, const Tensor& self, IntSpan dim, bool keepdim) {
  return MatrixNorm(call, self, {Order::kNuclear, 0}, dim, keepdim, {});
}
Tensor FrobeniusNorm(Call call, const Tensor& self, IntSpan dim, bool keepdim) {
  if (dim.size() > 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"dim must name at most 2 dimensions, got ", dim});
  }
  return linalg_vector_norm(self, 2, dim, keepdim);
}
const Composite nuclear_norm_body{"nuclear_norm", NuclearNorm};
const Composite nuclear_norm_dim_body{"nuclear_norm.dim", NuclearNormDim};
const Composite frobenius_norm_body{"frobenius_norm.dim", FrobeniusNorm};

// --- Condition numbers
Tensor CondOf(Call call, const Tensor& self, Order order) {
  RequireMatrices(call.op(), self, "self");
  const bool by_values = order.kind == Order::kNumber && std::abs(order.number) == 2;
  if (!by_values) RequireSquare(call.op(), self, "self");
  if (self.numel() == 0) return new_zeros(self, BatchOf(self), RealType(self.dtype()));
  if (by_values) {
    const Tensor s = linalg_svdvals(self);
    const Tensor largest = select(s, -1, 0), smallest = select(s, -1, -1);
    return order.number > 0 ? div(largest, smallest) : div(smallest, largest);
  }
  const auto [inverse, info] = linalg_inv_ex(self);
  const Tensor singular = ne(info, 0);
  const Tensor finite = masked_fill(inverse, unsqueeze(unsqueeze(singular, -1), -1), 0);
  const Tensor product = mul(MatrixNorm(call, self, order, kLastTwo, false, {}),
                             MatrixNorm(call, finite, order, kLastTwo, false, {}));
  return masked_fill(product, singular, kInfinity);
}
Tensor Cond(Call call, const Tensor& self, const std::optional<Scalar>& p) {
  return CondOf(call, self, OrderOf(call, p.value_or(Scalar(2))));
}
Tensor CondOfName(Call call, const Tensor& self, std::string_view p) {
  return CondOf(call, self, OrderOf(call, p));
}
const Composite cond_body{"linalg_cond", Cond};
const Composite cond_str_body{"linalg_cond.p_str", CondOfName};

}  // namespace
}  // namespace sy
