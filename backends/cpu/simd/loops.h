// Loops over vectors: a formula applied to contiguous memory.
//
//   Pointwise<f::Add, Io<float>, Io<float>, Io<float>>::Run   a Loop (engine/loop.h)
//
// Whole vectors; the last one ends where the operands do and overlaps the one before it. It is
// computed first, while an operand that is also the output still holds its values, and stored
// last. Fewer elements than a vector has: one by one, or, where a scalar could differ in its last
// bit, through a vector too, so that a result does not depend on where an element lies.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_LOOPS_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_LOOPS_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/vec.h"

namespace sy::cpu::SY_ISA {

// A number that is the same for all elements of type T, in the type that they are computed in.
template <class T>
struct Param {
  using V = typename Io<T>::V;
  using S = typename Io<T>::S;
  using Element = typename V::Element;
  static constexpr size_t kBytes = 0;
  static SY_FN V Load(const void* p, size_t) { return V(*At<Element>(p, 0)); }
  static SY_FN S LoadOne(const void* p, size_t) { return S(*At<Element>(p, 0)); }
  static SY_FN void StoreOne(void* p, size_t, S s) { *At<Element>(p, 0) = Bare(s); }

 private:
  static SY_FN Element Bare(Element x) { return x; }
  template <class N>
  static SY_FN Element Bare(N x) {
    return Bare(x.v);
  }
};
template <class T>
struct Param<Complex<T>> {
  using V = Complex<Vec<T>>;
  using S = Complex<Num<T>>;
  static constexpr size_t kBytes = 0;
  static SY_FN V Load(const void* p, size_t) {
    return {Vec<T>(*At<T>(p, 0)), Vec<T>(*At<T>(p, 1))};
  }
  static SY_FN S LoadOne(const void* p, size_t) { return Io<Complex<T>>::LoadOne(p, 0); }
  static SY_FN void StoreOne(void* p, size_t, S s) { Io<Complex<T>>::StoreOne(p, 0, s); }
};

template <class Op, class Out, class... In>
struct Pointwise {
  static constexpr size_t kLanes = Out::kLanes;
  static constexpr bool kScalarOnly =
      Op::kScalarOnly || (Op::kScalarUnlessFloat && !(kSameType<typename Out::S, Num<float>> ||
                                                      kSameType<typename Out::S, Num<double>>));

  static void Run(void* const* p, size_t n, unsigned mode) {
    const bool stream = Out::kStreams && (mode & kStream) != 0;
    if constexpr (Op::kLong) {
      Spread(p, n, mode, stream, MakeIndices<sizeof...(In)>());
    } else {
      if (stream) [[unlikely]]
        return RunStreamed(p, n, mode);
      Spread(p, n, mode, false, MakeIndices<sizeof...(In)>());
    }
  }

 private:
  // By itself: small calls need not save the registers that it takes.
  static __attribute__((noinline)) void RunStreamed(void* const* p, size_t n, unsigned mode) {
    Spread(p, n, mode, true, MakeIndices<sizeof...(In)>());
  }

  // At the pace of slow formulas, of results narrower than what they are computed in, and of
  // results that go around the cache, the processor does not always foresee what is read.
  static constexpr bool kFetchesInputs = Op::kLong || kLanes * Out::kBytes < SY_VECTOR_BYTES;
  static constexpr size_t kAhead = 2048;  // bytes

  // An input: element i is that at i & mask.
  template <class I>
  struct Operand {
    const void* p;
    size_t mask;
    SY_FN typename I::V Load(size_t i) const { return I::Load(p, i & mask); }
    SY_FN typename I::S LoadOne(size_t i) const { return I::LoadOne(p, i & mask); }
    SY_FN bool is_uniform() const { return mask == 0; }
    SY_FN void Prefetch(size_t i) const {
      __builtin_prefetch(At<char>(p, (i & mask) * I::kBytes + kAhead));
    }
  };
  // One that is the same for all elements, loaded once.
  template <class I>
  struct Constant {
    typename I::V v;
    SY_FN typename I::V Load(size_t) const { return v; }
    SY_FN void Prefetch(size_t) const {}
  };
  template <class I>
  static SY_FN Constant<I> Once(Operand<I> o) {
    return {o.Load(0)};
  }

