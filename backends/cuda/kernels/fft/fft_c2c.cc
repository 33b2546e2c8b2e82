// Fourier transforms by cuFFT, over up to three dimensions at once. Where tensors do not lie as the
// library describes them (one step between transforms, each dimension a multiple of the next), it
// works on copies that do.
#include <algorithm>
#include <vector>

#include "backends/cuda/driver/cufft.h"
#include "backends/cuda/engine/pointwise.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

using Dims = std::vector<int64_t>;

enum class Kind { kComplex, kFromReal, kToReal };

cufftType TypeOf(Kind kind, DType complex) {
  const bool wide = complex == DType::kComplex128;
  return kind == Kind::kComplex    ? wide ? CUFFT_Z2Z : CUFFT_C2C
         : kind == Kind::kFromReal ? wide ? CUFFT_D2Z : CUFFT_R2C
         : wide                    ? CUFFT_Z2D
                                   : CUFFT_C2R;
}

// The dimensions of t but those that are transformed and those of one element, as they lie from the
// outside in.
Dims OthersOf(const Tensor& t, const Dims& transformed) {
  Dims others;
  for (int64_t d = 0; d < t.dim(); ++d) {
    const bool other = std::find(transformed.begin(), transformed.end(), d) == transformed.end();
    if (other && t.sizes()[d] > 1) others.push_back(d);
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](int64_t a, int64_t b) { return t.strides()[a] > t.strides()[b]; });
  return others;
}

// One side of a transform; false: the library has no words for it.
bool Describe(const Tensor& t, const Dims& others, const Dims& transformed,
              FourierShape::Side& side) {
  const IntSpan sizes = t.sizes(), strides = t.strides();
  // Real numbers too must be aligned as complex ones are.
  const uintptr_t pair = 2 * ItemSize(RealType(t.dtype()));
  if (reinterpret_cast<uintptr_t>(t.data()) % pair != 0) return false;
  side = {{1, 1, 1}, strides[transformed.back()], 1};
  if (side.stride < 1) return false;
  side.embed[0] = sizes[transformed[0]];
  for (size_t k = transformed.size() - 1; k > 0; --k) {
    const int64_t outside = strides[transformed[k - 1]], inside = strides[transformed[k]];
    side.embed[k] = outside / inside;
    if (outside % inside != 0 || side.embed[k] < sizes[transformed[k]]) return false;
  }
  if (others.empty()) return true;
  side.dist = strides[others.back()];
  if (side.dist < 1) return false;
  for (size_t k = others.size() - 1; k > 0; --k) {
    if (strides[others[k - 1]] != strides[others[k]] * sizes[others[k]]) return false;
  }
  return true;
}
// Uninitialised, of t's sizes, with `transformed` innermost.
Tensor Room(const Tensor& t, const Dims& others, const Dims& transformed) {
  Dims strides(t.sizes().size(), 1);
  int64_t stride = 1;
  for (const Dims* dims : {&transformed, &others}) {
    for (auto d = dims->rbegin(); d != dims->rend(); ++d) {
      strides[*d] = stride;
      stride *= t.sizes()[*d];
    }
  }
  return Tensor::EmptyStrided(t.sizes(), strides, t.dtype(), t.device());
}

// to = from's transform, unscaled, over dims, of which the last is the one that has half of the
// elements where one side is real. from is lost if `to` is real.
void TransformOnce(Call call, Kind kind, const Tensor& to, const Tensor& from, const Dims& dims,
                   bool forward) {
  const Dims others = OthersOf(to, dims);
  const Tensor& real = kind == Kind::kToReal ? to : from;
  FourierShape shape{};
  shape.type = TypeOf(kind, kind == Kind::kToReal ? from.dtype() : to.dtype());
  shape.rank = static_cast<int>(dims.size());
  shape.batch = 1;
  for (size_t k = 0; k < dims.size(); ++k) shape.sizes[k] = real.sizes()[dims[k]];
  for (const int64_t d : others) shape.batch *= to.sizes()[d];
  Tensor in = from, out = to;
  if (!Describe(out, others, dims, shape.out)) {
    out = Room(to, others, dims);
    Describe(out, others, dims, shape.out);
  }
  if (!Describe(in, others, dims, shape.in)) {
    in = Room(from, others, dims);
    CopyElements(call, in, from);
    Describe(in, others, dims, shape.in);
  }
  RunFourier(call.op(), StreamOf(call.key), shape, in.data(), out.data(), forward);
  if (out.data() != to.data()) CopyElements(call, to, out);
}

