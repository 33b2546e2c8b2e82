// Source of what is combined how: ATen/native/cpu/ScatterGatherKernel.cpp; 16-bit floats are
// combined in float and rounded once.
#include <memory>

#include "backends/cpu/kernels/element_loops.h"
#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/positions.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kReduceTypes =
    kIntegerTypes | kWideUnsignedTypes | kFloatingTypes | kComplexTypes | Bit(DType::kBool);

int64_t CheckedDim(Call call, const Tensor& out, int64_t dim, const Tensor& index) {
  dim = WrapDim(dim, out.dim());
  RequirePositions(call, index, dim, out.dim() == 0 ? 1 : out.sizes()[dim]);
  return dim;
}

// Calls store(out element, source offset) for each element of the index. src: undefined for
// numbers.
template <class T, class F>
void ForEachPlace(T* out, const Tensor& shape, int64_t dim, const Tensor& index, const Tensor& src,
                  F store) {
  if (index.numel() == 0) return;  // then it is of any dtype
  VisitDType<Mask(DType::kInt64, DType::kInt32)>(index.dtype(), [&](auto tag) {
    const auto* positions = index.data<typename decltype(tag)::type>();
    ForEachRun(index, dim, shape, src, /*keep_order=*/true, [=](const Run& r) {
      const auto* at = positions + r.index;
      T* to = out + r.moved;
      for (int64_t j = 0; j < r.size; ++j) {
        store(to[j * r.moved_stride + at[j * r.index_stride] * r.dim_stride],
              r.beside + j * r.beside_stride);
      }
    });
  });
}

void ScatterSrc(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                const Tensor& src) {
  dim = CheckedDim(call, out, dim, index);
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    const U* from = static_cast<const U*>(src.data());
    ForEachPlace(static_cast<U*>(out.data()), out, dim, index, src,
                 [from](U& place, int64_t at) { place = from[at]; });
  });
}

void ScatterValue(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                  const Scalar& value) {
  dim = CheckedDim(call, out, dim, index);
  VisitDType<kAllTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T number = value.To<T>();
    ForEachPlace(out.data<T>(), out, dim, index, Tensor(),
                 [number](T& place, int64_t) { place = number; });
  });
}

template <class T>
SY_INLINE T Combine(T a, T b, bool multiply) {
  if constexpr (std::is_same_v<T, bool>) {
    return multiply ? a && b : a || b;
  } else if constexpr (std::is_integral_v<T>) {  // wraps around
    const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<T>(multiply ? x * y : x + y);
  } else {
    return multiply ? a * b : a + b;
  }
}

template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// out holds T, and is combined in place; source(offset) gives what is combined with it.
template <class T, class F>
void Reduce(const Tensor& out, int64_t dim, const Tensor& index, const Tensor& src, bool multiply,
            F source) {
  if constexpr (!kIsHalf<T>) {
    ForEachPlace(out.data<T>(), out, dim, index, src,
                 [=](T& place, int64_t at) { place = Combine(place, source(at), multiply); });
  } else {
    // In float, over the whole extent of out, whatever its strides.
    const int64_t extent = StorageExtent(out.sizes(), out.strides());
    const std::unique_ptr<float[]> wide(new float[static_cast<size_t>(extent)]);
    T* narrow = out.data<T>();
    Outer<1> all;
    for (int64_t d = out.dim() - 1; d >= 0; --d) all.Add(out.sizes()[d], {out.strides()[d]});
    all.ForEach(0, all.count(),
                [&](const int64_t(&at)[1]) { wide[at[0]] = static_cast<float>(narrow[at[0]]); });
    ForEachPlace(wide.get(), out, dim, index, src, [=](float& place, int64_t at) {
      place = Combine(place, static_cast<float>(source(at)), multiply);
    });
    all.ForEach(0, all.count(), [&](const int64_t(&at)[1]) { narrow[at[0]] = T(wide[at[0]]); });
  }
}

void ScatterReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                   const Tensor& src, std::string_view reduce) {
  dim = CheckedDim(call, out, dim, index);
  VisitDType<kReduceTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = src.data<T>();
    Reduce<T>(out, dim, index, src, reduce == "multiply", [from](int64_t at) { return from[at]; });
  });
}

void ScatterValueReduce(Call call, const Tensor& out, const Tensor&, int64_t dim,
                        const Tensor& index, const Scalar& value, std::string_view reduce) {
  dim = CheckedDim(call, out, dim, index);
  VisitDType<kReduceTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    Reduce<T>(out, dim, index, Tensor(), reduce == "multiply",
              [number = value.To<T>()](int64_t) { return number; });
  });
}

const Kernel src_kernel{"scatter.src", "cpu", kAnyDType, ScatterSrc};
const Kernel value_kernel{"scatter.value", "cpu", kAllTypes, ScatterValue};
const Kernel reduce_kernel{"scatter.reduce", "cpu", kReduceTypes, ScatterReduce};
const Kernel value_reduce_kernel{"scatter.value_reduce", "cpu", kReduceTypes, ScatterValueReduce};

}  // namespace
}  // namespace sy::cpu
