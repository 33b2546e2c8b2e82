// Pointwise kernels: a formula for each element, over operands in memory.
//
//   using Op = Elementwise<f::Add, Operand<float>, Operand<float>, Operand<Float16, Float16>>;
//   SY_CUDA_KERNEL(k, FlatArgs, Flat<Op, 4, kFull, kFull, kFull>(args))
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_POINTWISE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_POINTWISE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {

// What an operand's stride along the innermost dimension is.
enum class StrideKind {
  kFull,     // one element after another
  kSame,     // one element for all
  kNumber,   // one that comes with the launch
  kStrided,  // otherwise
};
using enum StrideKind;

// An operand, by its place among the launch's: 0 is the output. Its elements on their way: in
// memory, in the dtype in which operands meet, in the one that is computed.
template <int kAt, StrideKind kKindOf, class MemoryT, class CommonT = MemoryT,
          class LoopT = CommonT>
struct Operand {
  static constexpr int kIndex = kAt;
  static constexpr StrideKind kStrideKind = kKindOf;
  using Memory = MemoryT;
  using Common = CommonT;
  using Loop = LoopT;
  static SY_FN Loop Read(Memory x) { return Convert<Loop>(Convert<Common>(x)); }
  static SY_FN Memory Written(Loop x) { return Convert<Memory>(Convert<Common>(x)); }
};
template <class... In>
struct Inputs {};

template <class F>
concept DiffersOnBool = requires {
  typename F::OnBool;
};
template <class F>
concept DiffersOnComplex = requires {
  typename F::OnComplex;
};
// What the formula is for elements of type T.
template <class F, class T>
struct FormulaOn {
  using Type = F;
};
template <DiffersOnBool F>
struct FormulaOn<F, Bool> {
  using Type = typename F::OnBool;
};
template <DiffersOnComplex F, class T>
struct FormulaOn<F, Pair<T>> {
  using Type = typename F::OnComplex;
};

// The number that an element of type T is for formula F.
template <class F, class T>
SY_FN auto NumberFor(T x) {
  if constexpr (F::kRoundsEachStep && kIsHalf<T>) {
    return Stepwise<T>(Lift(x));
  } else {
    return Lift(x);
  }
}
// The same for a parameter, which is not rounded to T.
template <class F, class T>
SY_FN auto ParamFor(const Immediate& p) {
  using V = decltype(NumberFor<F>(T{}));
  if constexpr (kIsPair<T>) {
    return Lift(At<T>(&p, 0));
  } else {
    using Element = typename V::Element;
    return V(At<Element>(&p, 0));
  }
}

// A formula of the inputs and of kParams numbers that are the same for all elements.
template <class F, int kParams, class OutT, class... InT>
struct Elementwise {
  using Out = OutT;
  using In = Inputs<InT...>;

  // x: the inputs' elements in memory.
  static SY_FN typename Out::Memory Apply(const Immediate* params, typename InT::Memory... x) {
    return With<kParams>(params, Number(InT::Read(x))...);
  }

 private:
  template <class First, class... Rest>
  struct LastOf {
    using Type = typename LastOf<Rest...>::Type;
  };
  template <class Last>
  struct LastOf<Last> {
    using Type = Last;
  };
  using T = typename LastOf<InT...>::Type::Loop;  // the first input may be a condition
  using Formula = typename FormulaOn<F, T>::Type;

  template <int kLeft, class... V>
  static SY_FN typename Out::Memory With(const Immediate* params, V... v) {
    if constexpr (kLeft != 0) {
      return With<kLeft - 1>(params + 1, v..., ParamFor<Formula, T>(params[0]));
    } else {
      return Out::Written(Lower<typename Out::Loop>(Formula()(v...)));
    }
  }
  template <class X>
  static SY_FN auto Number(X x) {
    if constexpr (kSameType<F, f::Where> && kSameType<X, Bool>) {
      return x.bits != 0;
    } else {
      return NumberFor<Formula>(x);
    }
  }
};

// Elements as they are, or converted.
template <class OutT, class InT>
struct Move {
  using Out = OutT;
  using In = Inputs<InT>;
  static SY_FN typename Out::Memory Apply(const Immediate*, typename InT::Memory x) {
    return Convert<typename Out::Memory>(x);
  }
};

// --- Kernels. N: elements that a thread computes, one after another in memory.

template <class I, int N, class Args>
SY_FN Pack<typename I::Memory, N> Load(const Args& args, long long offset) {
  using T = typename I::Memory;
  if constexpr (I::kStrideKind == kFull && N > 1) {
    return At<Pack<T, N>>(args.data[I::kIndex], offset);
  } else {
    const T x = I::kStrideKind == kNumber ? At<T>(&args.inputs[I::kIndex - 1], 0)
                                          : At<T>(args.data[I::kIndex], offset);
    Pack<T, N> all;
    for (int j = 0; j < N; ++j) all.v[j] = x;
    return all;
  }
}
template <class Op, int N, class Args, class... P>
SY_FN void Compute(const Args& args, long long offset, P... in) {
  using T = typename Op::Out::Memory;
  Pack<T, N> r;
#pragma unroll
  for (int j = 0; j < N; ++j) r.v[j] = Op::Apply(args.params, in.v[j]...);
  At<Pack<T, N>>(args.data[0], offset) = r;
}

template <class I>
SY_FN long long FlatOffset(long long i) {
  return I::kStrideKind == kFull ? i * static_cast<long long>(sizeof(typename I::Memory)) : 0;
}
template <class Op, int N, class... In>
SY_FN void RunFlat(const FlatArgs& args, Inputs<In...>) {
  long long i = ThreadIndex() * N;
  if (i + N <= args.n) {
    Compute<Op, N>(args, FlatOffset<typename Op::Out>(i), Load<In, N>(args, FlatOffset<In>(i))...);
    return;
  }
  for (; i < args.n; ++i)
    Compute<Op, 1>(args, FlatOffset<typename Op::Out>(i), Load<In, 1>(args, FlatOffset<In>(i))...);
}
template <class Op, int N>
SY_FN void Flat(const FlatArgs& args) {
  RunFlat<Op, N>(args, typename Op::In());
}

template <class Op, int N, class Index, class... In>
SY_FN void RunStrided(const StridedArgs& args, Inputs<In...>) {
  const long long i = ThreadIndex();
  if (i >= args.space.n) return;
  const Offsets<sizeof...(In) + 1, Index> at(i, args.space);
  Compute<Op, N>(args, at.of[0], Load<In, N>(args, at.of[In::kIndex])...);
}
template <class Op, int N, class Index>
SY_FN void Strided(const StridedArgs& args) {
  RunStrided<Op, N, Index>(args, typename Op::In());
}

// The same of two dimensions, a block's threads along a row: no position is divided into two. Rows
// go by blockIdx.y, and on by as many as there are.
template <class I, int N>
SY_FN long long ColumnOffset(const Space& space, long long i) {
  constexpr long long kWidth = static_cast<long long>(N * sizeof(typename I::Memory));
  return I::kStrideKind == kFull      ? i * kWidth
         : I::kStrideKind == kStrided ? i * space.strides[I::kIndex][0]
                                      : 0;
}
template <class Op, int N, class... In>
SY_FN void RunRows(const StridedArgs& args, Inputs<In...>) {
  const Space& space = args.space;
  const long long i = ThreadIndex();
  if (i >= space.sizes[0]) return;
  const auto at = [&](int k, long long column, long long row) {
    return column + row * space.strides[k][1];
  };
  for (long long row = blockIdx.y; row < space.sizes[1]; row += gridDim.y) {
    Compute<Op, N>(args, at(0, ColumnOffset<typename Op::Out, N>(space, i), row),
                   Load<In, N>(args, at(In::kIndex, ColumnOffset<In, N>(space, i), row))...);
  }
}
template <class Op, int N>
SY_FN void Rows(const StridedArgs& args) {
  RunRows<Op, N>(args, typename Op::In());
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_POINTWISE_H_
