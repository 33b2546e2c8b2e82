// The transform of one long line, as a matrix of rows * columns numbers: its columns are
// transformed, multiplied by roots, and their rows are transformed, kLanes side by side, in several
// threads.
//
//   const Split<float> split(32, 32);
//   split.Run(x, y, room, {scale, exchange}, threads);      // of 1024 numbers one after the other
//
// What lies between the two steps is in blocks, of which each is what a register of rows needs,
// one after the other.
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 3.3.
// Owns: its tables. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_SPLIT_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_SPLIT_H_

#include "backends/cpu/fourier/passes.h"

namespace sy::cpu::SY_ISA {

// How a line is read and written: parts exchanged on both sides, results times `scale`, and around
// the cache where they may.
template <class T>
struct Around {
  T scale = 1;
  bool exchange = false, stream = false;
};

// f(i, thread) for i < n, in as many threads as there may be, each of which has neighbours.
template <class F>
void ForThreads(const FourierThreads& threads, int64_t n, int64_t numbers, F f) {
  constexpr int64_t kGrain = 1 << 14;  // numbers worth a thread
  struct Context {
    const F& f;
    int64_t n, parts;
  };
  const int64_t most = numbers / kGrain < n ? numbers / kGrain : n;
  const Context context{f, n, most < 1 ? 1 : (most < threads.number ? most : threads.number)};
  const auto part = [](void* c, int64_t begin, int64_t end) {
    const Context& context = *static_cast<const Context*>(c);
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t i = context.n * t / context.parts; i < context.n * (t + 1) / context.parts; ++i)
        context.f(i, t);
    }
  };
  if (context.parts == 1) return part(const_cast<Context*>(&context), 0, 1);
  threads.run(context.parts, 1, part, const_cast<Context*>(&context));
}

template <class T>
class Split {
 public:
  static constexpr int64_t kLanes = kLanesOf<T>;

  Split(int64_t rows, int64_t columns)
      : rows_(rows),
        columns_(columns),
        row_blocks_((rows + kLanes - 1) / kLanes),
        column_blocks_((columns + kLanes - 1) / kLanes),
        fine_(rows * columns <= kFewRoots ? rows : RootOfSize(rows)),
        coarse_((rows + fine_ - 1) / fine_),
        down_(rows),
        across_(columns),
        roots_(column_blocks_ * (fine_ + coarse_)) {
    const int64_t n = rows * columns;
    Cx<T>* at = roots_.begin();
    for (int64_t block = 0; block < column_blocks_; ++block) {
      for (int64_t i = 0; i < fine_; ++i) *at++ = Roots(block * kLanes, i, n);
      for (int64_t i = 0; i < coarse_; ++i) *at++ = Roots(block * kLanes, i * fine_, n);
    }
  }
  int64_t bytes() const { return roots_.bytes() + down_.bytes() + across_.bytes(); }
  // In numbers of kLanes lines.
  int64_t room(int threads) const { return row_blocks_ * columns_ + threads * OfThread(); }

  // x and y may be the same; 2 * rows * columns parts of each.
  void Run(const T* x, T* y, Cx<T>* room, Around<T> around, const FourierThreads& threads) const {
    if (rows_ % kLanes != 0 || reinterpret_cast<uintptr_t>(y) % kAlignment != 0)
      around.stream = false;
    Cx<T>* const between = room;
    Cx<T>* const work = room + row_blocks_ * columns_;
    const int64_t n = rows_ * columns_;
    ForThreads(threads, column_blocks_, n, [&](int64_t block, int64_t thread) {
      Columns(x, block, between, work + thread * OfThread(), around.exchange);
    });
    ForThreads(threads, row_blocks_, n, [&](int64_t block, int64_t thread) {
      Rows(between, block, y, work + thread * OfThread(), around);
      if (around.stream && threads.number > 1) StreamFence();  // the caller fences its own thread
    });
  }

 private:
  // Longer lines' roots are products of two: a table of all would come from memory.
  static constexpr int64_t kFewRoots = 1 << 14;

  static int64_t RootOfSize(int64_t n) {
    int64_t root = 1;
    while (root * root < n) ++root;
    return root;
  }
  int64_t OfThread() const { return 2 * (rows_ > columns_ ? rows_ : columns_); }
  // The root for row `row` of kLanes columns.
  Cx<T> Roots(int64_t first, int64_t row, int64_t n) const {
    Cx<T> roots{};
    for (int64_t j = 0; j < kLanes && first + j < columns_; ++j) {
      const Root<T> root = RootOf<T>((first + j) * row, n);
      roots.re[j] = root.re;
      roots.im[j] = root.im;
    }
    return roots;
  }

