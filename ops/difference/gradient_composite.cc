// gradient by differences of slices.

#include <optional>
#include <span>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

constexpr size_t kOneForAll = SIZE_MAX;  // a number of spacings

// The dimensions, which are checked; without `dims`, all.
std::vector<int64_t> GradientDims(Call call, const Tensor& self, std::optional<IntSpan> dims,
                                  size_t num_spacings, int64_t edge_order) {
  if (edge_order != 1 && edge_order != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"edge_order must be 1 or 2, got ", edge_order});
  }
  std::vector<int64_t> list;
  const size_t count = dims ? dims->size() : self.sizes().size();
  uint64_t seen = 0;
  for (size_t i = 0; i < count; ++i) {
    const int64_t d = dims ? WrapDimOf(call, (*dims)[i], self) : static_cast<int64_t>(i);
    if ((seen >> d & 1) != 0) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"dim ", d, " appears more than once in ", *dims});
    }
    seen |= uint64_t{1} << d;
    if (self.size(d) <= edge_order) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"dimension ", d, " must have at least ", edge_order + 1, " positions, got sizes ",
            self.sizes()});
    }
    list.push_back(d);
  }
  if (num_spacings != kOneForAll && num_spacings != list.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"there must be a spacing for each of ", list.size(), " dimensions, got ", num_spacings});
  }
  return list;
}

// (a f(0) + b f(1) + c f(2)) of three slices in a row, the first at `at`.
template <class Factor>
Tensor Weighted(const Tensor& self, int64_t dim, int64_t at, const Factor& a, const Factor& b,
                const Factor& c) {
  const auto f = [&](int64_t i) { return narrow(self, dim, at + i, 1); };
  return add(add(mul(f(0), a), mul(f(1), b)), mul(f(2), c));
}
Tensor Join(const Tensor& first, const Tensor& middle, const Tensor& last, int64_t dim) {
  return cat({first, middle, last}, dim);
}
// How far slices are from those before, in numbers of `distance`.
Tensor EvenGradient(const Tensor& self, int64_t dim, const Scalar& distance, int64_t edge_order) {
  const int64_t n = self.size(dim);
  const auto f = [&](int64_t i) { return narrow(self, dim, i, 1); };
  const Tensor middle =
      div(div(sub(slice(self, dim, 2, std::nullopt), slice(self, dim, 0, -2)), distance), 2);
  Tensor first, last;
  if (edge_order == 1) {
    first = sub(f(1), f(0));
    last = sub(f(n - 1), f(n - 2));
  } else {
    first = Weighted<Scalar>(self, dim, 0, -1.5, 2, -0.5);
    last = Weighted<Scalar>(self, dim, n - 3, 0.5, -2, 1.5);
  }
  return Join(div(first, distance), middle, div(last, distance), dim);
}
// Of slices at coordinates x, by the parabola through three neighbours.
Tensor UnevenGradient(Call call, const Tensor& self, int64_t dim, const Tensor& x,
                      int64_t edge_order) {
  const int64_t n = self.size(dim);
  if (x.dim() != 1 || x.numel() != n) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"coordinates of dimension ", dim, " must be a vector of ", n, " elements, got sizes ",
          x.sizes()});
  }
  const Tensor step = sub(slice(x, 0, 1, std::nullopt), slice(x, 0, 0, -1));
  const auto along = [&](const Tensor& t) {
    std::vector<int64_t> sizes(self.sizes().size(), 1);
    sizes[static_cast<size_t>(dim)] = t.numel();
    return reshape(t, sizes);
  };
  const auto f = [&](int64_t i) { return narrow(self, dim, i, 1); };
  const auto h = [&](int64_t i) { return select(step, 0, i); };
  const Tensor left = slice(step, 0, 0, -1), right = slice(step, 0, 1, std::nullopt);
  const Tensor both = left + right;
  const Tensor a = along(neg(right) / (left * both)), b = along((right - left) / (left * right)),
               c = along(left / (right * both));
  const Tensor middle = a * slice(self, dim, 0, -2) + b * slice(self, dim, 1, -1) +
                        c * slice(self, dim, 2, std::nullopt);
  if (edge_order == 1) {
    return Join((f(1) - f(0)) / h(0), middle, (f(n - 1) - f(n - 2)) / h(-1), dim);
  }
  const Tensor p = h(0), q = h(1), s = h(-2), t = h(-1);
  const Tensor first = Weighted<Tensor>(self, dim, 0, neg(2 * p + q) / (p * (p + q)),
                                        (p + q) / (p * q), neg(p) / (q * (p + q)));
  const Tensor last = Weighted<Tensor>(self, dim, n - 3, t / (s * (t + s)), neg(t + s) / (t * s),
                                       (2 * t + s) / (t * (t + s)));
  return Join(first, middle, last, dim);
}

