// Fourier transforms for one instruction set: KISS FFT over numbers that are as many doubles as a
// register holds, a line each. Long lines are split into short ones that lie side by side; lengths
// that the library takes long for go through a convolution.
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 3.3 (the
// split), 4.2.3 (the convolution).
#include <cmath>
#include <kissfft/kissfft.hh>
#include <memory>
#include <numbers>

#include "backends/cpu/fourier/fourier.h"
#include "switchyard/backends/cpu/engine/helpers.h"
#include "switchyard/backends/cpu/simd/io.h"

// The library's lists of factors, which are of no instruction set: fourier.cc has their functions.
extern template class std::vector<std::size_t>;
#ifdef __GLIBCXX__
extern template struct std::_Vector_base<std::size_t, std::allocator<std::size_t>>;
#endif

namespace sy::cpu::SY_ISA {
namespace {

constexpr int kLanes = Vec<double>::kLanes;

// kN doubles, as a number for the library.
template <int kN>
struct Number {
  Raw<double, kN> v;
  SY_FN Number() : v{} {}
  SY_FN Number(Raw<double, kN> r) : v(r) {}             // NOLINT(google-explicit-constructor)
  SY_FN Number(double x) : v(x - Raw<double, kN>{}) {}  // NOLINT(google-explicit-constructor)
  SY_FN operator double() const { return v[0]; }        // NOLINT(google-explicit-constructor)
  SY_FN Number& operator+=(Number b) { return *this = *this + b; }
  SY_FN Number& operator-=(Number b) { return *this = *this - b; }
  SY_FN Number& operator*=(Number b) { return *this = *this * b; }
  friend SY_FN Number operator+(Number a, Number b) { return a.v + b.v; }
  friend SY_FN Number operator-(Number a, Number b) { return a.v - b.v; }
  friend SY_FN Number operator*(Number a, Number b) { return a.v * b.v; }
  friend SY_FN Number operator-(Number a) { return -a.v; }
  // For the library's table, of which all lanes are the same.
  friend SY_FN Number operator*(size_t a, Number b) { return static_cast<double>(a) * b.v; }
  friend SY_FN Number operator/(Number a, size_t b) { return a.v / static_cast<double>(b); }
  friend Number cos(Number a) { return std::cos(a.v[0]); }
  friend Number sin(Number a) { return std::sin(a.v[0]); }
  friend Number exp(Number a) { return std::exp(a.v[0]); }
};
template <int kN>
using Cx = std::complex<Number<kN>>;

template <int kN>
SY_FN Cx<kN> Conj(Cx<kN> x) {
  return {x.real(), -x.imag()};
}
// x times what all lanes are multiplied by.
template <int kN>
SY_FN Cx<kN> Times(Cx<kN> x, Cx<1> r) {
  const Number<kN> re(r.real().v[0]), im(r.imag().v[0]);
  return {x.real() * re - x.imag() * im, x.real() * im + x.imag() * re};
}
// exp(-2 pi j e / n)
Cx<1> Root(int64_t e, int64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(e) / static_cast<double>(n);
  return {Number<1>(std::cos(angle)), Number<1>(std::sin(angle))};
}

template <int kN>
using Array = std::vector<Cx<kN>>;
template <int kN>
SY_FN Cx<kN>* As(double* p) {
  return reinterpret_cast<Cx<kN>*>(p);
}
// Doubles that `count` numbers take, kept aligned.
template <int kN>
int64_t RoomFor(int64_t count) {
  return (2 * kN * count + kRegisterDoubles - 1) / kRegisterDoubles * kRegisterDoubles;
}

// One line of n = rows * columns elements: its columns are transformed, multiplied by roots, and
// their rows are transformed; kLanes at once.
class Split {
 public:
  Split(int64_t rows, int64_t columns)
      : rows_(rows),
        columns_(columns),
        pitch_((rows + kLanes - 1) / kLanes * kLanes + kLanes),
        fine_(static_cast<int64_t>(std::sqrt(static_cast<double>(rows))) + 1),
        down_(static_cast<size_t>(rows), false),
        across_(static_cast<size_t>(columns), false) {
    const int64_t n = rows * columns, coarse = (rows + fine_ - 1) / fine_;
    for (int64_t first = 0; first < columns; first += kLanes) {
      for (int64_t i = 0; i < fine_; ++i) roots_.push_back(Roots(first, i, n));
      for (int64_t i = 0; i < coarse; ++i) roots_.push_back(Roots(first, i * fine_, n));
    }
  }
  int64_t bytes() const {
    return static_cast<int64_t>(roots_.size() + rows_ + columns_) * sizeof(Cx<kLanes>);
  }
  int64_t room() const { return 2 * Line() + 2 * pitch_ * columns_; }

  void Run(const double* x, double* y, double* room) {
    Cx<kLanes>*const a = As<kLanes>(room), *const b = As<kLanes>(room + Line());
    double* const between = room + 2 * Line();  // [columns, 2, pitch]: real and imaginary parts
    Columns(x, a, b, between);
    Rows(between, y, a, b);
  }

 private:
  int64_t Line() const { return RoomFor<kLanes>(rows_ > columns_ ? rows_ : columns_); }
  static int64_t Least(int64_t a, int64_t b) { return a < b ? a : b; }
  // The root for row `row` of kLanes columns.
  Cx<kLanes> Roots(int64_t first, int64_t row, int64_t n) const {
    Raw<double> re{}, im{};
    for (int j = 0; j < kLanes && first + j < columns_; ++j) {
      const Cx<1> root = Root((first + j) * row, n);
      re[j] = root.real().v[0];
      im[j] = root.imag().v[0];
    }
    return {re, im};
  }

  void Columns(const double* x, Cx<kLanes>* a, Cx<kLanes>* b, double* between) {
    const Cx<kLanes>* roots = roots_.data();
    const int64_t coarse = (rows_ + fine_ - 1) / fine_;
    for (int64_t first = 0; first < columns_; first += kLanes) {
      const int64_t count = Least(kLanes, columns_ - first);
      for (int64_t i = 0; i < rows_; ++i) a[i] = LoadLanes(x + 2 * (i * columns_ + first), count);
      down_.transform(a, b);
      for (int64_t i = 0; i < rows_;) {
        const Cx<kLanes> root = roots[fine_ + i / fine_];
        for (int64_t k = 0; k < fine_ && i < rows_; ++k, ++i) b[i] *= root * roots[k];
      }
      roots += fine_ + coarse;
      constexpr ptrdiff_t kStride = sizeof(Cx<kLanes>);
      for (int part = 0; part < 2; ++part) {
        helpers.transpose[SizeIndex(sizeof(double))](
            between + (2 * first + part) * pitch_, 2 * pitch_ * ptrdiff_t{sizeof(double)},
            reinterpret_cast<const double*>(b) + part * kLanes, kStride, rows_, count);
      }
    }
  }
  void Rows(double* between, double* y, Cx<kLanes>* a, Cx<kLanes>* b) {
    for (int64_t first = 0; first < rows_; first += kLanes) {
      const int64_t count = Least(kLanes, rows_ - first);
      for (int64_t i = 0; i < columns_; ++i) {
        const double* const p = between + 2 * i * pitch_ + first;
        a[i] = {Number<kLanes>(LoadRaw<Raw<double>>(p)),
                Number<kLanes>(LoadRaw<Raw<double>>(p + pitch_))};
      }
      across_.transform(a, b);
      for (int64_t i = 0; i < columns_; ++i) StoreLanes(b[i], y + 2 * (i * rows_ + first), count);
    }
  }
  // Between numbers one after the other and side by side.
  static SY_FN Cx<kLanes> LoadLanes(const double* p, int64_t count) {
    if (count == kLanes) {
      const auto v = Io<Complex<double>>::Load(p, 0);
      return {Number<kLanes>(v.re.v), Number<kLanes>(v.im.v)};
    }
    Raw<double> re{}, im{};
    for (int64_t j = 0; j < count; ++j) {
      re[j] = p[2 * j];
      im[j] = p[2 * j + 1];
    }
    return {Number<kLanes>(re), Number<kLanes>(im)};
  }
  static SY_FN void StoreLanes(Cx<kLanes> x, double* p, int64_t count) {
    if (count == kLanes)
      return Io<Complex<double>>::Store(p, 0, {Vec<double>(x.real().v), Vec<double>(x.imag().v)});
    for (int64_t j = 0; j < count; ++j) {
      p[2 * j] = x.real().v[j];
      p[2 * j + 1] = x.imag().v[j];
    }
  }

  const int64_t rows_, columns_, pitch_, fine_;
  kissfft<Number<kLanes>> down_, across_;
  Array<kLanes> roots_;  // [columns / kLanes, fine + coarse]: of rows 0 …, and of every fine-th
};

// Forward, of n numbers.
template <int kN>
class Transform {
 public:
  explicit Transform(int64_t n) : n_(n) {
    if (const int64_t rows = kN == 1 ? RowsOfSplit(n) : 0; rows > 0) {
      split_.reset(new Split(rows, n / rows));
    } else if (IsDirect(n)) {
      library_.reset(new kissfft<Number<kN>>(static_cast<size_t>(n), false));
    } else {
      MakeConvolution();
    }
  }
  int64_t bytes() const {
    if (split_) return split_->bytes();
    if (library_) return n_ * sizeof(Cx<kN>);
    return static_cast<int64_t>(chirp_.size() + response_.size()) * sizeof(Cx<1>) +
           convolution_->bytes();
  }
  int64_t room() const {
    if (split_) return split_->room();
    if (library_) return 0;
    return 2 * RoomFor<kN>(Length()) + convolution_->room();
  }
  // Apart.
  void Run(Cx<kN>* x, Cx<kN>* y, double* room) {
    if (split_) {
      split_->Run(reinterpret_cast<double*>(x), reinterpret_cast<double*>(y), room);
    } else if (library_) {
      library_->transform(x, y);
    } else {
      RunConvolution(x, y, room);
    }
  }

 private:
  int64_t Length() const { return static_cast<int64_t>(response_.size()); }
  // k i = (k^2 + i^2 - (k - i)^2) / 2.
  void MakeConvolution() {
    const int64_t length = ConvolutionLength(n_);
    // k^2 modulo 2 n, by what it grows by: squares would not fit.
    for (int64_t k = 0, square = 0; k < n_; ++k) {
      chirp_.push_back(Root(square, 2 * n_));
      square = (square + 2 * k + 1) % (2 * n_);
    }
    const Number<1> scale(1 / static_cast<double>(length));
    response_.resize(static_cast<size_t>(length));
    for (int64_t k = 0; k < n_; ++k) {
      response_[k] = {scale * chirp_[k].real(), -scale * chirp_[k].imag()};
      if (k > 0) response_[length - k] = response_[k];
    }
    Transform<1> transform(length);
    Array<1> inverse = response_;
    Array<kLanes> room(static_cast<size_t>(transform.room() / kLanes + 1));
    transform.Run(inverse.data(), response_.data(), reinterpret_cast<double*>(room.data()));
    convolution_.reset(new Transform(length));
  }
  void RunConvolution(const Cx<kN>* x, Cx<kN>* y, double* room) {
    const int64_t length = Length();
    Cx<kN>*const a = As<kN>(room), *const b = As<kN>(room + RoomFor<kN>(length));
    double* const more = room + 2 * RoomFor<kN>(length);
    for (int64_t i = 0; i < n_; ++i) a[i] = Times(x[i], chirp_[i]);
    for (int64_t i = n_; i < length; ++i) a[i] = Cx<kN>();
    convolution_->Run(a, b, more);
    // Conjugated, so that the next transform is the inverse.
    for (int64_t i = 0; i < length; ++i) b[i] = Conj(Times(b[i], response_[i]));
    convolution_->Run(b, a, more);
    for (int64_t i = 0; i < n_; ++i) y[i] = Times(Conj(a[i]), chirp_[i]);
  }

  const int64_t n_;
  std::unique_ptr<Split> split_;
  std::unique_ptr<kissfft<Number<kN>>> library_;
  std::unique_ptr<Transform> convolution_;
  Array<1> chirp_, response_;  // exp(-pi j k^2 / n); the transform of its inverse, over length
};

// The first n / 2 + 1 elements of the forward transforms of n real numbers.
template <int kN>
class RealTransform {
 public:
  explicit RealTransform(int64_t n)
      : n_(n), halved_(n % 2 == 0 && IsDirect(n / 2)), transform_(halved_ ? n / 2 : n) {
    for (int64_t k = 0; halved_ && 4 * k <= n; ++k) roots_.push_back(Root(k, n));
  }
  int64_t bytes() const {
    return transform_.bytes() + static_cast<int64_t>(roots_.size() * sizeof(Cx<1>));
  }
  int64_t room() const { return transform_.room() + (halved_ ? 0 : 2 * RoomFor<kN>(n_)); }
  // x: n numbers, lost; y: n / 2 + 1.
  void Run(Number<kN>* x, Cx<kN>* y, double* room) {
    if (halved_) return RunHalved(x, y, room);
    Cx<kN>*const wide = As<kN>(room), *const sums = As<kN>(room + RoomFor<kN>(n_));
    for (int64_t i = 0; i < n_; ++i) wide[i] = x[i];
    transform_.Run(wide, sums, room + 2 * RoomFor<kN>(n_));
    for (int64_t k = 0; k <= n_ / 2; ++k) y[k] = sums[k];
  }

 private:
  // Pairs as complex numbers: z's transform is that of the even ones plus j times that of the odd.
  void RunHalved(Number<kN>* x, Cx<kN>* y, double* room) {
    const int64_t half = n_ / 2;
    transform_.Run(reinterpret_cast<Cx<kN>*>(x), y, room);
    const Cx<kN> first = y[0];
    y[0] = first.real() + first.imag();
    y[half] = first.real() - first.imag();
    const Number<kN> by(0.5);
    for (int64_t k = 1; 2 * k <= half; ++k) {
      const Cx<kN> a = y[k], b = Conj(y[half - k]);
      const Cx<kN> even{by * (a.real() + b.real()), by * (a.imag() + b.imag())};
      const Cx<kN> odd{by * (a.imag() - b.imag()), by * (b.real() - a.real())};
      const Cx<kN> turned = Times(odd, roots_[k]);
      y[k] = even + turned;
      y[half - k] = Conj(even - turned);
    }
  }

  const int64_t n_;
  const bool halved_;
  Transform<kN> transform_;
  Array<1> roots_;  // exp(-2 pi j k / n), k <= n / 4
};

// --- What the interface says. Numbers of memory alternate real and imaginary parts; kLanes lines
// side by side become one Number.
template <int kN>
SY_FN Cx<kN> LoadSide(const double* p) {
  if constexpr (kN == 1) {
    return {p[0], p[1]};
  } else {
    const auto v = Io<Complex<double>>::Load(p, 0);
    return {Number<kN>(v.re.v), Number<kN>(v.im.v)};
  }
}
template <int kN>
SY_FN void StoreSide(double* p, Cx<kN> x) {
  if constexpr (kN == 1) {
    p[0] = x.real();
    p[1] = x.imag();
  } else {
    Io<Complex<double>>::Store(p, 0, {Vec<double>(x.real().v), Vec<double>(x.imag().v)});
  }
}

// y's `count` Numbers, each f of itself and scaled, as memory has them.
template <int kN, class F>
void StoreScaled(double* y, int64_t count, double scale, F f) {
  const Number<kN> by(scale);
  for (int64_t k = 0; k < count; ++k) {
    const Cx<kN> value = f(As<kN>(y)[k]);
    StoreSide<kN>(y + 2 * kN * k, {value.real() * by, value.imag() * by});
  }
}

// A backward transform is a forward one with real and imaginary parts exchanged.
template <int kN>
class ComplexFourier final : public Fourier {
 public:
  ComplexFourier(int64_t n, bool backward) : n_(n), backward_(backward), transform_(n) {}
  int64_t bytes() const override { return transform_.bytes(); }
  int64_t room() const override { return transform_.room(); }
  void Run(double* x, double* y, double* room, double scale) override {
    if (kN > 1 || backward_) {
      for (int64_t i = 0; i < n_; ++i) As<kN>(x)[i] = Turned(LoadSide<kN>(x + 2 * kN * i));
    }
    transform_.Run(As<kN>(x), As<kN>(y), room);
    if (kN == 1 && !backward_ && scale == 1) return;
    StoreScaled<kN>(y, n_, scale, [this](Cx<kN> value) { return Turned(value); });
  }

 private:
  SY_FN Cx<kN> Turned(Cx<kN> x) const { return backward_ ? Cx<kN>(x.imag(), x.real()) : x; }
  const int64_t n_;
  const bool backward_;
  Transform<kN> transform_;
};

template <int kN>
class FromReal final : public Fourier {
 public:
  explicit FromReal(int64_t n) : half_(n / 2 + 1), transform_(n) {}
  int64_t bytes() const override { return transform_.bytes(); }
  int64_t room() const override { return transform_.room(); }
  void Run(double* x, double* y, double* room, double scale) override {
    transform_.Run(reinterpret_cast<Number<kN>*>(x), As<kN>(y), room);
    StoreScaled<kN>(y, half_, scale, [](Cx<kN> value) { return value; });
  }

 private:
  const int64_t half_;
  RealTransform<kN> transform_;
};

// The backward transform of x, whose other half is its conjugate, is real + imaginary part of the
// forward one of the real numbers that are real + imaginary part of x.
// Source: R. N. Bracewell, Discrete Hartley transform, J. Opt. Soc. Am. 73 (1983) 1832.
template <int kN>
class ToReal final : public Fourier {
 public:
  explicit ToReal(int64_t n) : n_(n), transform_(n) {}
  int64_t bytes() const override { return transform_.bytes(); }
  int64_t room() const override { return transform_.room(); }
  void Run(double* x, double* y, double* room, double scale) override {
    auto* const real = reinterpret_cast<Number<kN>*>(y);
    const Number<kN> by(scale);
    for (int64_t k = 0; 2 * k <= n_; ++k) {
      const Cx<kN> value = LoadSide<kN>(x + 2 * kN * k);
      const bool alone = k == 0 || 2 * k == n_;
      real[k] = by * (alone ? value.real() : value.real() + value.imag());
      if (!alone) real[n_ - k] = by * (value.real() - value.imag());
    }
    transform_.Run(real, As<kN>(x), room);
    real[0] = As<kN>(x)[0].real();
    for (int64_t k = 1; 2 * k <= n_; ++k) {
      const Cx<kN> value = As<kN>(x)[k];
      real[n_ - k] = value.real() - value.imag();
      real[k] = value.real() + value.imag();
    }
  }

 private:
  const int64_t n_;
  RealTransform<kN> transform_;
};

template <int kN>
Fourier* MakeSide(FourierKind kind, int64_t n) {
  switch (kind) {
    case FourierKind::kFromReal:
      return new FromReal<kN>(n);
    case FourierKind::kToReal:
      return new ToReal<kN>(n);
    default:
      return new ComplexFourier<kN>(n, kind == FourierKind::kBackward);
  }
}
Fourier* Make(FourierKind kind, int64_t n, bool one_line) {
  return one_line ? MakeSide<1>(kind, n) : MakeSide<kLanes>(kind, n);
}

}  // namespace

extern constinit const FourierOfIsa fourier = {kLanes, Make};

}  // namespace sy::cpu::SY_ISA
