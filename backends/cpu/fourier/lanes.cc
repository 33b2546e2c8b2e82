// Fourier transforms for one instruction set: of lines side by side by passes, of one line by its
// split or a convolution; complex ones, and real ones by half as many complex numbers.
#include "backends/cpu/fourier/convolution.h"
#include "backends/cpu/fourier/fourier.h"
#include "backends/cpu/fourier/real.h"
#include "backends/cpu/fourier/side.h"
#include "backends/cpu/fourier/split.h"

namespace sy::cpu::SY_ISA {
namespace {

template <class T>
int64_t Blocks(int64_t n) {
  return (n + kLanesOf<T> - 1) / kLanesOf<T>;
}

// --- Lines side by side.
template <class T>
class ComplexSide final : public Fourier {
 public:
  ComplexSide(int64_t n, bool backward)
      : Fourier(kLanesOf<T>), n_(n), backward_(backward), passes_(n) {}
  int64_t bytes() const override { return passes_.bytes(); }
  int64_t room(int /*threads*/) const override {
    return 2 * n_ * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& /*threads*/) const override {
    Cx<T>*const a = static_cast<Cx<T>*>(room), *const b = a + n_;
    SideOf<T>(x, 2).Load(n_, backward_, a);
    SideOf<T>(y, 2).Store(n_, backward_, static_cast<T>(scale), passes_.Run(a, b, a));
  }

 private:
  const int64_t n_;
  const bool backward_;
  const Passes<T> passes_;
};

// An odd number of real ones: as complex ones.
template <class T>
class OddSide final : public Fourier {
 public:
  OddSide(int64_t n, bool to_real) : Fourier(kLanesOf<T>), n_(n), to_real_(to_real), passes_(n) {}
  int64_t bytes() const override { return passes_.bytes(); }
  int64_t room(int /*threads*/) const override {
    return 2 * n_ * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& /*threads*/) const override {
    Cx<T>*const a = static_cast<Cx<T>*>(room), *const b = a + n_;
    const T by = static_cast<T>(scale);
    if (!to_real_) {
      SideOf<T>(x, 1).LoadReal(n_, a);
      return SideOf<T>(y, 2).Store(n_ / 2 + 1, false, by, passes_.Run(a, b, a));
    }
    // Of numbers whose other half is their conjugate, the forward transform is the backward one
    // of their conjugates.
    SideOf<T>(x, 2).Load(n_ / 2 + 1, false, a);
    a[0].im = Raw<T>{};
    for (int64_t k = 1; 2 * k < n_; ++k) {
      a[n_ - k] = a[k];
      a[k] = Conj(a[k]);
    }
    SideOf<T>(y, 1).StoreReal(n_, by, passes_.Run(a, b, a));
  }

 private:
  const int64_t n_;
  const bool to_real_;
  const Passes<T> passes_;
};

template <class T>
class EvenSide final : public Fourier {
 public:
  EvenSide(int64_t n, bool to_real)
      : Fourier(kLanesOf<T>), n_(n), to_real_(to_real), passes_(n / 2), halves_(n) {}
  int64_t bytes() const override { return passes_.bytes() + halves_.bytes(); }
  int64_t room(int /*threads*/) const override {
    return (n_ + 2) * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& /*threads*/) const override {
    Cx<T>*const a = static_cast<Cx<T>*>(room), *const b = a + n_ / 2 + 1;
    const T by = static_cast<T>(scale);
    if (to_real_) {
      SideOf<T>(x, 2).Load(n_ / 2 + 1, false, b);
      halves_.Join(b, a);
      for (int64_t k = 0; k < n_ / 2; ++k) a[k] = Exchanged(a[k], true);
      return SideOf<T>(y, 1).StorePairs(n_, true, by, passes_.Run(a, b, a));
    }
    SideOf<T>(x, 1).LoadPairs(n_, a);
    Cx<T>* const sums = const_cast<Cx<T>*>(passes_.Run(a, b, a));
    halves_.Split(sums, sums);
    SideOf<T>(y, 2).Store(n_ / 2 + 1, false, by, sums);
  }

 private:
  const int64_t n_;
  const bool to_real_;
  const Passes<T> passes_;
  const Halves<T> halves_;
};

// --- One line, whose numbers lie one after the other in memory, or else in room.
template <class T>
T* Together(const FourierLines& line, int parts, T* room) {
  return line.stride == 1 ? static_cast<T*>(line.data) + parts * line.first[0] : room;
}
template <class T>
void Gather(const FourierLines& line, int parts, int64_t n, T* to) {
  const T* const from = static_cast<const T*>(line.data) + parts * line.first[0];
  if (from == to) return;
  for (int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < parts; ++k) to[parts * i + k] = from[parts * i * line.stride + k];
  }
}
template <class T>
void Scatter(const FourierLines& line, int parts, int64_t n, const T* from) {
  T* const to = static_cast<T*>(line.data) + parts * line.first[0];
  if (from == to) return;
  for (int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < parts; ++k) to[parts * i * line.stride + k] = from[parts * i + k];
  }
}

// kTransform: Split or Convolution, made of Lengths.
template <class T>
Split<T> MakeOne(int64_t n, const Split<T>*) {
  const int64_t rows = FourierRows(n, kLanesOf<T>);
  return Split<T>(rows, n / rows);
}
template <class T>
Convolution<T> MakeOne(int64_t n, const Convolution<T>*) {
  return Convolution<T>(n);
}
template <class One>
One MakeOne(int64_t n) {
  return MakeOne(n, static_cast<const One*>(nullptr));
}

