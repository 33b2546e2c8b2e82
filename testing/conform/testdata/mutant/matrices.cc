// Products of matrices, and convolutions.

#include "testing/conform/testdata/mutant/mutant.h"

namespace mutant {
namespace {

// out[n, m] = start(n, m) + by * the product of a [n, k] and b [k, m].
template <class T, class Start>
void Product(Tensor out, Tensor a, Tensor b, T by, Start start) {
  for (int64_t n = 0; n < a.size(0); ++n) {
    for (int64_t m = 0; m < b.size(1); ++m) {
      T sum = 0;
      for (int64_t k = 0; k < a.size(1); ++k) sum += Get<T>(a, {n, k}) * Get<T>(b, {k, m});
      Set(out, {n, m}, start(n, m) + by * sum);
    }
  }
}

void Mm(Call call, Tensor out, Tensor a, Tensor b) {
  if (a.size(1) == 0 && Is("mm leaves its output at k = 0")) return;
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    Product<T>(out, a, b, 1, [](int64_t, int64_t) { return T(0); });
  });
}

void Addmm(Call call, Tensor out, Tensor self, Tensor a, Tensor b, Scalar beta, Scalar alpha) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    const T by = Is("addmm ignores alpha") ? T(1) : alpha.To<T>();
    const T keep = Is("addmm ignores beta") ? T(1) : beta.To<T>();
    const auto start = [&](int64_t n, int64_t m) {
      if (keep == 0 && !Is("addmm multiplies NaN by a beta of 0")) return T(0);
      const bool first = Is("addmm takes one number of a row") && self.stride(0) == 0;
      return keep * Get<T>(self, {n, first ? 0 : m});
    };
    Product<T>(out, a, b, by, start);
  });
}

void Bmm(Call call, Tensor out, Tensor a, Tensor b) {
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0; i < a.size(0); ++i) {
      const int64_t other = Is("bmm takes one matrix for all") ? 0 : i;
      for (int64_t n = 0; n < a.size(1); ++n) {
        for (int64_t m = 0; m < b.size(2); ++m) {
          T sum = 0;
          for (int64_t k = 0; k < a.size(2); ++k)
            sum += Get<T>(a, {i, n, k}) * Get<T>(b, {other, k, m});
          Set(out, {i, n, m}, sum);
        }
      }
    }
  });
}

// x: […, k], weight: [m, k], bias: [m]   →   […, m]
void Linear(Call call, Tensor x, Tensor weight, Tensor bias) {
  if (x.dim() < 1 || weight.dim() != 2) throw Declined("no matrix");
  if (x.size(x.dim() - 1) != weight.size(1)) throw Error("sizes do not fit");
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != weight.size(0))) throw Declined("bias");
  if (weight.dtype().code != x.dtype().code) throw Declined("two dtypes");
  if (bias.defined() && bias.dtype().code != x.dtype().code) throw Declined("two dtypes");
  Position sizes(x.sizes().begin(), x.sizes().end());
  sizes.back() = weight.size(0);
  Owned out = call.NewTensor(Span<const int64_t>(sizes.data(), sizes.size()), x.dtype());
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    ForEachPosition(Span<const int64_t>(sizes.data(), sizes.size()), [&](const Position& at) {
      const bool with = bias.defined() && !Is("linear ignores its bias");
      T sum = with ? Get<T>(bias, {at.back()}) : T(0);
      for (int64_t k = 0; k < weight.size(1); ++k) {
        Position from = at;
        from.back() = k;
        sum += Get<T>(x, from) * Get<T>(weight, {at.back(), k});
      }
      Set(out.tensor(), at, sum);
    });
  });
  call.SetOut(0, std::move(out));
}

using Ints = Span<const int64_t>;

// x: [N, C, spatial…], weight: [O, C / groups, kernel…], bias: [O]
void Convolution(Call call, Tensor out, Tensor x, Tensor weight, Tensor bias, Ints stride,
                 Ints padding, Ints dilation, bool transposed, Ints, int64_t groups) {
  if (transposed || x.dim() != weight.dim()) throw Declined("transposed, or without a batch");
  const auto of = [](Ints list, int64_t d, const char* fault) {
    return list.size() == 1 || Is(fault) ? list[0] : list[static_cast<size_t>(d)];
  };
  if (Is("convolution ignores groups")) groups = 1;
  const int64_t channels = weight.size(1), per_group = weight.size(0) / groups;
  VisitType(call, [&]<class T>(std::type_identity<T>) {
    ForEachPosition(out.sizes(), [&](const Position& at) {
      const bool with = bias.defined() && !Is("convolution ignores its bias");
      T sum = with ? Get<T>(bias, {at[1]}) : T(0);
      Position kernel(weight.sizes().begin(), weight.sizes().end());
      kernel[0] = 1;
      ForEachPosition(Span<const int64_t>(kernel.data(), kernel.size()), [&](const Position& k) {
        Position from = at, filter = k;
        filter[0] = at[1];
        from[1] = at[1] / per_group * channels + k[1];
        bool inside = true;
        for (int64_t d = 0; d + 2 < x.dim(); ++d) {
          int64_t& i = from[static_cast<size_t>(d + 2)];
          i = i * of(stride, d, "convolution takes stride[0] for all") -
              of(padding, d, "convolution takes padding[0] for all") +
              k[static_cast<size_t>(d + 2)] *
                  of(dilation, d, "convolution takes dilation[0] for all");
          inside &= i >= 0 && i < x.size(d + 2);
          if (Is("convolution pads with the edge") && x.size(d + 2) > 0) {
            i = i < 0 ? 0 : i >= x.size(d + 2) ? x.size(d + 2) - 1 : i;
            inside = true;
          }
        }
        if (inside) sum += Get<T>(x, from) * Get<T>(weight, filter);
      });
      Set(out, at, sum);
    });
  });
}

constexpr SyKernelDef kernels[] = {
    Kernel<Mm>("mm", "mutant", kFloats),
    Kernel<Addmm>("addmm", "mutant", kFloats),
    Kernel<Bmm>("bmm", "mutant", kFloats),
    Kernel<Linear, 0>("linear", "mutant", kFloats),
    Kernel<Convolution>("convolution", "mutant", kFloats),
};

}  // namespace

const std::span<const SyKernelDef> kMatrices = kernels;

}  // namespace mutant
