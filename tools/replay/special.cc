#include "tools/replay/special.h"

#include <algorithm>
#include <array>

namespace sy::replay {
namespace {

struct Kind {
  std::string_view name;  // without overload and the '_' of in-place forms, or the full name
  Comparison comparison;
  std::string_view draws_if = {};  // the argument that is 0 when no numbers are drawn
  DTypeMask of = kAnyDType;        // the first argument's dtype, if it is a tensor
};

constexpr std::array kKinds = {
    Kind{"empty", Comparison::kMetadata},
    Kind{"empty_like", Comparison::kMetadata},
    Kind{"empty_permuted", Comparison::kMetadata},
    Kind{"empty_strided", Comparison::kMetadata},
    Kind{"new_empty", Comparison::kMetadata},
    Kind{"new_empty_strided", Comparison::kMetadata},
    // PyTorch resizes a view of out= and then gives the first element's loss.
    Kind{"binary_cross_entropy.out", Comparison::kMetadata},
    // PyTorch leaves out= as it was where one dimension is transformed.
    Kind{"fft_ihfft2.out", Comparison::kMetadata},
    Kind{"fft_ihfftn.out", Comparison::kMetadata},
    // PyTorch's is broken for 16-bit numbers: of the unit matrix it is -20896 times that matrix.
    Kind{"matrix_exp", Comparison::kMetadata, {}, kHalfTypes},
    Kind{"topk", Comparison::kTies},
    Kind{"kthvalue", Comparison::kTies},
    Kind{"median", Comparison::kTies},
    Kind{"nanmedian", Comparison::kTies},
    Kind{"mode", Comparison::kTies},
    Kind{"linalg_eig", Comparison::kFactorization},
    Kind{"linalg_eigh", Comparison::kFactorization},
    Kind{"linalg_svd", Comparison::kFactorization},
    Kind{"svd", Comparison::kFactorization},
    Kind{"bernoulli", Comparison::kRandom},
    Kind{"cauchy", Comparison::kRandom},
    Kind{"dropout", Comparison::kRandom, "train"},
    Kind{"exponential", Comparison::kRandom},
    Kind{"geometric", Comparison::kRandom},
    Kind{"log_normal", Comparison::kRandom},
    Kind{"multinomial", Comparison::kRandom},
    Kind{"normal", Comparison::kRandom},
    Kind{"rand", Comparison::kRandom},
    Kind{"rand_like", Comparison::kRandom},
    Kind{"randint", Comparison::kRandom},
    Kind{"randint_like", Comparison::kRandom},
    Kind{"randn", Comparison::kRandom},
    Kind{"randn_like", Comparison::kRandom},
    Kind{"random", Comparison::kRandom},
    Kind{"randperm", Comparison::kRandom},
    Kind{"rrelu", Comparison::kRandom, "training"},
    Kind{"scaled_dot_product_attention", Comparison::kRandom, "dropout_p"},
    Kind{"uniform", Comparison::kRandom},
};

struct Wider {
  std::string_view name;
  DTypeMask results;
  Tolerance tolerance;
  bool on_host = true;  // false: only elsewhere
};
constexpr DTypeMask kDoubles = Mask(DType::kFloat64, DType::kComplex128);
constexpr std::array kWider = {
    // PyTorch's polynomials are off by up to 2.5e-7 for magnitudes from 4 to 9 (at 5.4216, J0 is
    // -0.0337813128 and not -0.0337815018).
    Wider{"special_bessel_j0", kDoubles, {0, 5e-7}},
    Wider{"special_bessel_j1", kDoubles, {0, 5e-7}},
    Wider{"special_bessel_y0", kDoubles, {0, 5e-7}},
    Wider{"special_bessel_y1", kDoubles, {0, 5e-7}},
    // A float32 computation stored with out= as float64: float32's tolerance (digamma(0.5) is
    // -1.96351003 and not -1.96351087).
    Wider{"digamma", kDoubles, {1.3e-6, 1e-5}},
    // PyTorch's sum is off by 4e-5 where terms cancel: 3.8543637 for what is 3.8544053; ours is
    // 3.8544037.
    Wider{"baddbmm", Mask(DType::kComplex64), {1.3e-6, 5e-5}},
    // Of vectors with gaps: PyTorch's sums in two cases are what rounding to bfloat16 on the way
    // gives, off by 3 units of the last place of the largest of them.
    Wider{"inner", Mask(DType::kBFloat16), {1.6e-2, 3e-2}},
    // With out=, PyTorch rounds the sum to 16 bits at each of 84 elements.
    Wider{"adaptive_avg_pool3d", Mask(DType::kBFloat16), {3.2e-2, 4e-3}},
    Wider{"adaptive_avg_pool3d", Mask(DType::kFloat16), {4e-3, 2e-3}},
    // PyTorch's is e^(b log a) in float32, whose error grows with |b log a|: 403481.5+1326773.9i
    // for what is 403482.9+1326769.6i.
    Wider{"pow", Mask(DType::kComplex64), {4e-6, 1e-5}, /*on_host=*/false},
    // PyTorch's vectors have no remainder where the quotient overflows float32 (-8.4375 by 2^-126),
    // its numbers one by one have.
    Wider{"fmod", Mask(DType::kBFloat16), {0, 0, /*nan_is_any=*/true}},
    Wider{"remainder", Mask(DType::kBFloat16), {0, 0, /*nan_is_any=*/true}},
    // In float32 PyTorch's is off by 2.3e-6: 60.80986 for what is 60.81000. OpenBLAS's is that with
    // AVX-512, and 60.81009 with AVX2.
    Wider{"linalg_cond", Mask(DType::kFloat32), {4e-6, 1e-5}},
    // A sum of ten products whose parts cancel, 1.36+10.7i, differs by 2.7e-5 from PyTorch's with
    // OpenBLAS's kernel for AVX2.
    Wider{"matmul", Mask(DType::kComplex64), {1.3e-6, 2e-5}},
    // In float32 PyTorch rounds as it squares: off by 2e-6 of the largest element, 9e3 here. Ours
    // is computed in double.
    Wider{"matrix_exp", Mask(DType::kFloat32, DType::kComplex64), {2e-6, 2e-2}},
    // PyTorch rounds sums to bfloat16 between dimensions: 2 units of the last place of a sum of
    // numbers that cancel.
    Wider{"nanmean", Mask(DType::kBFloat16), {3.2e-2, 1e-5}},
};

std::string_view BaseName(std::string_view op) {
  std::string_view name = op.substr(0, op.find('.'));
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

}  // namespace

// ATen's schemas of these predate the notation; their running statistics are written in training.
bool WritesUndeclared(std::string_view op, size_t position) {
  return (op == "native_batch_norm" || op == "batch_norm") && (position == 3 || position == 4);
}

Tolerance LeastTolerance(std::string_view op, DType dtype, Device device) {
  for (const Wider& w : kWider) {
    const bool here = w.on_host || device.type != kHost;
    if (here && w.name == BaseName(op) && Contains(w.results, dtype)) return w.tolerance;
  }
  return {};
}

Comparison ComparisonOf(const OperatorEntry& op, std::span<const Value> args) {
  const std::string_view name = BaseName(op.name());
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) {
    const bool fits =
        args.empty() || args[0].tag != Tag::kTensor || Contains(k.of, args[0].tensor().dtype());
    return fits && (k.name == name || k.name == op.name());
  });
  if (found == kKinds.end()) return Comparison::kValues;
  if (!found->draws_if.empty() && !args.empty()) {
    const int at = op.schema().Find(found->draws_if);
    if (at >= 0 && args[static_cast<size_t>(at)].scalar().To<double>() == 0)
      return Comparison::kValues;
  }
  return found->comparison;
}

}  // namespace sy::replay