  template <int... kI>
  static SY_FN void Spread(void* const* p, size_t n, unsigned mode, bool stream, Indices<kI...>) {
    Go(n, stream, p[0], Operand<In>{p[1 + kI], size_t{(mode >> (1 + kI)) & 1} - 1}...);
  }

  template <class... P>
  static SY_FN void Go(size_t n, bool stream, void* out, P... in) {
    if constexpr (!kScalarOnly) {
      if (n >= kLanes) return AtLeastOneVector(n, stream, out, in...);
      if constexpr (Op::kTranscendental) {
        if (n > 0) ThroughVector(n, out, Copy(in, n)...);
        return;
      }
    }
    for (size_t i = 0; i < n; ++i) Out::StoreOne(out, i, Op()(in.LoadOne(i)...));
  }

  template <class... P>
  static SY_FN void AtLeastOneVector(size_t n, bool stream, void* out, P... in) {
    Vectors(n, stream, out, in...);
  }
  // Of an operand and two numbers, as of clamp: what depends on the numbers alone is computed once.
  template <class A, class B, class C>
  static SY_FN void AtLeastOneVector(size_t n, bool stream, void* out, A a, B b, C c) {
    if constexpr (!Op::kLong) {
      if (b.is_uniform() && c.is_uniform()) return Vectors(n, stream, out, a, Once(b), Once(c));
    }
    Vectors(n, stream, out, a, b, c);
  }

  template <class... P>
  static SY_FN void Vectors(size_t n, bool stream, void* out, P... in) {
    const size_t last = n - kLanes;
    if constexpr (
        Op::kLong) {  // one copy of the formula's code: the first round is the last vector's
      typename Out::V at_last;
      bool first = true;
      size_t i = last;
      do {
        const typename Out::V r = Op()(in.Load(i)...);
        (in.Prefetch(i), ...);
        if (first) {
          at_last = r;
          first = false;
          i = 0;
        } else {
          StoreVector(out, i, stream, r);
          i += kLanes;
        }
      } while (i < last);
      Out::Store(out, last, at_last);
    } else {
      const typename Out::V at_last = Op()(in.Load(last)...);
      for (size_t i = 0; i < last; i += kLanes) {
        if (kFetchesInputs || stream) (in.Prefetch(i), ...);
        StoreVector(out, i, stream, Op()(in.Load(i)...));
      }
      Out::Store(out, last, at_last);
    }
  }

  static SY_FN void StoreVector(void* out, size_t i, bool stream, typename Out::V r) {
    if constexpr (Out::kStreams) {
      if (stream) return Out::Stream(out, i, r);
    }
    // The processor foresees what is read better than what is written.
    __builtin_prefetch(At<char>(out, i * Out::kBytes + kAhead), 1);
    Out::Store(out, i, r);
  }

  // k elements, repeated to fill a vector. All operands have the same element type here.
  struct Buffer {
    alignas(SY_VECTOR_BYTES) unsigned char bytes[2 * SY_VECTOR_BYTES];
  };
  template <class I>
  static SY_FN Buffer Copy(Operand<I> in, size_t k) {
    Buffer b;
    for (size_t j = 0; j < kLanes; ++j) I::StoreOne(b.bytes, j, in.LoadOne(j < k ? j : 0));
    return b;
  }
  template <class... B>
  static SY_FN void ThroughVector(size_t k, void* out, B... in) {
    Buffer r;
    Out::Store(r.bytes, 0, Op()(In::Load(in.bytes, 0)...));
    for (size_t j = 0; j < k; ++j) Out::StoreOne(out, j, Out::LoadOne(r.bytes, j));
  }
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_LOOPS_H_