template <class T, class One>
class ComplexLine final : public Fourier {
 public:
  ComplexLine(int64_t n, bool backward)
      : Fourier(1), n_(n), backward_(backward), one_(MakeOne<One>(n)) {}
  int64_t bytes() const override { return one_.bytes(); }
  int64_t room(int threads) const override {
    return (Blocks<T>(n_) + one_.room(threads)) * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& threads) const override {
    T* const between = static_cast<T*>(room);
    Cx<T>* const more = static_cast<Cx<T>*>(room) + Blocks<T>(n_);
    T *const from = Together(x, 2, between), *const to = Together(y, 2, between);
    Gather(x, 2, n_, from);
    one_.Run(from, to, more, {static_cast<T>(scale), backward_, y.stream && to != between},
             threads);
    Scatter(y, 2, n_, to);
  }

 private:
  const int64_t n_;
  const bool backward_;
  const One one_;
};

template <class T, class One>
class OddLine final : public Fourier {
 public:
  OddLine(int64_t n, bool to_real) : Fourier(1), n_(n), to_real_(to_real), one_(MakeOne<One>(n)) {}
  int64_t bytes() const override { return one_.bytes(); }
  int64_t room(int threads) const override {
    return (Blocks<T>(n_) + one_.room(threads)) * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& threads) const override {
    T* const a = static_cast<T*>(room);
    Cx<T>* const more = static_cast<Cx<T>*>(room) + Blocks<T>(n_);
    const T by = static_cast<T>(scale);
    if (!to_real_) {
      const T* const from = static_cast<const T*>(x.data) + x.first[0];
      for (int64_t i = 0; i < n_; ++i) {
        a[2 * i] = from[i * x.stride];
        a[2 * i + 1] = 0;
      }
      one_.Run(a, a, more, {by, false}, threads);
      T* const to = static_cast<T*>(y.data) + 2 * y.first[0];
      for (int64_t k = 0; k <= n_ / 2; ++k) {
        to[2 * k * y.stride] = a[2 * k];
        to[2 * k * y.stride + 1] = a[2 * k + 1];
      }
      return;
    }
    const T* const from = static_cast<const T*>(x.data) + 2 * x.first[0];
    a[0] = from[0];
    a[1] = 0;
    for (int64_t k = 1; 2 * k < n_; ++k) {
      const T re = from[2 * k * x.stride], im = from[2 * k * x.stride + 1];
      a[2 * k] = a[2 * (n_ - k)] = re;
      a[2 * k + 1] = im;
      a[2 * (n_ - k) + 1] = -im;
    }
    one_.Run(a, a, more, {by, true}, threads);
    T* const to = static_cast<T*>(y.data) + y.first[0];
    for (int64_t i = 0; i < n_; ++i) to[i * y.stride] = a[2 * i];
  }

 private:
  const int64_t n_;
  const bool to_real_;
  const One one_;
};

template <class T, class One>
class EvenLine final : public Fourier {
 public:
  EvenLine(int64_t n, bool to_real)
      : Fourier(1), n_(n), to_real_(to_real), one_(MakeOne<One>(n / 2)), halves_(n) {}
  int64_t bytes() const override { return one_.bytes() + halves_.bytes(); }
  int64_t room(int threads) const override {
    return (Blocks<T>(n_ / 2 + 1) + one_.room(threads)) * static_cast<int64_t>(sizeof(Cx<T>));
  }
  void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
           const FourierThreads& threads) const override {
    T* const between = static_cast<T*>(room);
    Cx<T>* const more = static_cast<Cx<T>*>(room) + Blocks<T>(n_ / 2 + 1);
    const T by = static_cast<T>(scale);
    if (!to_real_) {
      T *const from = Together(x, 1, between), *const to = Together(y, 2, between);
      Gather(x, 1, n_, from);
      one_.Run(from, between, more, {}, threads);  // where a register begins, unlike y perhaps
      halves_.Split(between, to, by);
      return Scatter(y, 2, n_ / 2 + 1, to);
    }
    T *const from = Together(x, 2, between), *const to = Together(y, 1, between);
    Gather(x, 2, n_ / 2 + 1, from);
    halves_.Join(from, between);
    one_.Run(between, to, more, {by, true}, threads);
    Scatter(y, 1, n_, to);
  }

 private:
  const int64_t n_;
  const bool to_real_;
  const One one_;
  const Halves<T> halves_;
};

template <class T, class One>
Fourier* MakeLine(FourierKind kind, int64_t n) {
  const bool back = kind == FourierKind::kBackward || kind == FourierKind::kToReal;
  if (kind == FourierKind::kForward || kind == FourierKind::kBackward)
    return new ComplexLine<T, One>(n, back);
  if (n % 2 != 0) return new OddLine<T, One>(n, back);
  return new EvenLine<T, One>(n, back);
}
template <class T>
Fourier* MakeOf(FourierKind kind, int64_t n, bool one_line) {
  const bool complex = kind == FourierKind::kForward || kind == FourierKind::kBackward;
  const bool back = kind == FourierKind::kBackward || kind == FourierKind::kToReal;
  if (one_line) {
    return IsDirect(complex || n % 2 != 0 ? n : n / 2) ? MakeLine<T, Split<T>>(kind, n)
                                                       : MakeLine<T, Convolution<T>>(kind, n);
  }
  if (complex) return new ComplexSide<T>(n, back);
  if (n % 2 != 0) return new OddSide<T>(n, back);
  return new EvenSide<T>(n, back);
}
Fourier* Make(FourierKind kind, int64_t n, bool is_double, bool one_line) {
  return is_double ? MakeOf<double>(kind, n, one_line) : MakeOf<float>(kind, n, one_line);
}

}  // namespace

extern constinit const FourierOfIsa fourier = {{kLanesOf<float>, kLanesOf<double>}, Make};

}  // namespace sy::cpu::SY_ISA
