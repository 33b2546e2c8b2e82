// Loops of optimisers' steps, for one instruction set.

#include "switchyard/backends/cpu/engine/optimizer.h"

#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/math.h"

namespace sy::cpu::SY_ISA {
namespace {

// Elements from i on, as many as a V has. load(at, i) and store(at, i, v) move them.
template <class Op, class V, class Load, class Store>
SY_FN void StepAt(void* const* data, size_t i, const double* scale, const f::StepNumbers& k,
                  Load load, Store store) {
  const V none(typename V::Element(0));
  V p = load(data[0], i), g = load(data[1], i);
  V a = data[2] != nullptr ? load(data[2], i) : none;
  V b = data[3] != nullptr ? load(data[3], i) : none;
  V c = data[4] != nullptr ? load(data[4], i) : none;
  if (scale != nullptr) {
    g = g / f::NumberOf<V>(*scale);
    store(data[1], i, g);
  }
  Op::Run(p, g, a, b, c, k);
  store(data[0], i, p);
  if (data[2] != nullptr) store(data[2], i, a);
  if (data[3] != nullptr) store(data[3], i, b);
  if (data[4] != nullptr) store(data[4], i, c);
}

template <class T>
struct Steps {
  using I = Io<T>;
  using V = typename I::V;
  using S = typename I::S;

  template <class Op>
  static void Run(void* const* data, size_t n, const double* scale, const f::StepNumbers& numbers) {
    const f::StepNumbers k = numbers;
    size_t i = 0;
    for (; i + I::kLanes <= n; i += I::kLanes) {
      StepAt<Op, V>(
          data, i, scale, k, [](const void* p, size_t at) { return I::Load(p, at); },
          [](void* p, size_t at, V v) { I::Store(p, at, v); });
    }
    for (; i < n; ++i) {
      StepAt<Op, S>(
          data, i, scale, k, [](const void* p, size_t at) { return I::LoadOne(p, at); },
          [](void* p, size_t at, S s) { I::StoreOne(p, at, s); });
    }
  }

  static bool Unscale(void* data, size_t n, double scale) {
    const V by = f::NumberOf<V>(scale);
    V found(typename V::Element(0));
    size_t i = 0;
    for (; i + I::kLanes <= n; i += I::kLanes) {
      const V x = I::Load(data, i);
      found = found + f::NanUnlessFinite(x);
      I::Store(data, i, x * by);
    }
    S last(typename V::Element(0));
    for (; i < n; ++i) {
      const S x = I::LoadOne(data, i);
      last = last + f::NanUnlessFinite(x);
      I::StoreOne(data, i, x * f::NumberOf<S>(scale));
    }
    bool any = isnan(last);
    for (size_t j = 0; j < I::kLanes; ++j) any |= found.v[j] != found.v[j];
    return any;
  }

  static constexpr StepLoops kLoops = {&Run<f::SgdStep>, &Run<f::AdamStep>, &Run<f::AdagradStep>,
                                       &Unscale};
};

}  // namespace

extern constexpr StepTable steps = {Steps<Float16>::kLoops, Steps<BFloat16>::kLoops,
                                    Steps<float>::kLoops, Steps<double>::kLoops};

}  // namespace sy::cpu::SY_ISA