// The dimensions that are more than one element long, as they lie in t.
Dims Several(const Tensor& t, IntSpan dims) {
  Dims several;
  for (const int64_t d : dims) {
    if (t.size(d) > 1) several.push_back(d);
  }
  std::stable_sort(several.begin(), several.end(),
                   [&](int64_t a, int64_t b) { return t.strides()[a] > t.strides()[b]; });
  return several;
}
// Complex to complex, the innermost dimensions first.
void Transform(Call call, const Tensor& to, const Tensor& from, IntSpan over, bool forward) {
  Dims dims = Several(to, over);
  if (dims.empty() && to.data() != from.data()) CopyElements(call, to, from);
  for (const Tensor* source = &from; !dims.empty(); source = &to) {
    const auto turn = dims.end() - std::min<ptrdiff_t>(kMaxFourierRank, std::ssize(dims));
    TransformOnce(call, Kind::kComplex, to, *source, Dims(turn, dims.end()), forward);
    dims.erase(turn, dims.end());
  }
}

// to = t times a number. to may be t.
void Scale(Call call, const Tensor& to, const Tensor& t, double by) {
  if (by == 1) {
    if (to.data() != t.data()) CopyElements(call, to, t);
    return;
  }
  const Tensor scale = NumberTensor(Scalar(by));
  RunFormula(call, kFormula<f::Mul>, to, {&t, &scale});
}

void C2c(Call call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool forward) {
  if (out.numel() == 0) return;
  Transform(call, out, self, dim, forward);
  Scale(call, out, out, FourierScale(normalization, self, dim));
}

void R2c(Call call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         bool onesided) {
  if (out.numel() == 0) return;
  if (!onesided || self.size(dim.back()) == 1) {
    CopyElements(call, out, self);
    Transform(call, out, out, dim, true);
  } else {
    // The last dimension, with those nearest to it in memory.
    Dims others = Several(out, dim.first(dim.size() - 1));
    const auto near = others.end() - std::min<ptrdiff_t>(kMaxFourierRank - 1, std::ssize(others));
    Dims with_last(near, others.end());
    with_last.push_back(dim.back());
    others.erase(near, others.end());
    TransformOnce(call, Kind::kFromReal, out, self, with_last, true);
    Transform(call, out, out, others, true);
  }
  Scale(call, out, out, FourierScale(normalization, self, dim));
}

// t, at element i of dim, becomes real.
void DropImaginary(Call call, const Tensor& t, int64_t dim, int64_t i) {
  Dims sizes(t.sizes().begin(), t.sizes().end());
  sizes[dim] = 1;
  const Tensor slice = t.AsStrided(sizes, t.strides(), t.storage_offset() + i * t.strides()[dim]);
  const Tensor real = Tensor::Empty(sizes, RealType(t.dtype()), t.device());
  CopyElements(call, real, slice);
  CopyElements(call, slice, real);
}
// Along the last dimension at the end and by itself: over several at once the library takes the
// symmetry of all for granted, and uses either half. On a copy, which it writes to.
void C2r(Call call, const Tensor& out, const Tensor& self, IntSpan dim, int64_t normalization,
         int64_t last_dim_size) {
  if (out.numel() == 0) return;
  const int64_t last = dim.back();
  Dims sizes(self.sizes().begin(), self.sizes().end());
  sizes[last] = last_dim_size / 2 + 1;
  const Tensor half = self.AsStrided(sizes, self.strides(), self.storage_offset());
  const Dims others = Several(half, dim.first(dim.size() - 1));
  Tensor work = half;
  if (!others.empty()) {
    work = Room(half, OthersOf(half, others), others);
    Transform(call, work, half, others, false);
  }
  const double scale = FourierScale(normalization, out, dim);
  if (last_dim_size == 1) return Scale(call, out, work, scale);  // the real parts
  const Tensor ready = Room(half, OthersOf(out, {last}), {last});
  Scale(call, ready, work, scale);
  // Source: torch.fft.irfft, for what is left out.
  DropImaginary(call, ready, last, 0);
  if (last_dim_size % 2 == 0) DropImaginary(call, ready, last, last_dim_size / 2);
  TransformOnce(call, Kind::kToReal, out, ready, {last}, false);
}

const Kernel c2c_kernel{"_fft_c2c", "cuda", kComplexTypes, C2c};
const Kernel r2c_kernel{"_fft_r2c", "cuda", kComplexTypes, R2c};
const Kernel c2r_kernel{"_fft_c2r", "cuda", kComplexTypes, C2r};

}  // namespace
}  // namespace sy::cuda