List EvenGradients(Call call, const Tensor& self, std::span<const Scalar> spacing,
                   std::optional<IntSpan> dims, bool one_for_all, int64_t edge_order) {
  const size_t count = one_for_all ? kOneForAll : spacing.size();
  List list;
  for (const int64_t d : GradientDims(call, self, dims, count, edge_order))
    list.push_back(EvenGradient(self, d, spacing[one_for_all ? 0 : list.size()], edge_order));
  return list;
}
List UnevenGradients(Call call, const Tensor& self, TensorList spacing, std::optional<IntSpan> dims,
                     int64_t edge_order) {
  List list;
  for (const int64_t d : GradientDims(call, self, dims, spacing.size(), edge_order))
    list.push_back(UnevenGradient(call, self, d, spacing[list.size()], edge_order));
  return list;
}
// A dimension, if there is one, as a list of it.
std::optional<IntSpan> ListOf(const std::optional<int64_t>& dim) {
  if (!dim) return std::nullopt;
  return IntSpan(&*dim, 1);
}

List GradientScalarInt(Call call, const Tensor& self, const std::optional<Scalar>& spacing,
                       std::optional<int64_t> dim, int64_t edge_order) {
  const Scalar distance = spacing.value_or(Scalar(1));
  return EvenGradients(call, self, {&distance, 1}, ListOf(dim), true, edge_order);
}
List GradientScalarArray(Call call, const Tensor& self, const Scalar& spacing, IntSpan dim,
                         int64_t edge_order) {
  return EvenGradients(call, self, {&spacing, 1}, dim, true, edge_order);
}
List GradientArray(Call call, const Tensor& self, IntSpan dim, int64_t edge_order) {
  return GradientScalarArray(call, self, 1, dim, edge_order);
}
List GradientScalarArrayInt(Call call, const Tensor& self, std::span<const Scalar> spacing,
                            std::optional<int64_t> dim, int64_t edge_order) {
  return EvenGradients(call, self, spacing, ListOf(dim), false, edge_order);
}
List GradientScalarArrayArray(Call call, const Tensor& self, std::span<const Scalar> spacing,
                              IntSpan dim, int64_t edge_order) {
  return EvenGradients(call, self, spacing, dim, false, edge_order);
}
List GradientTensorArrayInt(Call call, const Tensor& self, TensorList spacing,
                            std::optional<int64_t> dim, int64_t edge_order) {
  return UnevenGradients(call, self, spacing, ListOf(dim), edge_order);
}
List GradientTensorArray(Call call, const Tensor& self, TensorList spacing, IntSpan dim,
                         int64_t edge_order) {
  return UnevenGradients(call, self, spacing, dim, edge_order);
}
const Composite gradient_scalarint_body{"gradient.scalarint", GradientScalarInt};
const Composite gradient_scalararray_body{"gradient.scalararray", GradientScalarArray};
const Composite gradient_array_body{"gradient.array", GradientArray};
const Composite gradient_scalarrayint_body{"gradient.scalarrayint", GradientScalarArrayInt};
const Composite gradient_scalarrayarray_body{"gradient.scalarrayarray", GradientScalarArrayArray};
const Composite gradient_tensorarrayint_body{"gradient.tensorarrayint", GradientTensorArrayInt};
const Composite gradient_tensorarray_body{"gradient.tensorarray", GradientTensorArray};

}  // namespace
}  // namespace sy
