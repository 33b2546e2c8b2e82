// Points of the Sobol sequence in the order of Gray codes: point m is the exclusive or of the
// directions at m's set bits. Source: I. A. Antonov and V. M. Saleev, 1979.

#include "ops/random/sobol_composite.h"

#include <bit>
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int64_t kMostPoints = int64_t{1} << kSobolBits;

void Require(Call call, const Tensor& t, std::string_view name, IntSpan sizes) {
  if (t.dtype() == DType::kInt64 && t.sizes().size() == sizes.size() && SameSizes(t.sizes(), sizes))
    return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must be int64 of sizes ", sizes, ", got ", Describe(t)});
}
void RequireDirections(Call call, const Tensor& t, std::string_view name, int64_t dimension) {
  const int64_t sizes[] = {dimension, kSobolBits};
  Require(call, t, name, sizes);
}

void Initialize(Call call, const Tensor& self, int64_t dimension) {
  if (dimension > kMostSobolDimensions) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"dimension must be at most ", kMostSobolDimensions, ", got ", dimension});
  }
  RequireDirections(call, self, "self", dimension);
  const Tensor directions = Tensor::Empty({dimension, kSobolBits}, DType::kInt64);
  SobolDirections(dimension, directions.data<int64_t>());
  copy_(self, directions);
}

// 29, 28, …, 0 along a dimension with so many behind it.
Tensor Shifts(const Tensor& like) {
  return view(arange(kSobolBits - 1, -1, -1, DType::kInt64, ::std::nullopt, like.device()),
              {1, kSobolBits, 1});
}
// Bits of directions as columns, multiplied by lower triangular matrices of bits, modulo 2.
void Scramble(Call call, const Tensor& self, const Tensor& ltm, int64_t dimension) {
  RequireDirections(call, self, "self", dimension);
  const int64_t sizes[] = {dimension, kSobolBits, kSobolBits};
  Require(call, ltm, "ltm", sizes);
  const Tensor matrices = to(ltm, DType::kFloat32, /*non_blocking=*/false, /*copy=*/true);
  fill_(diagonal(matrices, 0, -2, -1), 1);
  const Tensor shifts = Shifts(self);
  const Tensor bits = bitwise_and(bitwise_right_shift(unsqueeze(self, 1), shifts), 1);
  const Tensor products = to(bmm(matrices, to(bits, DType::kFloat32)), DType::kInt64);
  const int64_t rows = 1;
  copy_(self, sum(bitwise_left_shift(bitwise_and(products, 1), shifts), IntSpan(&rows, 1)));
}

void RequirePoints(Call call, const Tensor& quasi, int64_t n, const Tensor& directions,
                   int64_t dimension, int64_t first) {
  Require(call, quasi, "quasi", IntSpan(&dimension, 1));
  RequireDirections(call, directions, "sobolstate", dimension);
  if (n < 0 || first < 0 || first > kMostPoints - n) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"n and num_generated must not be negative, and together at most ", kMostPoints, ", got ",
          n, " and ", first});
  }
}
int64_t Gray(int64_t i) { return i ^ (i >> 1); }

void FastForward(Call call, const Tensor& self, int64_t n, const Tensor& directions,
                 int64_t dimension, int64_t first) {
  RequirePoints(call, self, n, directions, dimension, first);
  const int64_t changed = Gray(first + n) ^ Gray(first);
  for (int bit = 0; bit < kSobolBits; ++bit) {
    if ((changed >> bit & 1) != 0) bitwise_xor_(self, select(directions, 1, bit));
  }
}

::std::tuple<Tensor, Tensor> Draw(Call call, const Tensor& quasi, int64_t n,
                                  const Tensor& directions, int64_t dimension, int64_t first,
                                  Optional<DType> dtype) {
  RequirePoints(call, quasi, n, directions, dimension, first);
  const DType d = dtype.value_or(DType::kFloat32);
  if (d != DType::kFloat32 && d != DType::kFloat64) {
    Fail(ErrorCode::kNotImplemented, call.op(), {"dtype must be float32 or float64, got ", d});
  }
  const Tensor index =
      unsqueeze(arange(first + 1, first + n + 1, DType::kInt64, ::std::nullopt, quasi.device()), 1);
  const Tensor changed =
      bitwise_xor(bitwise_xor(index, bitwise_right_shift(index, 1)), Gray(first));
  Tensor points = clone(expand(quasi, {n, dimension}), MemoryFormat::kContiguous);
  const int used = ::std::bit_width(static_cast<uint64_t>(first + n));
  for (int bit = 0; bit < used && bit < kSobolBits; ++bit) {
    const Tensor has = bitwise_and(bitwise_right_shift(changed, bit), 1);
    bitwise_xor_(points, mul(has, select(directions, 1, bit)));
  }
  const Tensor last = clone(n == 0 ? quasi : select(points, 0, -1));
  return {mul(to(points, d), 1.0 / static_cast<double>(kMostPoints)), last};
}

const Composite initialize_body{"_sobol_engine_initialize_state_", Initialize};
const Composite scramble_body{"_sobol_engine_scramble_", Scramble};
const Composite ff_body{"_sobol_engine_ff_", FastForward};
const Composite draw_body{"_sobol_engine_draw", Draw};

}  // namespace
}  // namespace sy