  // Numbers of one line, with their parts exchanged or not.
  template <bool kExchange>
  struct FromLine {
    const T* x;
    int64_t stride;
    SY_FN Cx<T> operator()(int64_t i) const {
      return Exchanged(LoadTogether(x + 2 * i * stride), kExchange);
    }
  };
  template <bool kExchange, bool kStream>
  struct IntoLine {
    T* y;
    int64_t stride;
    T scale;
    SY_FN void operator()(int64_t i, Cx<T> sum) const {
      const Cx<T> scaled = Scaled(Exchanged(sum, kExchange), scale);
      if constexpr (kStream) {
        StreamTogether(y + 2 * i * stride, scaled);
      } else {
        StoreTogether(y + 2 * i * stride, scaled);
      }
    }
  };

  void Columns(const T* x, int64_t block, Cx<T>* between, Cx<T>* work, bool exchange) const {
    const int64_t first = block * kLanes, left = columns_ - first;
    Cx<T>*const a = work, *const b = work + rows_;
    const Cx<T>* sums;
    if (left < kLanes) {
      for (int64_t i = 0; i < rows_; ++i)
        b[i] = Exchanged(LoadTogether(x + 2 * (i * columns_ + first), left), exchange);
      sums = down_.Run(b, a, b);
    } else if (exchange) {
      sums = down_.RunFrom(FromLine<true>{x + 2 * first, columns_}, a, b);
    } else {
      sums = down_.RunFrom(FromLine<false>{x + 2 * first, columns_}, a, b);
    }
    const Cx<T>* const roots = roots_.begin() + block * (fine_ + coarse_);
    if (coarse_ > 1) {
      Cx<T>* const turned = sums == a ? b : a;
      for (int64_t i = 0, k = 0; i < rows_; ++k) {
        const Cx<T> coarse = roots[fine_ + k];
        for (int64_t j = 0; j < fine_ && i < rows_; ++j, ++i) turned[i] = Times(roots[j], coarse);
      }
      for (int64_t i = 0; i < rows_; i += kLanes)
        Turn(sums + i, turned + i, rows_ - i, between + i / kLanes * columns_ + first, left);
      return;
    }
    for (int64_t i = 0; i < rows_; i += kLanes)
      Turn(sums + i, roots + i, rows_ - i, between + i / kLanes * columns_ + first, left);
  }
  // kLanes rows of kLanes columns, times roots, to columns of rows; fewer at the ends.
  static void Turn(const Cx<T>* sums, const Cx<T>* roots, int64_t rows, Cx<T>* to,
                   int64_t columns) {
    if (rows < kLanes || columns < kLanes) return TurnFew(sums, roots, rows, to, columns);
    Raw<T> square[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) square[i] = Times(sums[i], roots[i]).re;
    Transpose(square);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) to[i].re = square[i];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) square[i] = Times(sums[i], roots[i]).im;
    Transpose(square);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) to[i].im = square[i];
  }
  static void TurnFew(const Cx<T>* sums, const Cx<T>* roots, int64_t rows, Cx<T>* to,
                      int64_t columns) {
    Square<T> square;
    for (int64_t i = 0; i < kLanes; ++i) {
      const Cx<T> sum = i < rows ? Times(sums[i], roots[i]) : Cx<T>{};
      square.re[i] = sum.re;
      square.im[i] = sum.im;
    }
    Transpose(square.re);
    Transpose(square.im);
    for (int64_t i = 0; i < kLanes && i < columns; ++i) to[i] = {square.re[i], square.im[i]};
  }

  void Rows(const Cx<T>* between, int64_t block, T* y, Cx<T>* work, Around<T> around) const {
    const Cx<T>* const numbers = between + block * columns_;
    if ((block + 1) * kLanes > rows_) {
      const Cx<T>* const sums = across_.Run(numbers, work, work + columns_);
      for (int64_t i = 0; i < columns_; ++i) {
        const Cx<T> sum = Scaled(Exchanged(sums[i], around.exchange), around.scale);
        StoreTogether(y + 2 * (i * rows_ + block * kLanes), sum, rows_ - block * kLanes);
      }
    } else if (around.stream) {
      around.exchange ? FullRows<true, true>(numbers, block, y, work, around.scale)
                      : FullRows<false, true>(numbers, block, y, work, around.scale);
    } else {
      around.exchange ? FullRows<true, false>(numbers, block, y, work, around.scale)
                      : FullRows<false, false>(numbers, block, y, work, around.scale);
    }
  }
  template <bool kExchange, bool kStream>
  void FullRows(const Cx<T>* numbers, int64_t block, T* y, Cx<T>* work, T scale) const {
    const IntoLine<kExchange, kStream> out{y + 2 * block * kLanes, rows_, scale};
    across_.RunInto(out, numbers, work, work + columns_);
  }

  const int64_t rows_, columns_;
  const int64_t row_blocks_, column_blocks_;
  const int64_t fine_, coarse_;  // root i of a column: fine i % fine_ times coarse i / fine_
  const Passes<T> down_, across_;
  Array<Cx<T>> roots_;
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_SPLIT_H_
