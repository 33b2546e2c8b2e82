// Lines side by side: how they are gathered from memory and put back, kLanes of them, or fewer, of
// which the last one stands for those that are missing.
//
//   SideOf<float>(lines, 2).Load(n, false, numbers);
//   SideOf<float>(lines, 2).Store(n, false, scale, numbers);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_SIDE_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_SIDE_H_

#include "backends/cpu/fourier/fourier.h"
#include "backends/cpu/fourier/numbers.h"

namespace sy::cpu::SY_ISA {

template <class T>
class SideOf {
 public:
  static constexpr int kLanes = kLanesOf<T>;

  // parts: of an element, 1 of a real number and 2 of a complex one.
  SideOf(const FourierLines& lines, int parts)
      : data_(static_cast<T*>(lines.data)), stride_(parts * lines.stride), count_(lines.count) {
    beside_ = true;
    for (int64_t l = 0, at = 0; l < kLanes; ++l) {
      if (l < count_) at = parts * lines.first[l];
      first_[l] = at;
      if (l < count_ && at != first_[0] + parts * l) beside_ = false;
    }
  }

  // Complex numbers, on the way with their parts exchanged or not.
  void Load(int64_t n, bool exchange, Cx<T>* to) const {
    if (beside_ && count_ > 1) {
      for (int64_t i = 0; i < n; ++i) to[i] = Exchanged(LoadTogether(At(0, i), count_), exchange);
    } else if (stride_ == 2) {
      ForSquares(n, [&](int64_t i, int64_t left) { LoadSquare(i, left, exchange, to + i); });
    } else {
      for (int64_t i = 0; i < n; ++i) {
        T re[kLanes], im[kLanes];
        for (int l = 0; l < kLanes; ++l) {
          re[l] = At(l, i)[0];
          im[l] = At(l, i)[1];
        }
        to[i] = Exchanged(Cx<T>{LoadRaw<Raw<T>>(re), LoadRaw<Raw<T>>(im)}, exchange);
      }
    }
  }
  void Store(int64_t n, bool exchange, T scale, const Cx<T>* from) const {
    if (beside_ && count_ > 1) {
      for (int64_t i = 0; i < n; ++i)
        StoreTogether(At(0, i), Scaled(Exchanged(from[i], exchange), scale), count_);
    } else if (stride_ == 2) {
      ForSquares(n,
                 [&](int64_t i, int64_t left) { StoreSquare(i, left, exchange, scale, from + i); });
    } else {
      for (int64_t i = 0; i < n; ++i) {
        const Cx<T> x = Scaled(Exchanged(from[i], exchange), scale);
        for (int64_t l = 0; l < count_; ++l) {
          At(l, i)[0] = x.re[l];
          At(l, i)[1] = x.im[l];
        }
      }
    }
  }

  // Real numbers, each by itself; or an even number of them, of which two become a complex one.
  void LoadReal(int64_t n, Cx<T>* to) const {
    for (int64_t i = 0; i < n; ++i) to[i] = {LoadOne(i), Raw<T>{}};
  }
  void StoreReal(int64_t n, T scale, const Cx<T>* from) const {
    for (int64_t i = 0; i < n; ++i) StoreOne(i, from[i].re * scale);
  }
  void LoadPairs(int64_t n, Cx<T>* to) const {
    if (stride_ == 1) return AsPairs().Load(n / 2, false, to);
    for (int64_t i = 0; i < n; i += 2) to[i / 2] = {LoadOne(i), LoadOne(i + 1)};
  }
  void StorePairs(int64_t n, bool exchange, T scale, const Cx<T>* from) const {
    if (stride_ == 1) return AsPairs().Store(n / 2, exchange, scale, from);
    for (int64_t i = 0; i < n; i += 2) {
      const Cx<T> x = Scaled(Exchanged(from[i / 2], exchange), scale);
      StoreOne(i, x.re);
      StoreOne(i + 1, x.im);
    }
  }

 private:
  T* At(int64_t line, int64_t i) const { return data_ + first_[line] + i * stride_; }
  // Elements of a line that lie together.
  SideOf AsPairs() const {
    SideOf pairs = *this;
    pairs.stride_ = 2;
    pairs.beside_ = false;
    return pairs;
  }

  // f(i, left): kLanes numbers from the i-th on, or the `left` that there are of a short line. The
  // last ones may come twice.
  template <class F>
  SY_FN static void ForSquares(int64_t n, F f) {
    if (n < kLanes) return f(0, n);
    for (int64_t i = 0; i < n; i += kLanes) f(i + kLanes <= n ? i : n - kLanes, kLanes);
  }
  void LoadSquare(int64_t i, int64_t left, bool exchange, Cx<T>* to) const {
    Square<T> square;
    for (int l = 0; l < kLanes; ++l) {
      const Cx<T> x = Exchanged(LoadTogether(At(l, i), left), exchange);
      square.re[l] = x.re;
      square.im[l] = x.im;
    }
    Transpose(square.re);
    Transpose(square.im);
    for (int k = 0; k < kLanes && k < left; ++k) to[k] = {square.re[k], square.im[k]};
  }
  void StoreSquare(int64_t i, int64_t left, bool exchange, T scale, const Cx<T>* from) const {
    Square<T> square;
    for (int k = 0; k < kLanes; ++k) {
      const Cx<T> x = Scaled(Exchanged(from[k < left ? k : 0], exchange), scale);
      square.re[k] = x.re;
      square.im[k] = x.im;
    }
    Transpose(square.re);
    Transpose(square.im);
    for (int64_t l = 0; l < count_; ++l)
      StoreTogether(At(l, i), Cx<T>{square.re[l], square.im[l]}, left);
  }

  Raw<T> LoadOne(int64_t i) const {
    if (beside_ && count_ == kLanes) return LoadRaw<Raw<T>>(At(0, i));
    T x[kLanes];
    for (int l = 0; l < kLanes; ++l) x[l] = *At(l, i);
    return LoadRaw<Raw<T>>(x);
  }
  void StoreOne(int64_t i, Raw<T> x) const {
    if (beside_ && count_ == kLanes) return StoreRaw(At(0, i), x);
    for (int64_t l = 0; l < count_; ++l) *At(l, i) = x[l];
  }

  T* const data_;
  int64_t stride_, count_;
  int64_t first_[kLanes];  // in parts, as stride_
  bool beside_;            // each line begins where the one before does, one element on
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_SIDE_H_
